/**
 * The papers of a lighthouse museum that never was, one in every kind of file, and for each what is
 * said at which place: the judge of a quote asks this table, and no reader of files.
 */
import {
  makeDocx,
  makeEpub,
  makeOdp,
  makeOds,
  makeOdt,
  makePptx,
  makeXlsx,
} from '../support/make-office.ts'
import { makePdf, pdfLines } from '../support/make-pdf.ts'
import type { PdfLine } from '../support/make-pdf.ts'

export interface Paper {
  readonly bytes: string | Uint8Array
  /** What stands where: by page, slide, sheet, chapter, cell, card, mail, second or heading. */
  readonly places: Readonly<Record<string, string>>
}

const page = (heading: string, lines: readonly string[]): PdfLine[] => [
  { text: heading, y: 80, size: 18 },
  ...pdfLines(lines, { y: 120 }),
]
const said = (lines: readonly PdfLine[]): string => lines.map(({ text }) => text).join(' ')
const pdf = (pages: readonly (readonly PdfLine[])[]): Paper => ({
  bytes: makePdf(pages),
  places: Object.fromEntries(pages.map((lines, at) => [`page=${at + 1}`, said(lines)])),
})

/** Parts of a text under their headings. */
const parts = (lines: readonly string[]): Record<string, string> => {
  const places: Record<string, string> = {}
  let at = ''
  for (const line of lines) {
    const heading = /^#+ (.*)$/.exec(line)?.[1]
    if (heading !== undefined) at = heading
    else places[at] = `${places[at] ?? ''} ${line}`
  }
  return places
}

const RESTORATION = pdf([
  page('Restoration of the Varde lighthouse', [
    'This report describes how the lighthouse at Varde was restored between',
    '2019 and 2022, who paid for the work, and what is left to be done.',
    'The architect was Signe Holm of Ribe.',
  ]),
  page('The lens', [
    'The lens is a Fresnel lens of the second order, made in Paris in 1871.',
    'Eleven of its prisms were cracked by frost and had to be ground anew',
    'in a workshop in Bornholm. The lens was lifted out by a crane on',
    '14 May 2020 and came back after nineteen months.',
  ]),
  [
    { text: 'Paint and stairs, told side by side on this page', y: 60, size: 16 },
    ...pdfLines(
      [
        'The tower was painted with',
        'silicate paint, because lime had',
        'been washed away by the rain of',
        'every autumn. Four coats were',
        'needed on the western side, and',
        'two on the others.',
      ],
      { x: 60, y: 100, size: 10 },
    ),
    ...pdfLines(
      [
        'The stairs have 187 steps of',
        'granite. Every third step was',
        'loose and was set in hydraulic',
        'mortar. The handrail is new and',
        'was forged by Aage Lund from',
        'iron of the old balcony.',
      ],
      { x: 330, y: 100, size: 10 },
    ),
  ],
  [
    { text: 'Costs', y: 80, size: 18 },
    ...[
      ['Work', 'Thousand crowns', 'Paid by'],
      ['Lens', '2450', 'Nordea fund'],
      ['Paint', '860', 'Municipality'],
      ['Stairs', '1310', 'Friends of the tower'],
      ['Scaffolding', '790', 'Municipality'],
    ].flatMap((row, line) =>
      row.map((text, column) => ({ text, x: 72 + column * 150, y: 120 + line * 16 })),
    ),
  ],
  page('What is left', [
    'The gallery still leaks at its northern door. The copper of the dome',
    'must be replaced before 2031, as the surveyor Ida Krog has found.',
  ]),
])

const YEAR = pdf(
  [
    ['Visitors', 'In 2023 the museum had 41,300 visitors, a fifth more than in the year before.'],
    ['School classes', 'There were 212 school classes, most of them from Esbjerg and Grindsted.'],
    ['The shop', 'The shop sold 3,900 lighthouse mugs, and ran out of them in August.'],
    ['Staff', 'Karen Skov has followed Poul Dahl as director on the first of March.'],
    ['Accidents', 'A kite was caught in the railing twice, and one visitor sprained an ankle.'],
  ].map(([heading = '', line = ''], at) => [
    { text: `Varde lighthouse, annual report 2023, ${at + 1}`, y: 30, size: 9 },
    ...page(heading, [line]),
  ]),
)

const INSURANCE = [
  '# Insurance of the museum',
  'The policy is with the Codan company and has the number V-88214.',
  '## What is covered',
  'Fire, lightning and storms of more than ten Beaufort are covered.',
  '## What is not covered',
  'Damage by birds and by salt in the air is excluded.',
  '## Deductible',
  'The museum bears the first 25,000 crowns of every damage itself.',
  '## Premiums',
  '| Building | Premium | Due |',
  '| Tower | 38,200 | January |',
  '| Keeper house | 12,750 | April |',
  '| Boat shed | 4,600 | October |',
]
const FOOTNOTE = 'The policy was cancelled once, in 1998, by mistake.'
const COMMENT = 'Ask Codan whether drones are covered.'

const GARDEN = [
  '# The garden of the keeper',
  'Behind the house lies a garden that the last keeper had planted.',
  '## Hedge',
  'A hedge of sea buckthorn keeps the wind off; it is cut in February.',
  '## Beds',
  'The beds hold kale, leeks and the potato called Asparges.',
  '## Well',
  'The well is nine metres deep, and its water is too salty to drink.',
  '## Plants',
  '| Plant | Planted | Row |',
  '| Rosehip | 1931 | north |',
  '| Lavender | 2016 | south |',
  '| Gooseberry | 1958 | east |',
]

const slides = (
  list: readonly { title: string; lines: readonly string[]; notes?: string }[],
): Record<string, string> =>
  Object.fromEntries(
    list.map(({ title, lines, notes = '' }, at) => [
      `slide=${at + 1}`,
      [title, ...lines, notes].join(' '),
    ]),
  )
const KEEPERS = [
  { title: 'Keepers of the light', lines: ['A talk for the friends of the tower'] },
  {
    title: 'The first keeper',
    lines: [
      'Jens Bruun kept the light from 1872 to 1899',
      'He wrote the weather down three times a day',
    ],
    notes: 'Show his logbook, which the parish lent us.',
  },
  {
    title: 'The war',
    lines: ['The light was dark from 1940 to 1945', 'Soldiers slept in the oil cellar'],
    notes: 'Mention that the lens was hidden under hay in Oksby.',
  },
  {
    title: 'The last keeper',
    lines: ['Ellen Thorup left in 1987, when the light was automated'],
  },
]
const FOG = [
  { title: 'Signals in fog', lines: ['Bells, horns and guns'] },
  {
    title: 'The horn',
    lines: ['The horn was heard over eleven nautical miles', 'It ran on compressed air'],
    notes: 'Play the recording of 1962 here.',
  },
  {
    title: 'The end of the horn',
    lines: ['Since 2004 ships have used satellites, and the horn rests'],
  },
]

const rowsText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join(' ')).join(' ')
const sheetsText = (sheets: Readonly<Record<string, readonly (readonly string[])[]>>) =>
  Object.fromEntries(
    Object.entries(sheets).map(([name, rows]) => [`sheet=${name}`, rowsText(rows)]),
  )
const VISITORS = {
  Months: [
    ['Month', 'Adults', 'Children', 'Best day'],
    ['June', '4210', '2890', 'Grundlov day'],
    ['July', '6905', '5120', 'Rain Tuesday'],
    ['August', '5377', '3304', 'Kite festival'],
  ],
  Countries: [
    ['Country', 'Share of visitors', 'Language of the guide'],
    ['Germany', '31 percent', 'German'],
    ['Netherlands', '9 percent', 'Dutch'],
    ['Norway', '6 percent', 'Norwegian'],
  ],
}
const STORES = {
  Cellar: [
    ['Thing', 'Shelf', 'How many'],
    ['Wicks', 'B4', '340'],
    ['Brass polish', 'A1', '12'],
    ['Signal flags', 'C7', '26'],
  ],
}
const LAMPS = [
  ['Lamp', 'Watt', 'Where it hangs', 'Changed'],
  ['Storm lantern', '40', 'boat shed', '2021'],
  ['Ship lamp', '15', 'ticket office', '2023'],
  ['Main bulb', '1000', 'lens room', '2022'],
]
const BOATS = [
  ['Boat', 'Built', 'Owner'],
  ['Havfruen', '1924', 'the museum'],
  ['Terne', '1961', 'Bent Friis'],
  ['Maagen', '1978', 'the harbour guild'],
]

const STORM: readonly (readonly string[])[] = [
  [
    '# The night before',
    'On the evening of 2 December the glass fell to 947 millibars, lower than anybody had seen.',
    'Ellen nailed the shutters and carried the hens into the kitchen.',
  ],
  [
    '# The wave',
    'At ten past three a wave broke the wall of the garden and took the boat shed with it.',
    'Nobody was hurt, as the crew of the trawler Solveig slept in the tower that night.',
  ],
  [
    '# Afterwards',
    'The dunes had moved back by thirty metres, and the road to Oksby lay under sand until Easter.',
  ],
]

const TICKETS = [
  '# Tickets',
  'Tickets are sold at the door and here.',
  '## Prices',
  '| Ticket | Crowns | Valid |',
  '| Adult | 95 | one day |',
  '| Child | 40 | one day |',
  '| Family | 230 | two days |',
  '| Year card | 310 | a year |',
  '## Opening hours',
  'From April to October the tower is open from ten to six, in winter on weekends from eleven to three.',
  '## Getting here',
  'Bus 57 from Varde station stops at the dune car park, four hundred metres from the tower.',
  '## Dogs',
  'Dogs may come into the garden on a lead, and not up the stairs.',
]
const html = (lines: readonly string[]): string => {
  const body = lines.map((line) => {
    const [, marks, heading] = /^(#+) (.*)$/.exec(line) ?? []
    if (marks !== undefined) return `<h${marks.length}>${heading}</h${marks.length}>`
    if (!line.startsWith('| ')) return `<p>${line}`
    const cells = line.slice(2, -2).split(' | ')
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const tabled = body.join('\n').replaceAll(/(?:<tr>.*\n?)+/g, '<table>$&</table>')
  return `<!doctype html><title>Tickets</title><nav><a href=/>Home</a> <a href=/dogs>All about dogs and buses</a></nav><main>${tabled}</main><footer>Dogs, buses, prices</footer>`
}

const TIDES = [
  { cell_type: 'markdown', source: '# Tides\nWhat the gauge at the mole has measured.' },
  { cell_type: 'code', source: 'gauge = read_gauge("mole.csv")\ngauge.drop_spikes(limit=0.4)' },
  {
    cell_type: 'markdown',
    source:
      '## Highest tide\nThe highest tide of the record came on 3 January 1976, at 4.12 metres.',
  },
  {
    cell_type: 'code',
    source: 'print(gauge.mean_range())',
    outputs: [{ output_type: 'stream', text: 'mean tidal range: 1.63 metres\n' }],
  },
  {
    cell_type: 'markdown',
    source:
      '## Gaps\nThe gauge was out of order for six weeks in 2011, after ice had bent its float.',
  },
]

const CARDS = [
  {
    id: 'party',
    type: 'text',
    text: '# Opening party\nThe mayor cuts the ribbon at noon, and the brass band of Nordenskov plays.',
  },
  {
    id: 'food',
    type: 'text',
    text: '# Food\nFishmonger Brink brings smoked eel for ninety guests.',
  },
  {
    id: 'rain',
    type: 'text',
    text: '# If it rains\nThen the speeches are moved to the boat shed.',
  },
]

const MAILS = [
  ['Rota for May', 'Grethe takes the Sundays in May, and Mogens the Thursdays.'],
  ['Lost umbrella', 'A green umbrella with a duck handle was left on the gallery on Friday.'],
  ['Course in first aid', 'The course in first aid is on 9 June at the fire station of Oksbol.'],
  ['Keys', 'Whoever has the second key of the oil cellar, please bring it back to Karen.'],
] as const
const mail = (from: string, subject: string, text: string): string =>
  `From: ${from}\r\nTo: All <all@varde.example>\r\nDate: Sat, 3 Feb 2024 10:00:00 +0000\r\nSubject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`

const ROOF =
  'The roofer Claus Munk can come in week 34. He wants 61,000 crowns for the slates of the keeper house, and half of it in advance.'

const CUES = [
  [5, 'Welcome to the tower, which is thirty-eight metres high.'],
  [70, 'On your left you see the clockwork that turned the lens, wound up every four hours.'],
  [140, 'Up here the keeper trimmed the wick with these silver scissors.'],
  [230, 'And that island on the horizon is Fano.'],
] as const
const TALK = [
  [12, 'I was born in the keeper house in 1944, in the room above the stable.'],
  [95, 'My mother baked rye bread for the whole crew on Wednesdays.'],
  [190, 'When the electricity came in 1951 we danced in the kitchen.'],
] as const
const time = (seconds: number, sign: string): string => {
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${clock.map((each) => String(each).padStart(2, '0')).join(':')}${sign}000`
}
const cues = (list: readonly (readonly [number, string])[], sign: string): string =>
  list
    .map(
      ([at, text], index) => `${index + 1}\n${time(at, sign)} --> ${time(at + 6, sign)}\n${text}\n`,
    )
    .join('\n')
const spoken = (list: readonly (readonly [number, string])[]): Record<string, string> =>
  Object.fromEntries(list.map(([at, text]) => [`t=${at}`, `${time(at, '.').slice(3, 8)} ${text}`]))

const KITCHEN = [
  '# Kitchen of the cafe',
  'Rules for whoever cooks in the cafe.',
  '## Coffee machine',
  'The coffee machine is descaled on Mondays with citric acid, never with vinegar.',
  '## Waffles',
  'The batter of the waffles rests for two hours and has cardamom in it.',
  '## Allergies',
  'Nuts are kept in the red cupboard and nowhere else.',
]
const WIFI = [
  '# Network of the museum',
  'How the computers are connected.',
  '## Guests',
  'The network of the guests is called Fyrgast and is slower after five.',
  '## Ticket office',
  'The ticket office hangs on a cable of its own, through the mast of the flag.',
  '## Failures',
  'If nothing works, restart the grey box under the stairs and wait for three minutes.',
]
const ALARMS = [
  '# Alarms',
  'What rings, and what to do then.',
  '## Smoke',
  'The smoke alarm calls the fire station by itself; go down by the western door.',
  '## Water',
  'The alarm for water in the cellar is switched off with the yellow lever.',
]
const as = (lines: readonly string[], mark: string): string =>
  lines.map((line) => line.replace(/^#+ /, (m) => `${mark.repeat(m.length - 1)} `)).join('\n\n')
const rst = (lines: readonly string[]): string =>
  lines
    .map((line) => {
      const [, marks, heading] = /^(#+) (.*)$/.exec(line) ?? []
      return marks === undefined
        ? line
        : `${heading}\n${(marks.length === 1 ? '=' : '-').repeat(heading!.length)}`
    })
    .join('\n\n')
const separated = (rows: readonly (readonly string[])[], sign: string): string =>
  rows.map((row) => row.join(sign)).join('\n')

/** A paper without places of its own is one place. */
const WHOLE = ''

export const LIBRARY: Readonly<Record<string, Paper>> = {
  'reports/restoration.pdf': RESTORATION,
  'reports/annual-2023.pdf': YEAR,
  'letters/insurance.docx': {
    bytes: makeDocx(INSURANCE, { footnote: FOOTNOTE, comment: COMMENT }),
    places: {
      ...parts(INSURANCE),
      Premiums: `${parts(INSURANCE)['Premiums']} ${FOOTNOTE} Bo: ${COMMENT}`,
    },
  },
  'plans/garden.odt': { bytes: makeOdt(GARDEN), places: parts(GARDEN) },
  'talks/keepers.pptx': { bytes: makePptx(KEEPERS), places: slides(KEEPERS) },
  'talks/fog.odp': { bytes: makeOdp(FOG), places: slides(FOG) },
  'data/visitors.xlsx': { bytes: makeXlsx(VISITORS), places: sheetsText(VISITORS) },
  'data/stores.ods': { bytes: makeOds(STORES), places: sheetsText(STORES) },
  'books/storm.epub': {
    bytes: makeEpub('The great storm', STORM),
    places: Object.fromEntries(STORM.map((lines, at) => [`chapter=${at + 1}`, lines.join(' ')])),
  },
  'web/tickets.html': { bytes: html(TICKETS), places: parts(TICKETS) },
  'analysis/tides.ipynb': {
    bytes: JSON.stringify({ metadata: { language_info: { name: 'python' } }, cells: TIDES }),
    places: Object.fromEntries(
      TIDES.map(({ source, outputs = [] }, at) => [
        `cell=${at + 1}`,
        [source, ...outputs.map(({ text }) => text)].join(' '),
      ]),
    ),
  },
  'boards/opening.canvas': {
    bytes: JSON.stringify({
      nodes: CARDS.map((card, y) => ({ ...card, x: 0, y })),
      edges: [{ fromNode: 'party', toNode: 'rain' }],
    }),
    // With the arrow that leads from the first.
    places: Object.fromEntries(
      CARDS.map(({ id, text }) => [`card=${id}`, id === 'party' ? `${text} If it rains` : text]),
    ),
  },
  'mail/roof.eml': {
    bytes: mail('Claus <claus@munk.example>', 'Slates', ROOF),
    places: { [WHOLE]: `Slates ${ROOF}` },
  },
  'mail/volunteers.mbox': {
    bytes: MAILS.map(
      ([subject, text]) =>
        `From karen Sat Feb  3 10:00:00 2024\n${mail('Karen <karen@varde.example>', subject, text)}`,
    ).join('\n'),
    places: Object.fromEntries(
      MAILS.map(([subject, text], at) => [`mail=${at + 1}`, `${subject} ${text}`]),
    ),
  },
  'films/tour.vtt': { bytes: `WEBVTT\n\n${cues(CUES, '.')}`, places: spoken(CUES) },
  'films/interview.srt': { bytes: cues(TALK, ','), places: spoken(TALK) },
  'data/lamps.csv': { bytes: separated(LAMPS, ','), places: { [WHOLE]: rowsText(LAMPS) } },
  'data/boats.tsv': { bytes: separated(BOATS, '\t'), places: { [WHOLE]: rowsText(BOATS) } },
  'notes/kitchen.org': { bytes: as(KITCHEN, '*'), places: parts(KITCHEN) },
  'notes/network.adoc': { bytes: as(WIFI, '='), places: parts(WIFI) },
  'notes/alarms.rst': { bytes: rst(ALARMS), places: parts(ALARMS) },
}

/** The question, the file and the place that answer it, and what the answer must have in it. */
export type Judged = readonly [question: string, path: string, place: string, answer: string]

export const QUESTIONS: readonly Judged[] = [
  ['Who was the architect of the restoration?', 'reports/restoration.pdf', 'page=1', 'Signe Holm'],
  ['Where was the Fresnel lens made?', 'reports/restoration.pdf', 'page=2', 'Paris'],
  ['How many prisms were cracked by frost?', 'reports/restoration.pdf', 'page=2', 'Eleven'],
  ['When was the lens lifted out by a crane?', 'reports/restoration.pdf', 'page=2', '14 May 2020'],
  ['Why was silicate paint used on the tower?', 'reports/restoration.pdf', 'page=3', 'lime'],
  ['How many steps do the stairs have?', 'reports/restoration.pdf', 'page=3', '187'],
  ['Who forged the handrail?', 'reports/restoration.pdf', 'page=3', 'Aage Lund'],
  ['When must the copper of the dome be replaced?', 'reports/restoration.pdf', 'page=5', '2031'],
  ['Which door of the gallery leaks?', 'reports/restoration.pdf', 'page=5', 'northern'],
  ['How many visitors did the museum have in 2023?', 'reports/annual-2023.pdf', 'page=1', '41,300'],
  ['How many school classes came?', 'reports/annual-2023.pdf', 'page=2', '212'],
  ['How many lighthouse mugs were sold?', 'reports/annual-2023.pdf', 'page=3', '3,900'],
  ['Who followed Poul Dahl as director?', 'reports/annual-2023.pdf', 'page=4', 'Karen Skov'],
  ['What was caught in the railing?', 'reports/annual-2023.pdf', 'page=5', 'kite'],
  [
    'With which company is the insurance policy?',
    'letters/insurance.docx',
    'Insurance of the museum',
    'Codan',
  ],
  [
    'Which storms does the insurance cover?',
    'letters/insurance.docx',
    'What is covered',
    'ten Beaufort',
  ],
  ['Is damage by birds insured?', 'letters/insurance.docx', 'What is not covered', 'excluded'],
  [
    'How much of every damage does the museum bear itself?',
    'letters/insurance.docx',
    'Deductible',
    '25,000',
  ],
  ['When was the policy cancelled by mistake?', 'letters/insurance.docx', 'Premiums', '1998'],
  ['When is the hedge of sea buckthorn cut?', 'plans/garden.odt', 'Hedge', 'February'],
  ['Which potato grows in the beds?', 'plans/garden.odt', 'Beds', 'Asparges'],
  ['How deep is the well?', 'plans/garden.odt', 'Well', 'nine metres'],
  ['Who was the first keeper of the light?', 'talks/keepers.pptx', 'slide=2', 'Jens Bruun'],
  ['Who lent us the logbook?', 'talks/keepers.pptx', 'slide=2', 'parish'],
  ['Where was the lens hidden under hay?', 'talks/keepers.pptx', 'slide=3', 'Oksby'],
  ['Where did the soldiers sleep?', 'talks/keepers.pptx', 'slide=3', 'oil cellar'],
  ['When was the light automated?', 'talks/keepers.pptx', 'slide=4', '1987'],
  ['How far was the horn heard?', 'talks/fog.odp', 'slide=2', 'eleven nautical miles'],
  ['From which year is the recording of the horn?', 'talks/fog.odp', 'slide=2', '1962'],
  ['What have ships used since 2004?', 'talks/fog.odp', 'slide=3', 'satellites'],
  ['How low did the glass fall before the storm?', 'books/storm.epub', 'chapter=1', '947'],
  ['Who nailed the shutters?', 'books/storm.epub', 'chapter=1', 'Ellen'],
  [
    'When did the wave break the wall of the garden?',
    'books/storm.epub',
    'chapter=2',
    'ten past three',
  ],
  ['Which trawler crew slept in the tower?', 'books/storm.epub', 'chapter=2', 'Solveig'],
  ['How far did the dunes move back?', 'books/storm.epub', 'chapter=3', 'thirty metres'],
  ['When is the tower open in winter?', 'web/tickets.html', 'Opening hours', 'weekends'],
  ['Which bus goes to the dune car park?', 'web/tickets.html', 'Getting here', 'Bus 57'],
  ['May dogs come into the garden?', 'web/tickets.html', 'Dogs', 'on a lead'],
  ['When came the highest tide of the record?', 'analysis/tides.ipynb', 'cell=3', '3 January 1976'],
  ['What is the mean tidal range?', 'analysis/tides.ipynb', 'cell=4', '1.63'],
  ['Why was the gauge out of order in 2011?', 'analysis/tides.ipynb', 'cell=5', 'ice'],
  ['Which limit does drop_spikes take?', 'analysis/tides.ipynb', 'cell=2', '0.4'],
  [
    'Which brass band plays at the opening party?',
    'boards/opening.canvas',
    'card=party',
    'Nordenskov',
  ],
  ['Who brings smoked eel?', 'boards/opening.canvas', 'card=food', 'Brink'],
  ['Where are the speeches moved if it rains?', 'boards/opening.canvas', 'card=rain', 'boat shed'],
  ['When can the roofer come?', 'mail/roof.eml', WHOLE, 'week 34'],
  ['How much does Claus Munk want for the slates?', 'mail/roof.eml', WHOLE, '61,000'],
  ['Who takes the Sundays in May?', 'mail/volunteers.mbox', 'mail=1', 'Grethe'],
  ['Which umbrella was left on the gallery?', 'mail/volunteers.mbox', 'mail=2', 'duck'],
  ['Where is the course in first aid?', 'mail/volunteers.mbox', 'mail=3', 'fire station'],
  ['Which key should be brought back to Karen?', 'mail/volunteers.mbox', 'mail=4', 'second key'],
  ['How often was the clockwork of the lens wound up?', 'films/tour.vtt', 't=70', 'four hours'],
  ['With what did the keeper trim the wick?', 'films/tour.vtt', 't=140', 'silver scissors'],
  ['Which island is on the horizon?', 'films/tour.vtt', 't=230', 'Fano'],
  ['On which day did mother bake rye bread?', 'films/interview.srt', 't=95', 'Wednesdays'],
  ['When did the electricity come?', 'films/interview.srt', 't=190', '1951'],
  [
    'With what is the coffee machine descaled?',
    'notes/kitchen.org',
    'Coffee machine',
    'citric acid',
  ],
  ['How long does the batter of the waffles rest?', 'notes/kitchen.org', 'Waffles', 'two hours'],
  ['Where are nuts kept?', 'notes/kitchen.org', 'Allergies', 'red cupboard'],
  ['What is the network of the guests called?', 'notes/network.adoc', 'Guests', 'Fyrgast'],
  ['What should be restarted if nothing works?', 'notes/network.adoc', 'Failures', 'grey box'],
  ['How is the ticket office connected?', 'notes/network.adoc', 'Ticket office', 'cable'],
  ['What happens when the smoke alarm rings?', 'notes/alarms.rst', 'Smoke', 'fire station'],
  [
    'How is the alarm for water in the cellar switched off?',
    'notes/alarms.rst',
    'Water',
    'yellow lever',
  ],
]

/** A cell is found with what its row and its column are called. */
export type JudgedCell = readonly [
  question: string,
  path: string,
  place: string,
  row: string,
  column: string,
  cell: string,
]

export const CELLS: readonly JudgedCell[] = [
  [
    'What did the scaffolding cost, in thousand crowns?',
    'reports/restoration.pdf',
    'page=4',
    'Scaffolding',
    'Thousand crowns',
    '790',
  ],
  [
    'Who paid for the stairs?',
    'reports/restoration.pdf',
    'page=4',
    'Stairs',
    'Paid by',
    'Friends of the tower',
  ],
  [
    'What is the premium for the keeper house?',
    'letters/insurance.docx',
    'Premiums',
    'Keeper house',
    'Premium',
    '12,750',
  ],
  [
    'When is the premium for the boat shed due?',
    'letters/insurance.docx',
    'Premiums',
    'Boat shed',
    'Due',
    'October',
  ],
  [
    'When was the gooseberry planted?',
    'plans/garden.odt',
    'Plants',
    'Gooseberry',
    'Planted',
    '1958',
  ],
  [
    'How many children came in July?',
    'data/visitors.xlsx',
    'sheet=Months',
    'July',
    'Children',
    '5120',
  ],
  [
    'What was the best day in August?',
    'data/visitors.xlsx',
    'sheet=Months',
    'August',
    'Best day',
    'Kite festival',
  ],
  [
    'What share of visitors came from Germany?',
    'data/visitors.xlsx',
    'sheet=Countries',
    'Germany',
    'Share of visitors',
    '31 percent',
  ],
  [
    'On which shelf are the signal flags?',
    'data/stores.ods',
    'sheet=Cellar',
    'Signal flags',
    'Shelf',
    'C7',
  ],
  [
    'How many wicks are in the cellar?',
    'data/stores.ods',
    'sheet=Cellar',
    'Wicks',
    'How many',
    '340',
  ],
  ['How many crowns is a family ticket?', 'web/tickets.html', 'Prices', 'Family', 'Crowns', '230'],
  ['How long is a year card valid?', 'web/tickets.html', 'Prices', 'Year card', 'Valid', 'a year'],
  [
    'Where does the ship lamp hang?',
    'data/lamps.csv',
    WHOLE,
    'Ship lamp',
    'Where it hangs',
    'ticket office',
  ],
  ['How many watt has the main bulb?', 'data/lamps.csv', WHOLE, 'Main bulb', 'Watt', '1000'],
  ['Who is the owner of the boat Terne?', 'data/boats.tsv', WHOLE, 'Terne', 'Owner', 'Bent Friis'],
  ['When was the boat Havfruen built?', 'data/boats.tsv', WHOLE, 'Havfruen', 'Built', '1924'],
]
