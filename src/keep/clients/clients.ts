/** The clients that `cairn connect` knows, each as its own documents describe its settings. */
import { join } from 'node:path'
import type { Client, Entry, Launch, Places, Scope } from './client.ts'

/** What most clients write: `{ "command": …, "args": […] }`, or an address under some key. */
function plain(launch: Launch, urlKey = 'url'): Entry {
  return launch.kind === 'command'
    ? { command: launch.command, args: launch.args }
    : { [urlKey]: launch.url }
}

const commandOnly = (launch: Launch): Entry | undefined =>
  launch.kind === 'command' ? plain(launch) : undefined

const always = (...keys: string[]) => {
  return () => keys
}

/** Where applications keep what belongs to a user. */
function applicationData({ platform, home, env }: Places): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming')
  return xdgConfig({ home, env })
}

function xdgConfig({ home, env }: Pick<Places, 'home' | 'env'>): string {
  return env['XDG_CONFIG_HOME'] || join(home, '.config')
}

function vsCodeUser(places: Places): string {
  return join(applicationData(places), 'Code', 'User')
}

function codexHome({ home, env }: Places): string {
  return env['CODEX_HOME'] || join(home, '.codex')
}

function copilotHome({ home, env }: Places): string {
  return env['COPILOT_HOME'] || join(home, '.copilot')
}

function zedFolder(places: Places): string {
  return places.platform === 'win32'
    ? join(applicationData(places), 'Zed')
    : join(xdgConfig(places), 'zed')
}

function gooseFile(places: Places): string {
  return places.platform === 'win32'
    ? join(applicationData(places), 'Block', 'goose', 'config', 'config.yaml')
    : join(xdgConfig(places), 'goose', 'config.yaml')
}

/** The first that is there, or the first of all. */
function firstOf(places: Places, ...files: [string, ...string[]]): string {
  return files.find((file) => places.exists(file)) ?? files[0]
}

function inScope(scope: Scope, user: string, project?: string): string | undefined {
  return scope === 'user' ? user : project
}

/** opencode 2 keeps servers one level deeper, and still reads the older way. */
function opencodeContainer(text: string): readonly string[] {
  return /"mcp"\s*:\s*\{\s*"servers"\s*:\s*\{(?!\s*"(?:type|command|enabled)"\s*:\s*["[tf])/.test(
    text,
  )
    ? ['mcp', 'servers']
    : ['mcp']
}

export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    format: 'jsonc',
    container: always('mcpServers'),
    file: (scope, { home, env, project }) =>
      inScope(
        scope,
        join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
        join(project, '.mcp.json'),
      ),
    traces: ({ home, env }) => [
      join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
      join(home, '.claude'),
    ],
    programs: ['claude'],
    entry: (_, launch) => ({ type: launch.kind === 'url' ? 'http' : 'stdio', ...plain(launch) }),
    after: 'Start a new session; /mcp lists it.',
    afterInProject: 'Start a new session there and approve it; /mcp lists it then.',
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'jsonc',
    container: always('mcpServers'),
    file: (scope, places) =>
      inScope(scope, join(applicationData(places), 'Claude', 'claude_desktop_config.json')),
    traces: (places) => [join(applicationData(places), 'Claude')],
    programs: [],
    entry: (_, launch) => commandOnly(launch),
    after: 'Quit Claude Desktop and start it again.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    format: 'jsonc',
    container: always('mcpServers'),
    file: (scope, { home, project }) =>
      inScope(scope, join(home, '.cursor', 'mcp.json'), join(project, '.cursor', 'mcp.json')),
    traces: ({ home }) => [join(home, '.cursor')],
    programs: ['cursor', 'cursor-agent'],
    entry: (_, launch) => plain(launch),
    projectVariable: '${workspaceFolder}',
    after: 'Enable it under Settings, MCP.',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    format: 'jsonc',
    container: always('servers'),
    file: (scope, places) =>
      inScope(
        scope,
        join(vsCodeUser(places), 'mcp.json'),
        join(places.project, '.vscode', 'mcp.json'),
      ),
    traces: (places) => [vsCodeUser(places)],
    programs: ['code'],
    entry: (_, launch) => ({ type: launch.kind === 'url' ? 'http' : 'stdio', ...plain(launch) }),
    projectVariable: '${workspaceFolder}',
    after: 'Start it with "MCP: List Servers".',
  },
  {
    id: 'codex',
    title: 'Codex CLI',
    format: 'toml',
    container: always('mcp_servers'),
    file: (scope, places) =>
      inScope(
        scope,
        join(codexHome(places), 'config.toml'),
        join(places.project, '.codex', 'config.toml'),
      ),
    traces: (places) => [codexHome(places)],
    programs: ['codex'],
    entry: (_, launch) => plain(launch),
    after: 'Start a new session; /mcp lists it.',
    afterInProject: 'Start a new session; /mcp lists it where you trust the project.',
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    format: 'jsonc',
    container: always('mcpServers'),
    file: (scope, { home }) =>
      inScope(scope, join(home, '.codeium', 'windsurf', 'mcp_config.json')),
    traces: ({ home }) => [join(home, '.codeium', 'windsurf')],
    programs: ['windsurf'],
    entry: (_, launch) => plain(launch, 'serverUrl'),
    after: 'Press refresh in the MCP panel of Cascade.',
  },
  {
    id: 'zed',
    title: 'Zed',
    format: 'jsonc',
    container: always('context_servers'),
    file: (scope, places) =>
      inScope(
        scope,
        join(zedFolder(places), 'settings.json'),
        join(places.project, '.zed', 'settings.json'),
      ),
    traces: (places) => [zedFolder(places)],
    programs: ['zeditor'],
    entry: (_, launch) =>
      launch.kind === 'command' ? { source: 'custom', ...plain(launch) } : plain(launch),
    after: 'Zed notices by itself.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    format: 'jsonc',
    container: always('mcpServers'),
    file: (scope, { home, project }) =>
      inScope(
        scope,
        join(home, '.gemini', 'settings.json'),
        join(project, '.gemini', 'settings.json'),
      ),
    traces: ({ home }) => [join(home, '.gemini')],
    programs: ['gemini'],
    entry: (_, launch) => plain(launch, 'httpUrl'),
    after: 'Start a new session; /mcp lists it.',
    afterInProject: 'Start a new session; /mcp lists it where you trust the folder.',
  },
  {
    id: 'qwen',
    title: 'Qwen Code',
    format: 'jsonc',
    container: always('mcpServers'),
    file: (scope, { home, project }) =>
      inScope(scope, join(home, '.qwen', 'settings.json'), join(project, '.qwen', 'settings.json')),
    traces: ({ home }) => [join(home, '.qwen')],
    programs: ['qwen'],
    entry: (_, launch) => plain(launch, 'httpUrl'),
    after: 'Start a new session; /mcp lists it.',
    afterInProject: 'Start a new session; /mcp lists it where you trust the folder.',
  },
  {
    id: 'copilot',
    title: 'Copilot CLI',
    format: 'jsonc',
    container: always('mcpServers'),
    file: (scope, places) =>
      inScope(
        scope,
        join(copilotHome(places), 'mcp-config.json'),
        join(places.project, '.github', 'mcp.json'),
      ),
    traces: (places) => [copilotHome(places)],
    programs: ['copilot'],
    // It is told which tools of a server may be used.
    entry: (_, launch) => ({
      type: launch.kind === 'url' ? 'http' : 'local',
      ...plain(launch),
      tools: ['*'],
    }),
    after: 'Start a new session; "/mcp show" lists it.',
    afterInProject: 'Start a new session; "/mcp show" lists it where you trust the folder.',
  },
  {
    id: 'opencode',
    title: 'opencode',
    format: 'jsonc',
    container: opencodeContainer,
    file(scope, places) {
      const folder = scope === 'user' ? join(xdgConfig(places), 'opencode') : places.project
      return firstOf(places, join(folder, 'opencode.json'), join(folder, 'opencode.jsonc'))
    },
    traces: (places) => [join(xdgConfig(places), 'opencode')],
    programs: ['opencode'],
    entry: (_, launch): Entry =>
      launch.kind === 'command'
        ? { type: 'local', command: [launch.command, ...launch.args], enabled: true }
        : { type: 'remote', url: launch.url, enabled: true },
    after: 'Start a new session.',
  },
  {
    id: 'cline',
    title: 'Cline',
    format: 'jsonc',
    container: always('mcpServers'),
    file: (scope, places) => inScope(scope, clineFile(places)),
    traces: (places) => [clineInVsCode(places), clineHome(places)],
    programs: ['cline'],
    entry: (_, launch) => ({
      ...(launch.kind === 'url' ? { type: 'streamableHttp' } : {}),
      ...plain(launch),
      disabled: false,
      autoApprove: [],
    }),
    after: 'Cline notices by itself.',
  },
  {
    id: 'goose',
    title: 'Goose',
    format: 'yaml',
    container: always('extensions'),
    file: (scope, places) => inScope(scope, gooseFile(places)),
    traces: (places) => [join(gooseFile(places), '..')],
    programs: [],
    entry: (name, launch) => ({
      enabled: true,
      ...(launch.kind === 'command'
        ? { type: 'stdio', name, cmd: launch.command, args: launch.args }
        : { type: 'streamable_http', name, uri: launch.url }),
      description: 'Your own notes and documents',
      envs: {},
      timeout: 300,
    }),
    after: 'Start a new session.',
  },
  {
    id: 'lmstudio',
    title: 'LM Studio',
    format: 'jsonc',
    container: always('mcpServers'),
    file: (scope, { home }) => inScope(scope, join(home, '.lmstudio', 'mcp.json')),
    traces: ({ home }) => [join(home, '.lmstudio')],
    programs: ['lms'],
    entry: (_, launch) => plain(launch),
    after: 'Switch it on in the Program tab.',
  },
]

/** Its own, which the command line and newer extensions share; older ones kept it in VS Code. */
function clineFile(places: Places): string {
  const named = places.env['CLINE_MCP_SETTINGS_PATH']
  if (named) return named
  const inVsCode = clineInVsCode(places)
  const isOlder = places.exists(inVsCode) && !places.exists(clineHome(places))
  const folder = isOlder ? inVsCode : join(clineHome(places), 'data')
  return join(folder, 'settings', 'cline_mcp_settings.json')
}

function clineInVsCode(places: Places): string {
  return join(vsCodeUser(places), 'globalStorage', 'saoudrizwan.claude-dev')
}

function clineHome({ home, env }: Places): string {
  return env['CLINE_DIR'] || join(home, '.cline')
}
