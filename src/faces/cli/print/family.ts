/** The family of a thread: who has started it, and whom it has started. */
import type { Row, Run } from '../../../core/run.ts'
import type { Stamped } from '../../../core/watch/event.ts'

/** Children that are named; of the others there is a number. */
const NAMED = 20

export function familyText(run: Run, rows: readonly Row[]): readonly string[] {
  const { parent } = run
  const above = parent ? [`  parent: ${parent.thread}, event ${parent.seq}${parent.item ? `, for item ${parent.item.index + 1} of ${parent.item.of}` : ''}`] : []
  const children = childrenIn(rows)
  const named = children
    .slice(0, NAMED)
    .map(({ thread, graph, outcome, reason }) => `  child: ${thread} (${graph}) ${outcome === null ? 'has not ended' : `${outcome}: ${reason}`}`)
  const more =
    children.length > NAMED ? [`  … and ${children.length - NAMED} more children; of all ${children.filter(({ outcome }) => outcome === 'success').length} have succeeded`] : []
  return [...above, ...named, ...more]
}

/** `outcome` is null while it goes on. */
export interface Child {
  readonly thread: string
  readonly graph: string
  readonly seq: number
  readonly outcome: string | null
  readonly reason: string | null
}

/** The threads that a thread has started, in that order. */
export function childrenIn(rows: readonly Row[]): readonly Child[] {
  const ends = new Map(rows.flatMap(({ event }) => (event.type === 'child.done' ? [[event.thread, event] as const] : [])))
  return rows.flatMap(({ seq, event }) => (event.type === 'child.started' ? [childOf(seq, event, ends.get(event.thread))] : []))
}

function childOf(seq: number, { thread, subject }: Extract<Stamped, { type: 'child.started' }>, end: Extract<Stamped, { type: 'child.done' }> | undefined): Child {
  return { thread, graph: subject, seq, outcome: end?.outcome ?? null, reason: end?.reason ?? null }
}
