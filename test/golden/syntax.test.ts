/** What people type to be exact: quotes, signs, fields and stars, in every mode. */
import { judge } from './judge.ts'

judge(
  'product documentation',
  {
    'guide/install': `---\ntags: [setup, cli]\n---\n# Install\n\nInstall the command line tool with npm. Then log in.`,
    'guide/upgrade': `---\ntags: [setup]\n---\n# Upgrade\n\nUpgrade the tool with npm. Read the release notes first.`,
    'guide/uninstall': `# Uninstall\n\nRemove the tool with npm and delete its configuration.`,
    'reference/configuration': `# Configuration\n\nThe configuration file has sections. The log level is set per section.`,
    'reference/environment': `# Environment variables\n\nVariables win over the configuration file.`,
    'reference/limits': `# Rate limits\n\nA rate limit of 100 requests per minute. The limit rate is the same for all.`,
    'reference/errors': `# Errors\n\nToo many requests: the limit was hit. The rate of requests is shown in the header.`,
    'tutorial/first-query': `---\ntags: [beginner]\n---\n# Your first query\n\nLog in, open the console and run a query.`,
    'tutorial/dashboards': `---\ntags: [beginner, charts]\n---\n# Dashboards\n\nA dashboard shows the query as a chart.`,
    'blog/npm-incident': `# The npm incident\n\nFor two hours nobody could install anything. The log told why.`,
  },
  [
    {
      query: '"rate limit"',
      only: ['reference/limits'],
      because: 'side by side and in this order, in one note alone; endings do not matter',
    },
    {
      query: '"log in"',
      only: ['tutorial/first-query', 'guide/install'],
      because: 'small words count in a phrase: "log level" and "the log" are something else',
    },
    {
      query: '"log in" +console',
      only: ['tutorial/first-query'],
      because: 'a phrase and a required word',
    },
    {
      query: 'npm -install',
      only: ['guide/uninstall', 'guide/upgrade'],
      because: 'what was excluded must not come back by meaning or links',
    },
    {
      query: 'npm -"release notes" -incident -uninstall',
      only: ['guide/install'],
      because: 'excluded phrases and words together',
    },
    {
      query: 'tool +release',
      only: ['guide/upgrade'],
      because: 'a required word leaves the others out',
    },
    {
      query: '+configuration +variables file',
      only: ['reference/environment'],
      because: 'two required words',
    },
    {
      query: 'title:configuration',
      only: ['reference/configuration'],
      because: 'only in the title, though three notes speak of it',
    },
    {
      query: 'tag:beginner',
      only: ['tutorial/first-query', 'tutorial/dashboards'],
      because: 'only those that bear the tag; among few tags each says more',
    },
    {
      query: 'tag:setup npm -tag:cli',
      only: ['guide/upgrade'],
      because: 'a tag asked for and a tag left out',
    },
    {
      query: 'path:tutorial query',
      only: ['tutorial/first-query', 'tutorial/dashboards'],
      because: 'only below the folder, and the better match first',
    },
    {
      query: 'config*',
      first: ['reference/configuration'],
      because: 'a prefix finds the title that begins so',
    },
    {
      query: 'dashb*',
      only: ['tutorial/dashboards'],
      because: 'a prefix that one note has',
    },
    {
      query: '+configur* -variables',
      only: ['reference/configuration', 'guide/uninstall'],
      because: 'a required prefix and an excluded word',
    },
    {
      query: '"npm install tool"',
      first: ['guide/install'],
      because: 'a phrase nobody wrote is searched as words rather than not at all',
    },
    {
      query: 'C++ -> npm: --install (now)',
      first: ['guide/install'],
      because: 'what only looks like an operator is plain text',
    },
    {
      query: 'how do I upgarde the tool with npm and read the release notes',
      first: ['guide/upgrade'],
      because: 'a slip in one of ten words changes nothing',
    },
    {
      query: 'enviroment',
      only: ['reference/environment'],
      because: 'a word the base lacks is taken for the nearest one',
      modes: ['lexical'],
    },
  ],
)
