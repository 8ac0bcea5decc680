/** Reading recorded traces for a command: what is told meanwhile and at the end, and how it is stopped. */
import type { App, RecordedTrace } from '../app.ts'
import type { TraceFormat } from '../choices.ts'
import { EXIT } from '../exit.ts'
import { ERASE, progressText, skippedText, tracesText } from '../print/progress.ts'

export interface Recordings {
  /** Says things in such a way that how far it is does not stand between them. */
  readonly app: App
  readonly traces: () => AsyncGenerator<RecordedTrace>
  /** Hands the lines to `--out`, or prints them; then, unless it was stopped, says the last word. Returns the exit code. */
  readonly tell: (
    lines: AsyncIterable<string>,
    out: string | undefined,
    last: () => string,
  ) => Promise<number>
}

/** Ms between two looks at how far it is. */
const EACH = 250

/** Kinds that are told apart: what somebody else wrote may have as many as it has events. */
const KINDS_MAX = 1000

export function recordingsOf(
  given: App,
  files: readonly string[],
  format: TraceFormat | undefined,
): Recordings {
  const so = { traces: 0, bytes: 0 }
  const passed = new Map<string, number>()
  const since = given.elapsed()
  let shown = since
  let standing = false
  const app = { ...given, out: alone(given.out), err: alone(given.err) }
  return { app, traces, tell }

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
    last: () => string,
  ): Promise<number> {
    try {
      if (out === undefined) for await (const line of lines) app.out(line)
      else await app.writeText(out, lines, files)
    } catch (error) {
      if (!app.signal.aborted && !app.leave.aborted) throw error
      app.err(
        `stopped after ${tracesText(so.traces)}${out === undefined ? '' : `; ${out} was not written`}\n`,
      )
      return app.leave.aborted ? EXIT.terminated : EXIT.cancelled
    } finally {
      app.err('')
    }
    app.err(`${skippedText(passed)}${last()}`)
    return EXIT.goal
  }

  function pass(kind: string): void {
    const known = passed.size < KINDS_MAX || passed.has(kind) ? kind : 'others'
    passed.set(known, (passed.get(known) ?? 0) + 1)
  }

  function read(bytes: number): void {
    so.bytes += bytes
    const now = given.elapsed()
    if (!given.tty || now - shown < EACH) return
    shown = now
    standing = true
    given.err(`${ERASE}${progressText(so, now - since)}`)
  }

  function alone(say: (text: string) => void): (text: string) => void {
    return text => {
      if (standing) given.err(ERASE)
      standing = false
      if (text !== '') say(text)
    }
  }
}
