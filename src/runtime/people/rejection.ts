/** Why a command cannot be carried out now. */
import type { Reason } from '../../core/watch/reason/reason.ts'
import { refusalOfAnswer } from '../../core/review/answers.ts'
import { unblock } from '../../core/questions.ts'
import { messageRejection } from '../../core/rounds.ts'
import { isOver, type Run } from '../../core/run.ts'
import type { PersonEvent } from '../../core/watch/event/event.ts'
import type { Graph } from '../ports.ts'

/** `undefined` if it can. */
export function rejectionOf(
  { machine, tools }: Pick<Graph, 'machine' | 'tools'>,
  run: Run,
  event: PersonEvent,
  now: number,
): Reason | undefined {
  if (event.type === 'message') return messageRejection(machine, run, event.input)
  if (run.ended && (event.type !== 'cancel' || isOver(run)))
    return { code: 'thread-ended', params: { reason: run.ended.reason } }
  if (event.type === 'cancel') return undefined
  if (event.type === 'resume')
    return refusalOfAnswer(run, event, {
      machine,
      now,
      parse: (tool, args) => tools[tool]?.parse(args),
    })
  return unblock(run.pending, event.call)
    ? undefined
    : { code: 'not-waiting', params: { thread: event.thread } }
}
