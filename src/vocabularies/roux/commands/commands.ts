import { rouxInit } from './roux-init.ts'
import { rouxServe } from './roux-serve.ts'
import { rouxStatus } from './roux-status.ts'
import { rouxViz } from './roux-viz.ts'

export const rouxCommands = [rouxInit, rouxServe, rouxStatus, rouxViz]
