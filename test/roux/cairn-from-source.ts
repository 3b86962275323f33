/** The `cairn` program from source, for tests that need a process of its own. */
import { main } from '../../src/cli/main.ts'

await main()
