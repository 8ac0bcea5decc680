/** Which answer fits which question: the single rule for the answers that are offered, accepted and refused. */
import { type Interrupt, pendingEffect } from './effects.ts'
import { choiceOf } from './escape-routes.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { Run } from './run.ts'
import type { Json } from './watch/data/json.ts'
import { isReason } from './watch/escape/rungs.ts'
import type { ChosenRung, Decision, EventOf } from './watch/event/event.ts'
import { excerptOf, type Reason } from './watch/reason/reason.ts'

/** A decision. `rung` and `to` choose an escape route, `output` is the data that the person supplies. */
export interface Answer {
  readonly decision: Decision
  readonly rung?: ChosenRung
  readonly to?: string
  readonly output?: Json
}

/** About an escape, the outcome of a call (`call`), the approval of a call (`permission`), or asked by a node. */
export type QuestionKind = 'escape' | 'call' | 'permission' | 'node'

export function kindOf({ about, call }: Interrupt): QuestionKind {
  if (about) return 'escape'
  if (!call) return 'node'
  return call.proposed === undefined ? 'call' : 'permission'
}

/** The decisions that fit a question. Only a repetition can be dismissed: a failure or a limit is a fact. */
export function decisionsFor(asked: Interrupt): readonly Decision[] {
  const kind = kindOf(asked)
  if (kind === 'call') return ['applied', 'not-applied', 'stop']
  if (kind !== 'escape') return ['approved', 'rejected', 'edited', 'stop']
  const finding = asked.about?.because[0]?.kind
  return finding === 'loop' || finding === 'stall'
    ? ['approved', 'dismiss', 'rejected', 'stop']
    : ['approved', 'rejected', 'stop']
}

export interface AnswerTerms {
  readonly machine: AgentMachine
  readonly now: number
  /** Checks the arguments for a tool. @throws if they do not fit */
  readonly parse: (tool: string, args: Json) => unknown
}

/** Why an answer is refused. Returns `undefined` if it is accepted. */
export function refusalOfAnswer(
  run: Run,
  event: EventOf<'resume'>,
  terms: AnswerTerms,
): Reason | undefined {
  const asked = pendingEffect(run.pending, event.effect)
  if (asked?.type !== 'interrupt') return notAsked(run, event.effect, asked !== undefined)
  const question = asked.id
  if (asked.deadline !== undefined && terms.now >= asked.deadline)
    return { code: 'question-expired', params: { question } }
  const expected = decisionsFor(asked)
  if (!expected.includes(event.decision))
    return { code: 'wrong-decision', params: { question, expected } }
  if (event.decision === 'stop') return undefined
  return asked.call?.proposed === undefined
    ? refusalOfRoute(run, asked, event, terms)
    : refusalOfPermission(asked.call, event, terms)
}

function notAsked({ pending, entries }: Run, question: string, known: boolean): Reason {
  const open = pending.flatMap(({ type, id }) => (type === 'interrupt' ? [id] : []))
  const [, state = '', entry] = /^(.*?)#(\d+)/.exec(question) ?? []
  const wasAsked = !known && Number(entry) <= (entries[state] ?? 0)
  return { code: wasAsked ? 'question-closed' : 'unknown-question', params: { question, open } }
}

function refusalOfRoute(
  run: Run,
  asked: Interrupt,
  { rung, to, output }: Omit<Answer, 'decision'>,
  { machine }: AnswerTerms,
): Reason | undefined {
  const { id: question, region, node } = asked
  if (rung !== undefined) {
    const cause = choiceOf(machine, run, asked, { rung, to })
    if (!isReason(cause)) return undefined
    return { code: 'route-unavailable', params: { question, rung }, cause }
  }
  if (to !== undefined && !machine.can(run.snapshot, { type: 'human.approved', region, to }))
    return { code: 'unknown-target', params: { question, to } }
  if (kindOf(asked) !== 'node' || output === undefined) return undefined
  const [fault] = machine.settle(node, run.snapshot.context, output).faults
  return fault && invalidAnswer(question, `${fault.path} ${fault.message}`)
}

/** Edited arguments must pass the checks of the tool. */
function refusalOfPermission(
  { call, tool }: NonNullable<Interrupt['call']>,
  { decision, output, to, rung }: Answer,
  { parse }: AnswerTerms,
): Reason | undefined {
  const question = `${call}?`
  if (to !== undefined || rung !== undefined) return { code: 'only-decision', params: { question } }
  if (decision !== 'edited') return undefined
  if (output === undefined) return { code: 'missing-arguments', params: { question, call: tool } }
  try {
    parse(tool, output)
    return undefined
  } catch (error) {
    return invalidAnswer(question, (error as Error).message)
  }
}

function invalidAnswer(question: string, fault: string): Reason {
  return { code: 'invalid-answer', params: { question, fault: excerptOf(fault) } }
}
