import { pendingEffect, type Effect } from '../../core/effects.ts'
import type { QuestionedCall } from '../../core/review/permission.ts'
import { messageRejection } from '../../core/rounds.ts'
import { type Ending, isOver, type Run } from '../../core/run.ts'
import { unblock } from '../../core/block-on-children.ts'
import type { PersonEvent } from '../../core/watch/event.ts'
import { choiceOf } from '../../core/escape-routes.ts'
import { isReason } from '../../core/watch/ladder.ts'
import { excerptOf, type Reason } from '../../core/watch/reason.ts'
import type { Graph } from '../ports.ts'

type Resume = Extract<PersonEvent, { type: 'resume' }>
type Interrupt = Effect & { readonly type: 'interrupt' }

const ANSWERS = ['approved', 'rejected', 'edited', 'stop']

/** Why a command cannot be carried out now; `undefined` if it can. */
export function rejectionOf(
  graph: Pick<Graph, 'machine' | 'tools'>,
  run: Run,
  event: PersonEvent,
  now: number,
): Reason | undefined {
  const { machine } = graph
  if (event.type === 'message') return messageRejection(machine, run, event.input)
  if (event.type === 'cancel') return run.ended && isOver(run) ? endedAlready(run.ended) : undefined
  if (run.ended) return endedAlready(run.ended)
  if (event.type === 'child.ended')
    return unblock(run.pending, event)
      ? undefined
      : { code: 'not-waiting', params: { thread: event.thread } }
  const question = event.effect
  const effect = pendingEffect(run.pending, question)
  if (effect?.type !== 'interrupt') {
    const params = { question, open: openQuestions(run) }
    return !effect && existedBefore(run, question)
      ? { code: 'question-closed', params }
      : { code: 'unknown-question', params }
  }
  if (effect.deadline !== undefined && now >= effect.deadline)
    return { code: 'question-expired', params: { question } }
  if (event.decision === 'stop') return undefined
  if (effect.call?.proposed !== undefined) return permissionRejection(graph, effect.call, event)
  return answerRejection(graph, run, effect, event)
}

/** Why an answer does not fit its question. */
function answerRejection(
  { machine }: Pick<Graph, 'machine'>,
  run: Run,
  effect: Interrupt,
  event: Resume,
): Reason | undefined {
  const { id: question, about, call } = effect
  const expecting = (expected: readonly string[]): Reason => ({
    code: 'wrong-decision',
    params: { question, expected },
  })
  const aboutCall = event.decision === 'applied' || event.decision === 'not-applied'
  if (call && !aboutCall) return expecting(['applied', 'not-applied', 'stop'])
  if (!call && aboutCall)
    return expecting(about ? ['approved', 'rejected', 'fine', 'stop', 'rung'] : ANSWERS)
  if (event.rung !== undefined) {
    const route = choiceOf(machine, run, effect, event)
    return isReason(route)
      ? { code: 'route-unavailable', params: { question, rung: event.rung }, cause: route }
      : undefined
  }
  if (event.decision === 'fine' && !about) return expecting(ANSWERS)
  const { to, output } = event
  if (
    to !== undefined &&
    !machine.can(run.snapshot, { type: 'human.approved', region: effect.region, to })
  )
    return { code: 'unknown-target', params: { question, to } }
  const [fault] =
    about || call || output === undefined
      ? []
      : machine.settle(effect.node, run.snapshot.context, output).faults
  return fault && invalidAnswer(question, `${fault.path} ${fault.message}`)
}

/** New arguments must fit the tool like any others. */
function permissionRejection(
  { tools }: Pick<Graph, 'tools'>,
  { call, tool }: QuestionedCall,
  { decision, output, to, rung }: Resume,
): Reason | undefined {
  const question = `${call}?`
  const known = decision === 'approved' || decision === 'rejected' || decision === 'edited'
  if (!known) return { code: 'wrong-decision', params: { question, expected: ANSWERS } }
  if (to !== undefined || rung !== undefined) return { code: 'only-decision', params: { question } }
  if (decision !== 'edited') return undefined
  if (output === undefined) return { code: 'missing-arguments', params: { question, call: tool } }
  try {
    tools[tool]?.parse(output)
    return undefined
  } catch (error) {
    return invalidAnswer(question, (error as Error).message)
  }
}

function invalidAnswer(question: string, fault: string): Reason {
  return { code: 'invalid-answer', params: { question, fault: excerptOf(fault) } }
}

/** Whether the run has had an effect of this id. */
function existedBefore({ entries }: Run, id: string): boolean {
  const [, state = '', entry] = /^(.*?)#(\d+)/.exec(id) ?? []
  return Number(entry) <= (entries[state] ?? 0)
}

function openQuestions(run: Run): readonly string[] {
  return run.pending.flatMap(({ type, id }) => (type === 'interrupt' ? [id] : []))
}

function endedAlready({ reason }: Ending): Reason {
  return { code: 'thread-ended', params: { reason } }
}
