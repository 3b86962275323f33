/** The program as a process of its own, run from source. */
import { main } from '../../src/cli/main.ts'

await main()
