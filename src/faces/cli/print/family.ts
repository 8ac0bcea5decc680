/** The family of a thread: its parent and its children. */
import { originOf } from '../../../core/fork.ts'
import type { Row, Run } from '../../../core/run.ts'
import { type Block, dim, type Span } from './layout.ts'
import { section } from './report.ts'

/** Children that are listed; the others are counted. */
const NAMED = 20

export function familyBlocks(run: Run, rows: readonly Row[]): readonly Block[] {
  const { parent } = run
  const item = parent?.item ? `, for item ${parent.item.index + 1} of ${parent.item.of}` : ''
  const children = childrenIn(run, rows)
  const done = children.filter(({ outcome }) => outcome === 'success').length
  const all = dim(`${children.length - NAMED} more; ${done} of all ${children.length} succeeded`)
  return [
    ...section('parent', parent ? [[`${parent.thread}, event ${parent.seq}${item}`]] : []),
    ...section('children', [
      ...children.slice(0, NAMED).map(childText),
      ...(children.length > NAMED ? [[all]] : []),
    ]),
  ]
}

function childText({ thread, graph, outcome, reason, of }: Child): readonly Span[] {
  if (outcome !== null) return [`${thread} (${graph}) ${outcome}: ${reason}`]
  return [
    `${thread} (${graph}) ${of === null ? 'has not ended' : `belongs to ${of}, and continues there`}`,
  ]
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
