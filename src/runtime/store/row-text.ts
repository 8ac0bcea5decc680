/** Rows as text, as databases keep them. */
import type { Row } from '../../core/run/run.ts'
import { CONTINUE } from '../../core/watch/escape/ladder.ts'
import { StoreUnavailable } from './store.ts'

/** A row as text, without the default values. They would be a fifth of a journal. */
export function textOfRow({ findings, verdict, edges, ...row }: Row): string {
  return JSON.stringify({
    ...row,
    findings: findings.length > 0 ? findings : undefined,
    verdict: verdict.kind === 'continue' ? undefined : verdict,
    edges: edges.length > 0 ? edges : undefined,
  })
}

export const damagedError = (what: string) =>
  new StoreUnavailable(`${what} is damaged: it is missing or malformed`)

/** The value of a text. @throws StoreUnavailable if it is not JSON */
export function parseText<T>(text: string, what: string): T {
  try {
    return JSON.parse(text)
  } catch {
    throw damagedError(what)
  }
}

export const eventName = (thread: string, seq: number) =>
  `event ${seq} in the journal of '${thread}'`

export const checkpointName = (thread: string, seq: number) =>
  `the checkpoint of '${thread}' at event ${seq}`

export const commandName = (thread: string, command: string) =>
  `the command '${command}' to '${thread}'`

/** Whether a stored text is the state of a command. */
export const isCommandState = (state: string): state is 'waiting' | 'done' | 'refused' =>
  state === 'waiting' || state === 'done' || state === 'refused'

/** The consecutive rows of a thread. `parse` reads one line. @throws StoreUnavailable if a row is missing or malformed */
export function parseRows<Line>(
  { thread, first }: { readonly thread: string; readonly first: number },
  lines: readonly Line[],
  parse: (line: Line, what: string) => unknown,
): readonly Row[] {
  return lines.map((line, index) => {
    const what = eventName(thread, first + index)
    const row = parse(line, what) as (Pick<Row, 'seq' | 'event'> & Partial<Row>) | null
    const valid = typeof row?.event?.type === 'string' && Number.isFinite(row.event.at)
    if (!valid || row.seq !== first + index) throw damagedError(what)
    const { seq, event, findings = [], verdict = CONTINUE, edges = [], ...more } = row
    return { seq, event, findings, verdict, edges, ...more }
  })
}
