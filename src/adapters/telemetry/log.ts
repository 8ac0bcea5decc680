/** The log of a service: lines of JSON with a level. Secrets are redacted before a line is written. */
import { pino } from 'pino'
import type { LiveRow, LiveRows } from '../../runtime/ports.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

type Fields = Readonly<Record<string, unknown>>

/** Writes lines of one level and above. */
export interface Log {
  readonly debug: (message: string, fields?: Fields) => void
  readonly info: (message: string, fields?: Fields) => void
  readonly warn: (message: string, fields?: Fields) => void
  readonly error: (message: string, fields?: Fields) => void
}

/** @example createLog({ level: 'info', write: line => process.stderr.write(line), redact }).info('listening', { url }) */
export function createLog(options: {
  readonly level: LogLevel
  readonly write: (line: string) => void
  /** Redacts secrets in fields and messages. */
  readonly redact: <T>(value: T) => T
}): Log {
  const { level, write, redact } = options
  const logger = pino(
    {
      level,
      base: { name: 'escapement' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
    },
    { write },
  )
  const at =
    (name: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: Fields = {}) => {
      if (logger.isLevelEnabled(name)) logger[name](redact(fields), redact(message))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Logs the escapes, failures and ends of driven threads, and at level `debug` each event. */
export function logRows(log: Log, { thread, graph, items }: LiveRows): void {
  for (const { row } of items) logRow(log, { thread, graph }, row)
}

function logRow(log: Log, of: Fields, { seq, event, findings, verdict, ended }: LiveRow['row']) {
  const at = { ...of, seq }
  log.debug('event', { ...at, type: event.type })
  for (const { detector, kind, reason } of findings)
    log.warn('finding', { ...at, detector, kind, code: reason.code })
  if (verdict.kind === 'escape') {
    const { rung, by = rung, ...route } = verdict.route
    log.warn('escape', { ...at, rung: by, ...route })
  }
  if (event.type === 'circuit.opened')
    log.warn('breaker opened', { ...at, resource: event.subject, failures: event.failures })
  if (!ended) return
  const { outcome, reason } = ended
  log[outcome === 'error' ? 'error' : 'info']('ended', { ...at, outcome, reason })
}
