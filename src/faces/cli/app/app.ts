/** What the command line is given by `main`. */
import type { RecordedTrace } from '../print/trace-text.ts'
import type { TraceFormat } from './choices.ts'
import type { Terminal } from './terminal.ts'
import type { Run } from '../../../core/run.ts'

/** The terminal, the signals, and the environment of a command. */
export interface App extends Terminal {
  /** Aborted when the user interrupts: what runs is cancelled. */
  readonly signal: AbortSignal
  /** Aborted when the process is to go: what runs is left for another one. */
  readonly leave: AbortSignal
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Ms since some moment, in fractions, for measuring. */
  readonly elapsed: () => number
  /** The recorded traces of a file, read one at a time. @throws InvalidTrace; the abort of the signal */
  readonly traces: (file: string, reading: ReadOptions) => AsyncIterable<RecordedTrace>
}

/** How a file of traces is read, and what is to be known of it meanwhile. */
export interface ReadOptions {
  /** Unless the file shows it itself. */
  readonly format?: TraceFormat
  readonly signal: AbortSignal
  /** Called with the bytes of each piece that was read. */
  readonly read: (bytes: number) => void
  /** Called with the kind of each event that was passed over, because it is not known. */
  readonly passed: (kind: string) => void
}

/** A mistake of the user, exit code 2; `hint` is the command or the edit that mends it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly hint: string | undefined
  constructor(
    message: string,
    { hint, ...options }: ErrorOptions & { readonly hint?: string } = {},
  ) {
    super(message, options)
    this.hint = hint
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

/** The exit code of a run. A person who stops it does not count as the escape mechanism. */
export function exitOf({ ended }: Pick<Run, 'ended'>): number {
  if (!ended) return EXIT.waiting
  if (ended.outcome === 'success') return EXIT.goal
  if (ended.outcome === 'cancelled') return EXIT.cancelled
  return ended.outcome === 'stopped' && !ended.reason.startsWith('review.')
    ? EXIT.stopped
    : EXIT.ended
}
