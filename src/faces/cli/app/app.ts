/** What `main` passes to the command line. */
import type { ReadOptions, readTraces } from '../../../adapters/trace/traces.ts'
import type { Run } from '../../../core/run.ts'
import type { Terminal } from './terminal.ts'

/** The terminal, the signals, and the environment of a command. */
export interface App extends Terminal {
  /** Aborted when the user interrupts. The command cancels what it runs. */
  readonly signal: AbortSignal
  /** Aborted when the process must exit. Another process can continue what this one ran. */
  readonly leave: AbortSignal
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A monotonic time in ms, with fractions. */
  readonly elapsed: () => number
  readonly traces: typeof readTraces
}

export const TRACE_FORMATS = ['trace', 'langgraph', 'openai', 'ai-sdk', 'otel'] as const
export type TraceFormat = NonNullable<ReadOptions['format']>

/** A mistake of the user, exit code 2; `hint` is the command or the edit that fixes it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly hint: string | undefined
  constructor(message: string, options: ErrorOptions & { readonly hint?: string } = {}) {
    super(message, options)
    this.hint = options.hint
  }
}

/** The exit codes, as documented in docs/cli.md. */
export const EXIT = {
  goal: 0,
  ended: 1,
  usage: 2,
  waiting: 3,
  stopped: 4,
  busy: 5,
  cancelled: 130,
  terminated: 143,
} as const

/** The exit code of a run. A stop by a person does not count as a stop by the escape mechanism. */
export function exitOf({ ended }: Pick<Run, 'ended'>): number {
  if (!ended) return EXIT.waiting
  if (ended.outcome === 'success') return EXIT.goal
  if (ended.outcome === 'cancelled') return EXIT.cancelled
  const stopped = ended.outcome === 'stopped' && !ended.reason.startsWith('review.')
  return stopped ? EXIT.stopped : EXIT.ended
}

/** A command on a thread or a file. Returns the exit code. */
export type Perform<Options> = (app: App, subject: string, options: Options) => Promise<number>

/** Prints a result as a line of JSON, or as blocks. */
export function printResult(
  app: App,
  { json }: { readonly json?: boolean },
  value: unknown,
  blocks: () => Parameters<App['print']>[0],
): number {
  if (json) app.out(`${JSON.stringify(value)}\n`)
  else app.print(blocks())
  return EXIT.goal
}
