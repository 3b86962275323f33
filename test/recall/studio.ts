/** A person's own notes: people, projects, and titles that are words anybody says. */
export const STUDIO: Readonly<Record<string, string>> = {
  'Index.md': '# Index\n\nWhere things are: [[Plan]], [[Ideas]], [[Reading list]].\n',
  'Plan.md':
    '# Plan\n\nThe quarter in three lines: ship Bluefin, hire one person, rest in August.\n',
  'Notes.md': '# Notes\n\nLoose ends that have no other place yet.\n',
  'May.md': '# May\n\nBluefin review on the 12th, Lisbon on the 20th.\n',
  'Ideas.md': '# Ideas\n\nA kite camera. A cookbook for one pot.\n',
  'Team.md': '# Team\n\nFive of us, two part time.\n',
  'Budget.md': '# Budget\n\nHosting 400 a month, contractors 6,000.\n',
  'Home.md': '# Home\n\nThe boiler is serviced every October.\n',
  'Go.md': '# Go\n\nWhy the worker is written in Go: one binary, small memory.\n',
  'Reading list.md': '# Reading list\n\nA history of tin. Two books on rivers.\n',
  'projects/Bluefin.md':
    '---\naliases: [Project Bluefin]\n---\n# Bluefin\n\nThe checkout for small shops. Launch is planned with three pilot shops in Aarhus.\n\n## Pilot shops\n\nA bakery, a framer and a bicycle shop.\n',
  'projects/Kestrel.md':
    '---\naliases: [Kestrel API, kestrel-api]\n---\n# Kestrel\n\nThe service that prices a basket. It answers in 40 ms and keeps no state.\n',
  'projects/Meridian rollout.md':
    '# Meridian rollout\n\nMoves all shops to the new ledger, ten a week, with a way back for a month.\n',
  'projects/Tidepool.md': '# Tidepool\n\nA drawing tool for children. On ice since spring.\n',
  'howto/Docker setup.md':
    '# Docker setup\n\nOne compose file for database, queue and mail. `make up` starts it.\n',
  'howto/Home network.md':
    '# Home network\n\nThe router is in the hall; the printer has a fixed address.\n',
  'howto/Invoice numbering.md':
    '# Invoice numbering\n\nYear, dash, a running number. Never reuse one, even of a cancelled invoice.\n',
  'howto/Espresso machine.md':
    '# Espresso machine\n\nDescale it every eight weeks; the gasket is size 58.\n',
  'howto/Sourdough starter.md':
    '# Sourdough starter\n\nFeed it at noon, equal parts, and keep it at 24 degrees.\n',
  'travel/Lisbon 2026.md':
    '# Lisbon 2026\n\nFlat in Graça, flights on the 20th, Nadia joins later.\n',
  'people/Grace Holloway.md':
    '---\ntype: person\n---\n# Grace Holloway\n\nAccountant. Wants receipts by the fifth of the month.\n',
  'people/Nadia Rahimi.md':
    '---\ntype: person\n---\n# Nadia Rahimi\n\nDesigner. Works in the mornings, answers by voice message.\n',
  'people/Tom Bergström.md':
    '---\ntype: person\n---\n# Tom Bergström\n\nRuns the bakery of the Bluefin pilot.\n',
  'people/Will Carter.md':
    '---\ntype: person\n---\n# Will Carter\n\nLawyer, two floors up. Reads contracts within a day.\n',
  'people/Ruth Carter.md':
    '---\ntype: person\n---\n# Ruth Carter\n\nFramer in the pilot. Prefers paper.\n',
}
