/** What each compatibility surface must do, by id. A new surface adds its table here. */
import { acdcRequirements } from '../acdc/requirements.ts'
import { cortexRequirements } from '../cortex/requirements.ts'
import { duskmantleRequirements } from '../duskmantle/requirements.ts'
import { keepingRequirements } from '../duskmantle/requirements-keeping.ts'
import { nexusRequirements } from '../nexus/requirements.ts'
import { rouxRequirements } from '../roux/requirements.ts'

export const requirements = {
  acdc: acdcRequirements,
  cortex: cortexRequirements,
  duskmantle: { ...duskmantleRequirements, ...keepingRequirements },
  nexus: nexusRequirements,
  roux: rouxRequirements,
} as const

type Tables = typeof requirements

export type RequirementId = {
  [Surface in keyof Tables & string]: `${Surface}:${keyof Tables[Surface] & string}`
}[keyof Tables & string]
