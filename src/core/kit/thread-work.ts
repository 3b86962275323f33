/**
 * Processor time of a thread: what it has done, whoever else is busy meanwhile. The clock says
 * nothing of that on a machine with more to do than processors.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { orElse } from './or-else.ts'

/** The system's number of the calling thread, by which others of the process ask; 0 where there is none. */
export function threadNumber(): number {
  if (process.platform !== 'linux') return 0
  return orElse(() => Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 0)
}

/** Of a thread of this process; undefined where the system does not tell. */
export function workOfThread(number: number): number | undefined {
  if (number === 0) return undefined
  return orElse(() => {
    const said = readFileSync(`/proc/self/task/${number}/stat`, 'utf8')
    // Behind its name, in which may be anything; counted in hundredths of a second.
    const fields = said.slice(said.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }, undefined)
}

/** Of the calling thread; where nobody tells, no less than it can have been. */
export function ownWork(): () => number {
  const measured = process.threadCpuUsage
  if (measured) return since(() => inMs(measured.call(process)))
  const number = threadNumber()
  if (workOfThread(number) !== undefined) return since(() => workOfThread(number) ?? 0)
  const [passed, spent] = [since(() => performance.now()), since(workOfProcess)]
  return () => Math.min(passed(), spent())
}

/** Of all threads together. */
export function workOfProcess(): number {
  return inMs(process.cpuUsage())
}

function since(now: () => number): () => number {
  const began = now()
  return () => now() - began
}

function inMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}
