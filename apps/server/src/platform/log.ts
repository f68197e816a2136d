import { type Logger, pino } from 'pino'

export type Log = Logger

/** JSON lines. Bodies and headers are never logged, so no secret can appear. */
export function createLog(options: { level: string; destination?: NodeJS.WritableStream }): Log {
  const settings = { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return options.destination ? pino(settings, options.destination) : pino(settings)
}
