/** Why a command cannot be carried out now. */
import { type Refusal, refusalOfAnswer } from '../../core/review/answer.ts'
import { unblock } from '../../core/block-on-children.ts'
import { messageRejection } from '../../core/rounds.ts'
import { isOver, type Run } from '../../core/run.ts'
import type { PersonEvent } from '../../core/watch/event.ts'
import type { Graph } from '../ports.ts'

/** `undefined` if it can. */
export function rejectionOf(
  { machine, tools }: Pick<Graph, 'machine' | 'tools'>,
  run: Run,
  event: PersonEvent,
  now: number,
): Refusal | undefined {
  if (event.type === 'message') return messageRejection(machine, run, event.input)
<<<<<<< 16995bbbe33776a59a1de789a81b2aed5ddd2ec7
  if (event.type === 'cancel') return run.ended && isOver(run) ? endedAlready(run.ended) : undefined
  if (run.ended) return endedAlready(run.ended)
  if (event.type === 'child.ended')
    return unblock(run.pending, event) ? undefined : `nothing rests on '${event.thread}'`
  const effect = pendingEffect(run.pending, event.effect)
  if (effect?.type !== 'interrupt') {
    const why =
      !effect && existedBefore(run, event.effect)
        ? `'${event.effect}' is closed: it was answered, or its time is over`
        : `nobody is asked '${event.effect}'`
    return `${why}; open questions: ${openQuestions(run) || 'none'}`
  }
  if (effect.deadline !== undefined && now >= effect.deadline)
    return `the time to answer '${event.effect}' is over`
  if (event.decision === 'stop') return undefined
  if (effect.call?.proposed !== undefined) return permissionRejection(graph, effect.call, event)
  const aboutCall = event.decision === 'applied' || event.decision === 'not-applied'
  if (effect.call && !aboutCall)
    return `'${event.effect}' asks whether a call took effect; expected applied, not-applied or stop`
  if (!effect.call && aboutCall)
    return `'${event.effect}' expects ${effect.about ? 'approved, rejected, dismiss, stop, or a way out (rung)' : 'approved, rejected, edited or stop'}`
  if (event.rung !== undefined) {
    const route = choiceOf(machine, run, effect, event)
    return typeof route === 'string'
      ? `'${event.effect}' cannot be answered by ${event.rung}: ${route}`
      : undefined
  }
  if (event.decision === 'dismiss' && !effect.about)
    return `'${event.effect}' is not about a repetition; expected approved, rejected, edited or stop`
  if (
    event.to !== undefined &&
    !machine.can(run.snapshot, { type: 'human.approved', region: effect.region, to: event.to })
  )
    return `'${event.effect}' cannot go on in '${event.to}'; expected the name of a node that works`
  const [fault] =
    effect.about || effect.call || event.output === undefined
      ? []
      : machine.settle(effect.node, run.snapshot.context, event.output).faults
  return fault && `the output of '${event.effect}' does not fit: ${fault.path} ${fault.message}`
}

/** New arguments must fit the tool like any others. */
function permissionRejection(
  { tools }: Pick<Graph, 'tools'>,
  { call, tool }: QuestionedCall,
  { decision, output, to, rung }: Extract<PersonEvent, { type: 'resume' }>,
): string | undefined {
  const known = decision === 'approved' || decision === 'rejected' || decision === 'edited'
  if (!known)
    return `'${call}?' asks whether a call may be made; expected approved, rejected, edited or stop`
  if (to !== undefined || rung !== undefined)
    return `'${call}?' asks about one call, and leads nowhere; expected no other word than a decision`
  if (decision !== 'edited') return undefined
  if (output === undefined)
    return `'${call}?' was answered 'edited' without an output; expected the arguments to call ${tool} with`
  try {
    tools[tool]?.parse(output)
    return undefined
  } catch (error) {
    return `the arguments for '${call}?' do not fit: ${(error as Error).message}`
  }
}

/** Whether the run has had an effect of this id. */
function existedBefore({ entries }: Run, id: string): boolean {
  const [, state = '', entry] = /^(.*?)#(\d+)/.exec(id) ?? []
  return Number(entry) <= (entries[state] ?? 0)
}

function openQuestions(run: Run): string {
  return run.pending.flatMap(({ type, id }) => (type === 'interrupt' ? [id] : [])).join(', ')
}

function endedAlready({ reason }: Ending): string {
  return `the thread has ended (${reason})`
=======
  if (run.ended && (event.type !== 'cancel' || isOver(run)))
    return { code: 'thread-ended', reason: `the thread has ended (${run.ended.reason})` }
  if (event.type === 'cancel') return undefined
  if (event.type === 'resume')
    return refusalOfAnswer(run, event, {
      machine,
      now,
      parse: (tool, args) => tools[tool]?.parse(args),
    })
  return unblock(run.pending, event)
    ? undefined
    : { code: 'child-unknown', reason: `nothing rests on '${event.thread}'` }
>>>>>>> 2930a8c1a5d3b7a7b385e52f16b015fb2e743388
}
