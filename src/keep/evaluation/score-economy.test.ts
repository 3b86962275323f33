import { expect, it } from 'vitest'
import { scoreEconomy } from './score-economy.ts'

const reply = (text: string, more: object = {}) => ({
  question: 'Who keeps the keys?',
  text,
  relevant: ['keys.md', 'doors/lock.md'],
  gold: {},
  ...more,
})

it('counts what stands within a budget, and what a reply costs', () => {
  const late = `${'x'.repeat(2_400)} doors/lock and keys.md`
  expect(scoreEconomy([reply(late)])).toEqual({
    tokens: Math.round(late.length / 4),
    'rel@500': 0,
    'rel@1000': 1,
    'rel@2000': 1,
    'all@500': 0,
    'all@1000': 1,
    'all@2000': 1,
  })
})

it('finds a gold sentence where most of its words stand close together', () => {
  const gold = { evidence: [{ text: 'The porter keeps all keys.' }, { text: 'Locks get oiled.' }] }
  const near = scoreEconomy([reply('Keys: kept by the porter.', { gold })])
  expect([near['gold@500'], near['goldall@500']]).toEqual([1, 0])
  const apart = scoreEconomy([reply(`porter ${'y '.repeat(900)} keys`, { gold })])
  expect(apart['gold@1000']).toBe(0)
})

it('asks of a reference answer only what the question did not say', () => {
  const gold = { answer: 'The keys are kept by the porter in a drawer.' }
  expect(scoreEconomy([reply('The porter has the keys.', { gold })])['answer@500']).toBe(0.333)
  expect(scoreEconomy([reply('drawer; porter; kept', { gold })])['answer@500']).toBe(1)
})

it('wants short answers letter by letter, and says whether the first claim has one', () => {
  const gold = { answer: 'the porter', short: true }
  const claims = [{ text: 'Ask The Porter.' }, { text: 'Or not.' }]
  expect(scoreEconomy([reply('Ask The\\nPorter', { gold, claims })])).toMatchObject({
    'exact@500': 1,
    first: 1,
    empty: 0,
  })
  expect(scoreEconomy([reply('porter', { gold, claims: [] })])).toMatchObject({
    'exact@500': 0,
    first: 0,
    empty: 1,
  })
})

it('counts letters, not halves of them', () => {
  expect(scoreEconomy([reply('🗝'.repeat(400))])['tokens']).toBe(100)
})
