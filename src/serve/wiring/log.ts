/** Everything that is not an answer goes to stderr: a line for people, or an object for machines. */
import type { LogFormat, LogLevel } from '../config/config.ts'
import type { Log } from './start-serving.ts'

const LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

export interface LogOptions {
  readonly logLevel: LogLevel
  readonly logFormat?: LogFormat
}

export function openLog(
  { logLevel, logFormat = 'pretty' }: LogOptions,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Log {
  const loudest = LEVELS.indexOf(logLevel)
  return (level, message) => {
    if (LEVELS.indexOf(level) > loudest) return
    if (logFormat === 'json') {
      write(`${JSON.stringify({ time: new Date().toISOString(), level, message })}\n`)
    } else write(`cairn: ${level}: ${harmless(message)}\n`)
  }
}

/** What a terminal would obey, out of a name or a text of somebody else's. */
function harmless(message: string): string {
  return message.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\uFFFD')
}
