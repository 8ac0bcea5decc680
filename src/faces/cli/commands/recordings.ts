/** Reading recorded traces for a command: its progress, its end, and how it is stopped. */
import { writeText } from '../../../adapters/node/text-file.ts'
import { type App, EXIT } from '../app/app.ts'
import type { RecordedTrace } from '../print/trace-text.ts'
import type { TraceFormat } from '../app/choices.ts'
import type { Block } from '../print/layout.ts'
import { progressText, skippedText, tracesText } from '../print/progress.ts'

export interface Recordings {
  readonly traces: () => AsyncGenerator<RecordedTrace>
  /** Hands the lines to `--out`, or prints them; then, unless it was stopped, prints `last`. Returns the exit code. */
  readonly tell: (
    lines: AsyncIterable<string>,
    out: string | undefined,
    last: () => readonly Block[],
  ) => Promise<number>
}

/** Ms between two looks at how far it is. */
const EACH = 250

/** Kinds that are told apart: what somebody else wrote may have as many as it has events. */
const KINDS_MAX = 1000

export function recordingsOf(
  app: App,
  files: readonly string[],
  format: TraceFormat | undefined,
): Recordings {
  const so = { traces: 0, bytes: 0 }
  const passed = new Map<string, number>()
  const since = app.elapsed()
  let shown = since
  return { traces, tell }

  async function* traces(): AsyncGenerator<RecordedTrace> {
    const signal = AbortSignal.any([app.signal, app.leave])
    for (const file of files) {
      for await (const trace of app.traces(file, {
        ...(format ? { format } : {}),
        signal,
        read,
        passed: pass,
      })) {
        so.traces++
        yield trace
      }
    }
  }

  async function tell(
    lines: AsyncIterable<string>,
    out: string | undefined,
    last: () => readonly Block[],
  ): Promise<number> {
    try {
      if (out === undefined) for await (const line of lines) app.out(line)
      else await writeText(out, lines, files)
    } catch (error) {
      if (!app.signal.aborted && !app.leave.aborted) throw error
      app.err(
        `stopped after ${tracesText(so.traces)}${out === undefined ? '' : `; ${out} was not written`}\n`,
      )
      return app.leave.aborted ? EXIT.terminated : EXIT.cancelled
    }
    app.err(skippedText(passed))
    app.note(last())
    return EXIT.goal
  }

  function pass(kind: string): void {
    const known = passed.size < KINDS_MAX || passed.has(kind) ? kind : 'others'
    passed.set(known, (passed.get(known) ?? 0) + 1)
  }

  function read(bytes: number): void {
    so.bytes += bytes
    const now = app.elapsed()
    if (now - shown < EACH) return
    shown = now
    app.status(progressText(so, now - since))
  }
}
