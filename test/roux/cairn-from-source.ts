/** The `cairn` program from source, for tests that need a process of its own. */
import { main } from '../../src/serve/cli/main.ts'

await main()
