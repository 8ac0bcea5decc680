/** The calls of a thread that have no answer yet, as lines at the end of its timeline. */
import { pendingEffect } from '../../../core/run/effects.ts'
import type { Row, Run } from '../../../core/run/run.ts'
import type { Stamped } from '../../../core/watch/event/event.ts'
import { durationText } from '../../../core/watch/data/duration.ts'
import { type Blocks, dim } from './layout.ts'
import { callText, excerpt, nodeOf } from './line.ts'

type Called = Extract<Stamped, { readonly type: 'tool.called' | 'model.called' }>

/** Their process may work on them, or have been killed. */
export function openCallBlocks(run: Run, rows: readonly Row[], width: number): Blocks {
  return openCalls(run, rows).map(({ seq, event }) => {
    const elapsed = durationText(event.at - run.startedAt).padStart(7)
    const node = (nodeOf(event) ?? '').padEnd(width)
    const of = event.type === 'tool.called' ? callText(event.subject, event.args) : event.subject
    return [
      dim(`${String(seq).padStart(5)} ${elapsed}  `),
      `${node}  ${excerpt(of)}: called, no answer yet`,
    ]
  })
}

interface OpenCall {
  readonly seq: number
  readonly event: Called
}

/** Only of nodes that the run has not left: nothing waits for the answers of the others. */
function openCalls({ pending }: Run, rows: readonly Row[]): readonly OpenCall[] {
  const open = new Map<string, OpenCall>()
  for (const { seq, event } of rows) {
    if (isCalled(event)) open.set(event.call, { seq, event })
    else if (ANSWERS.has(event.type) && 'call' in event) open.delete(event.call)
    else if (event.type === 'turn.left' || event.type === 'turn.started')
      // Its process does not wait for them any more.
      for (const [call, { event: called }] of open)
        if (called.effect === event.effect) open.delete(call)
  }
  return [...open.values()].filter(({ event }) => pendingEffect(pending, event.effect))
}

const isCalled = (event: Stamped): event is Called =>
  event.type === 'tool.called' || event.type === 'model.called'

const ANSWERS: ReadonlySet<Stamped['type']> = new Set<Stamped['type']>([
  'tool.done',
  'tool.failed',
  'model.done',
  'model.failed',
  'call.late',
  'call.reconciled',
])
