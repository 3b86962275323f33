/** A server in this process over a folder, as somebody would start it who has set nothing else. */
import { onTestFinished } from 'vitest'
import { startServer } from '../../src/serve/wiring/start-server.ts'
import type { ServerOptions } from '../../src/serve/wiring/start-server.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import type { Config, ConfigInput } from '../../src/serve/config/config.ts'

type Flags = ConfigInput['flags']

/** No setting of whoever runs the tests counts. */
export async function configOf(
  folder: string,
  flags: Flags = {},
  given: Partial<ConfigInput> = {},
): Promise<Config> {
  const { config } = await loadConfig({
    folders: [folder],
    configFile: undefined,
    flags,
    env: {},
    cwd: folder,
    home: folder,
    ...given,
  })
  return config
}

/** Over HTTP at a free port; closed when the test is over. */
export async function serveFolder(
  folder: string,
  flags: Flags = {},
  options: Omit<ServerOptions, 'transport'> & { readonly given?: Partial<ConfigInput> } = {},
): Promise<Awaited<ReturnType<typeof startServer>> & { readonly config: Config }> {
  const { given, ...rest } = options
  const config = await configOf(folder, { port: 0, 'log-level': 'silent', ...flags }, given)
  const server = await startServer(config, { transport: 'http', ...rest })
  onTestFinished(() => server.close())
  return { ...server, config }
}
