import { describe, expect, it } from 'vitest'
import { fillTemplate } from './fill-template.ts'

const FACTS = {
  title: 'Lantern Festival',
  now: new Date(2026, 11, 1, 9, 5),
  path: 'events/2026/Lantern Festival.md',
}

describe('a place that is known is filled', () => {
  it.each([
    ['# {{title}}', '# Lantern Festival'],
    ['{{ Title }}', 'Lantern Festival'],
    ['{{date}} {{time}}', '2026-12-01 09:05'],
    ['{{date:dddd, MMMM Do}}', 'Tuesday, December 1st'],
    ['{{time:h:mm a}}', '9:05 am'],
    ['[[{{yesterday}}]] [[{{tomorrow:DD}}]]', '[[2026-11-30]] [[02]]'],
    ['<% tp.file.title %>', 'Lantern Festival'],
    ['<% tp.date.now("YYYY") %>', '2026'],
    ["<%- tp.date.now('YYYY-MM-DD', 7) -%>", '2026-12-08'],
    ['<% tp.date.now() %><% tp.file.cursor(1) %>', '2026-12-01'],
    ['<% tp.date.yesterday("DD") %><% tp.date.tomorrow("DD") %>', '3002'],
    ['<% tp.file.creation_date() %>', '2026-12-01 09:05'],
    ['<% tp.file.folder() %>', '2026'],
    ['$FOAM_TITLE ${FOAM_SLUG}', 'Lantern Festival lantern-festival'],
    ['$FOAM_DATE_YEAR-${FOAM_DATE_MONTH}-$FOAM_DATE_DATE', '2026-12-01'],
    ['${FOAM_DATE_DAY_NAME} ${FOAM_DATE_MONTH_NAME_SHORT}', 'Tuesday Dec'],
    ['$CURRENT_YEAR $FOAM_CURRENT_DIR', '2026 events/2026'],
  ])('%s', (template, text) => {
    expect(fillTemplate(template, FACTS)).toEqual({ text, unknown: [], tookContent: false })
  })
})

describe('what nobody knows stays as it is written, and is named', () => {
  it.each([
    ['{{weather}}', ['{{weather}}']],
    ['{{title:x}} {{weather}} {{weather}}', ['{{title:x}}', '{{weather}}']],
    ['<%* await tp.system.prompt("?") %>', ['<%* await tp.system.prompt("?") %>']],
    ['<% tp.file.include("[[Other]]") %>', ['<% tp.file.include("[[Other]]") %>']],
    ['<% constructor.constructor("x")() %>', ['<% constructor.constructor("x")() %>']],
    ['${FOAM_NOTHING}', ['${FOAM_NOTHING}']],
    ['${FOAM_DATE_FORMAT:yyyy}', ['${FOAM_DATE_FORMAT:yyyy}']],
    ['{{constructor}} {{__proto__}}', ['{{constructor}}', '{{__proto__}}']],
    ['${FOAM_DATE_CONSTRUCTOR}', ['${FOAM_DATE_CONSTRUCTOR}']],
  ])('%s', (template, unknown) => {
    expect(fillTemplate(template, FACTS)).toMatchObject({ text: template, unknown })
  })

  it('costs $5, ${1:x} and {{ }} are text', () => {
    for (const text of ['costs $5', '${1:x}', '{{\n}}', '<%%>', 'a {{}} b']) {
      expect(fillTemplate(text, FACTS)).toMatchObject({ text, unknown: [] })
    }
  })
})

it('what goes into the note finds its place, and is no template itself', () => {
  const facts = { ...FACTS, content: 'Bring {{title}} & $& tea' }
  expect(fillTemplate('- ${FOAM_SELECTED_TEXT}\n', facts)).toEqual({
    text: '- Bring {{title}} & $& tea\n',
    unknown: [],
    tookContent: true,
  })
  expect(fillTemplate('{{content}}', facts).tookContent).toBe(true)
})

it('the name of a note is no template', () => {
  const { text } = fillTemplate('# {{title}}', { ...FACTS, title: '{{date}} $FOAM_TITLE $&' })
  expect(text).toBe('# {{date}} $FOAM_TITLE $&')
})

it('a megabyte of beginnings is read once', () => {
  for (const piece of ['{{', '<%', '${FOAM_', '{{a', '<% tp.date.now(', '$FOAM_']) {
    const template = piece.repeat(200_000)
    expect(fillTemplate(template, FACTS).text).toHaveLength(template.length)
  }
})
