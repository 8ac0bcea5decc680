/** The family of a thread: who has started it, and whom it has started. */
import { originOf } from '../../../core/fork.ts'
import type { Row, Run } from '../../../core/run.ts'

/** Children that are named; of the others there is a number. */
const NAMED = 20

export function familyText(run: Run, rows: readonly Row[]): readonly string[] {
  const { parent } = run
  const above = parent
    ? [
        `  parent: ${parent.thread}, event ${parent.seq}${parent.item ? `, for item ${parent.item.index + 1} of ${parent.item.of}` : ''}`,
      ]
    : []
  const children = childrenIn(run, rows)
  const named = children
    .slice(0, NAMED)
    .map(
      ({ thread, graph, outcome, reason, of }) =>
        `  child: ${thread} (${graph}) ${outcome === null ? (of === null ? 'has not ended' : `is ${of}'s, and goes on there`) : `${outcome}: ${reason}`}`,
    )
  const more =
    children.length > NAMED
      ? [
          `  … and ${children.length - NAMED} more children; of all ${children.filter(({ outcome }) => outcome === 'success').length} have succeeded`,
        ]
      : []
  return [...above, ...named, ...more]
}

/** `outcome` is null as long as the thread has not heard of its end. */
export interface Child {
  readonly thread: string
  readonly graph: string
  readonly seq: number
  readonly outcome: string | null
  readonly reason: string | null
  /** In a fork: the thread that started it, where that was another one; null: this one did. */
  readonly of: string | null
}

/** The threads that a thread has started, in that order. */
export function childrenIn(run: Run, rows: readonly Row[]): readonly Child[] {
  const ends = new Map(
    rows.flatMap(({ event }) =>
      event.type === 'child.done' ? [[event.thread, event] as const] : [],
    ),
  )
  return rows.flatMap(({ seq, event }) => {
    if (event.type !== 'child.started') return []
    const { thread, subject } = event
    const end = ends.get(thread)
    return [
      {
        thread,
        graph: subject,
        seq,
        outcome: end?.outcome ?? null,
        reason: end?.reason ?? null,
        of: originOf(run, seq) ?? null,
      },
    ]
  })
}
