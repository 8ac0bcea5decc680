/** Which answer fits which question: the one rule for what is offered, what is accepted and what is refused. */
import { type Effect, pendingEffect } from './effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { Run } from './run.ts'
import type { ChosenRung, Decision, PersonEvent } from './watch/event/event.ts'
import type { Json } from './watch/data/json.ts'
import type { FindingKind } from './watch/event/finding.ts'
import { choiceOf } from './escape-routes.ts'
import { isReason } from './watch/escape/rungs.ts'
import { excerptOf, type Reason } from './watch/reason/reason.ts'

export type Asked = Effect & { readonly type: 'interrupt' }

/** A decision; `rung` and `to` choose where an escape leads, `output` is what the person gives with it. */
export interface Answer {
  readonly decision: Decision
  readonly rung?: ChosenRung
  readonly to?: string
  readonly output?: Json
}

/** Of an escape; whether a call took effect (`call`), or may be made (`permission`); of a node. */
export type QuestionKind = 'escape' | 'call' | 'permission' | 'node'

export function kindOf({ about, call }: Asked): QuestionKind {
  if (about) return 'escape'
  if (!call) return 'node'
  return call.proposed === undefined ? 'call' : 'permission'
}

/** Only a repetition can be dismissed: a failure or a limit is a fact. */
const REPEATING: ReadonlySet<FindingKind> = new Set(['loop', 'stall'])

/** The decisions that fit a question. */
export function decisionsFor(asked: Asked): readonly Decision[] {
  const [finding] = asked.about?.because ?? []
  switch (kindOf(asked)) {
    case 'call':
      return ['applied', 'not-applied', 'stop']
    case 'escape':
      return finding && REPEATING.has(finding.kind)
        ? ['approved', 'dismiss', 'rejected', 'stop']
        : ['approved', 'rejected', 'stop']
    default:
      return ['approved', 'rejected', 'edited', 'stop']
  }
}

export interface AnswerTerms {
  readonly machine: AgentMachine
  readonly now: number
  /** Checks the arguments for a tool. @throws where they do not fit */
  readonly parse: (tool: string, args: Json) => unknown
}

/** Why an answer is refused; `undefined` if it is accepted. */
export function refusalOfAnswer(
  run: Run,
  event: Extract<PersonEvent, { type: 'resume' }>,
  terms: AnswerTerms,
): Reason | undefined {
  const asked = pendingEffect(run.pending, event.effect)
  if (asked?.type !== 'interrupt') return notAsked(run, event.effect, asked !== undefined)
  if (asked.deadline !== undefined && terms.now >= asked.deadline)
    return { code: 'question-expired', params: { question: asked.id } }
  const fitting = decisionsFor(asked)
  if (!fitting.includes(event.decision))
    return { code: 'wrong-decision', params: { question: asked.id, expected: fitting } }
  if (event.decision === 'stop') return undefined
  return asked.call?.proposed === undefined
    ? refusalOfWay(run, asked, event, terms)
    : refusalOfPermission(asked.call, event, terms)
}

function notAsked(run: Run, id: string, known: boolean): Reason {
  const open = run.pending.flatMap(({ type, id }) => (type === 'interrupt' ? [id] : []))
  const params = { question: id, open }
  return !known && wasThere(run, id)
    ? { code: 'question-closed', params }
    : { code: 'unknown-question', params }
}

/** Whether the run has had an effect of this id. */
function wasThere({ entries }: Run, id: string): boolean {
  const [, state = '', entry] = /^(.*?)#(\d+)/.exec(id) ?? []
  return Number(entry) <= (entries[state] ?? 0)
}

function refusalOfWay(
  run: Run,
  asked: Asked,
  { rung, to, output }: Omit<Answer, 'decision'>,
  { machine }: AnswerTerms,
): Reason | undefined {
  if (rung !== undefined) {
    const route = choiceOf(machine, run, asked, { rung, to })
    return isReason(route)
      ? { code: 'route-unavailable', params: { question: asked.id, rung }, cause: route }
      : undefined
  }
  const { id, region } = asked
  if (to !== undefined && !machine.can(run.snapshot, { type: 'human.approved', region, to }))
    return { code: 'unknown-target', params: { question: id, to } }
  if (kindOf(asked) !== 'node' || output === undefined) return undefined
  const [fault] = machine.settle(asked.node, run.snapshot.context, output).faults
  return fault && invalidAnswer(id, `${fault.path} ${fault.message}`)
}

/** Edited arguments must fit the tool like any others. */
function refusalOfPermission(
  { call, tool }: NonNullable<Asked['call']>,
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
