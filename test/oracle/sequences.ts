/** Everything that is played, in order. */
import { accessSequences } from './calls/access.ts'
import { acdcSequences } from './calls/acdc.ts'
import { cortexSequences } from './calls/cortex.ts'
import { duskmantleSequences } from './calls/duskmantle.ts'
import { nativeReading } from './calls/native-reading.ts'
import { nativeWriting } from './calls/native-writing.ts'
import { nexusSequences } from './calls/nexus.ts'
import { rouxSequences } from './calls/roux.ts'
import type { Sequence } from './sequence.ts'

export const SEQUENCES: readonly Sequence[] = [
  ...accessSequences,
  ...nativeReading,
  ...nativeWriting,
  ...rouxSequences,
  ...nexusSequences,
  ...acdcSequences,
  ...cortexSequences,
  ...duskmantleSequences,
]
