/** The program as a process of its own, run from source. */
import { main } from '../../src/serve/cli/main.ts'

await main()
