/** What a person pastes into an MCP client to reach a server that is running. */

export interface ClientSetup {
  readonly claudeCode: string
  readonly mcpServers: Readonly<Record<string, unknown>>
}

export function clientSetup(url: string): ClientSetup {
  return {
    claudeCode: `claude mcp add --transport http cairn ${url}`,
    mcpServers: { mcpServers: { cairn: { type: 'http', url } } },
  }
}

export function setupText(url: string): string {
  const { claudeCode, mcpServers } = clientSetup(url)
  return [
    `Cairn is serving MCP at ${url}`,
    '',
    'Claude Code:',
    `  ${claudeCode}`,
    '',
    'Other clients (mcpServers in their JSON configuration):',
    ...JSON.stringify(mcpServers, undefined, 2)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'Stop with Ctrl-C.',
    '',
  ].join('\n')
}
