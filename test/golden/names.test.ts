/** A developer's notes: what is named so comes before what only mentions it. */
import { judge } from './judge.ts'

const filler = (topic: string): string =>
  `The ${topic} was looked at again this week. Nothing is urgent, and the rest can wait until the
release is out. Somebody should write down what was agreed, and who does what by when.`

judge(
  "a developer's notes",
  {
    redis: '# Redis\n\nAn in-memory store. We keep sessions in it.',
    'cache-layers': `# Cache layers\n\nRedis in front, then the database. Redis is fast, Redis is simple,
and Redis forgets everything when it restarts. Redis again for queues.`,
    'redis-migration': '# Moving from Redis to Valkey\n\nSteps, dates and open questions.',
    postgres: `---\naliases: [PG, Elephant]\n---\n# PostgreSQL\n\nThe database of record.`,
    'pg-notes': '# Notes on databases\n\nPG has better tooling. PG it is, then.',
    'runbooks/rollback':
      '# What to do when a release fails\n\nStop the deploy, then go back one tag.',
    'releases/2024-05': `# May release\n\nWe had to rollback twice. A rollback takes ten minutes.`,
    incidents: `# Incidents\n\n## Disk full\n\nThe log volume ran full at night.\n\n## Certificate expired\n\n
Renewal had been off since spring.\n`,
    'on-call': `# On call\n\nKnow your pager. A certificate may have expired, a disk may be full, a queue may
be stuck; look at the dashboard first.`,
    backup: `# Backups\n\nNightly dumps go to cold storage. Restore them with pg_restore into an empty database.`,
    'restore-drill': `# Restore drill\n\nTwice a year we restore the nightly dump and time it.`,
    'meeting-monday': `# Monday meeting\n\n${filler('backlog')}\n\nSomeone asked whether backups are tested.`,
    'meeting-friday': `# Friday meeting\n\n${filler('roadmap')}`,
    'http-caching': `# HTTP caching\n\nETag and Cache-Control, what a proxy may keep and for how long.`,
    ideas: `# Ideas\n\nCache everything. Or nothing. HTTP is a protocol, caching an art.`,
    'docker-compose': `# Docker Compose\n\nOne file for the whole stack on a laptop.`,
    'docker-swarm': `# Docker Swarm\n\nWe do not use it. Compose is enough.`,
    kubernetes: `# Kubernetes\n\nPods, services, and why we are not there yet. Docker images still help.`,
  },
  [
    {
      query: 'redis',
      first: ['redis', 'redis-migration', 'cache-layers'],
      because: 'the note named so, then the title that has it, then the text that repeats it',
    },
    { query: 'Redis', first: ['redis'], because: 'case does not matter' },
    { query: 'PG', first: ['postgres', 'pg-notes'], because: 'an alias is a name' },
    { query: 'elephant', only: ['postgres'], because: 'an alias nobody else mentions' },
    {
      query: 'rollback',
      first: ['runbooks/rollback', 'releases/2024-05'],
      because: 'the file is named so, though its text has other words',
    },
    {
      query: 'certificate expired',
      first: ['incidents', 'on-call'],
      because: 'a heading says what its section is about; prose in passing does not',
    },
    { query: 'disk full', first: ['incidents'], because: 'the same for the other section' },
    {
      query: 'restore drill',
      first: ['restore-drill', 'backup'],
      because: 'both words in the title, then one word in the text',
    },
    {
      query: 'http caching',
      first: ['http-caching', 'ideas'],
      because: 'the title has both words side by side',
    },
    {
      query: 'docker compose',
      first: ['docker-compose', 'docker-swarm'],
      because: 'the whole name, then a name and a mention',
    },
    {
      query: 'docker-compose',
      first: ['docker-compose'],
      because: 'a file is often asked for as it is spelt',
    },
    {
      query: 'runbooks/rollback.md',
      first: ['runbooks/rollback'],
      because: 'a path pasted whole finds its file',
    },
    {
      query: 'what do I do when a release fails?',
      first: ['runbooks/rollback'],
      because: 'a question in the words of the title, small words left out',
    },
    {
      query: 'are backups tested',
      first: ['backup'],
      because: 'the note about backups comes before a meeting that asked the same thing',
      modes: ['lexical'],
    },
    {
      query: 'friday',
      only: ['meeting-friday'],
      because: 'one word that one note has',
      modes: ['lexical'],
    },
    {
      query: 'chocolate cake with almonds',
      nothing: true,
      because: 'nobody cooks here',
    },
  ],
)

judge(
  'equal and nearly equal notes',
  {
    'a/standup': '# Standup\n\nAt nine, fifteen minutes, standing.',
    'b/standup': '# Standup\n\nAt nine, fifteen minutes, standing.',
    'c/standup': '# Standup\n\nAt nine, fifteen minutes, standing.',
    'standup-rules': '# Standup rules\n\nBe short. Standing helps.',
  },
  [
    {
      query: 'standup',
      only: ['a/standup', 'b/standup', 'c/standup', 'standup-rules'],
      because: 'ties break by path, and the shorter title is the closer name',
    },
    {
      query: 'standup rules',
      first: ['standup-rules', 'a/standup'],
      because: 'the note that has both words',
    },
  ],
)

const prose = (sentences: number): string =>
  Array.from(
    { length: sentences },
    (_, i) => `Paragraph ${i} speaks of plans, people and places without coming to the point.`,
  ).join('\n\n')

judge(
  'long and short notes',
  {
    'webhook-retries': '# Webhook retries\n\nA webhook is retried five times with growing pauses.',
    'yearly-report': `# Yearly report\n\n${prose(120)}\n\nA webhook failed once.\n\n${prose(120)}`,
    handbook: `# Handbook\n\n${prose(60)}\n\n## Webhooks\n\nEvery webhook is signed. To rotate the signing
secret of a webhook, add the new secret first, then remove the old one.\n\n${prose(60)}`,
    scattered: `# Minutes\n\nThe secret was out.\n\n${prose(40)}\n\nWe rotate people.\n\n${prose(40)}\n\nSigning
is next week.\n\n${prose(40)}\n\nSomebody mentioned a webhook.`,
    stub: '# Stub\n\nwebhook',
  },
  [
    {
      query: 'webhook retries',
      first: ['webhook-retries'],
      because: 'a short note about it comes before long ones that touch it',
    },
    {
      query: 'how do we rotate the signing secret of a webhook',
      first: ['handbook', 'scattered'],
      because: 'all words in one passage say more than all words somewhere in a long note',
    },
    {
      query: 'webhook',
      order: ['webhook-retries', 'handbook', 'yearly-report'],
      because: 'title, heading, one mention in a long text',
    },
    {
      query: 'webhook',
      order: ['stub', 'yearly-report'],
      because: 'one mention is all of a stub and nothing of a report',
    },
  ],
)

judge(
  'words that repeat and words that say little',
  {
    tea: '# Tea\n\nTea needs hot water and patience.',
    coffee: '# Coffee\n\nCoffee needs hot water and pressure.',
    both: '# Tea or coffee\n\nSome want tea, some want coffee.',
    'the-who': '# The Who\n\nA band from London.',
    questions: '# Questions\n\nWho asked what, and when? The team answers on the next day.',
    'it-support': '# IT support\n\nThe help desk is open from nine to five.',
    running: '# Running shoes\n\nHe runs every morning.',
    runner: '# Release runner\n\nThe runner executes jobs.',
  },
  [
    {
      query: 'tea tea tea coffee',
      order: ['both', 'tea', 'coffee'],
      because: 'a word that is said three times weighs three times',
    },
    {
      query: 'tea coffee coffee coffee',
      order: ['both', 'coffee', 'tea'],
      because: 'the same the other way round',
    },
    {
      query: 'the who',
      first: ['the-who'],
      because: 'nothing but small words is a name made of small words',
    },
    {
      query: 'how do I get the water for the tea',
      first: ['tea'],
      because: 'small words do not count where others are left',
    },
    { query: 'run', first: ['running'], because: 'inflected forms meet: run, runs, running' },
    {
      query: 'jobs executed by the runners',
      first: ['runner'],
      because: 'plural and past tense meet',
    },
    { query: 'coffe', order: ['coffee', 'both'], because: 'a letter is missing' },
    { query: 'presure', only: ['coffee'], because: 'a slip in a word that one note has' },
  ],
)
