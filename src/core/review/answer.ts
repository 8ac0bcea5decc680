/** Which answer fits which question: the one rule for what is offered, what is accepted and what is refused. */
import { type Effect, pendingEffect } from '../effects.ts'
import type { AgentMachine } from '../graph/agent-machine.ts'
import type { Run } from '../run.ts'
import type { ChosenRung, Decision, PersonEvent } from '../watch/event.ts'
import type { Json } from '../watch/json.ts'
import type { FindingKind } from '../watch/finding.ts'
import { choiceOf } from '../escape-routes.ts'
import { explain } from '../watch/catalog.ts'
import { isReason } from '../watch/rungs.ts'

export type Asked = Effect & { readonly type: 'interrupt' }

/** A decision; `rung` and `to` choose where an escape leads, `output` is what the person gives with it. */
export interface Answer {
  readonly decision: Decision
  readonly rung?: ChosenRung
  readonly to?: string
  readonly output?: Json
}

/** Why a command changes nothing. */
export interface Refusal {
  /** In kebab-case, for programs. */
  readonly code: string
  /** For people: what was refused, and what is expected. */
  readonly reason: string
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
): Refusal | undefined {
  const asked = pendingEffect(run.pending, event.effect)
  if (asked?.type !== 'interrupt') return notAsked(run, event.effect, asked !== undefined)
  if (asked.deadline !== undefined && terms.now >= asked.deadline)
    return { code: 'answer-late', reason: `the time to answer '${asked.id}' is over` }
  const fitting = decisionsFor(asked)
  if (!fitting.includes(event.decision)) return unfit(asked, fitting)
  if (event.decision === 'stop') return undefined
  return asked.call?.proposed === undefined
    ? refusalOfWay(run, asked, event, terms)
    : refusalOfPermission(asked.call, event, terms)
}

function notAsked(run: Run, id: string, known: boolean): Refusal {
  const open = run.pending.flatMap(({ type, id }) => (type === 'interrupt' ? [id] : []))
  const others = `open questions: ${open.join(', ') || 'none'}`
  return !known && wasThere(run, id)
    ? {
        code: 'question-closed',
        reason: `'${id}' is closed: it was answered, or its time is over; ${others}`,
      }
    : { code: 'question-unknown', reason: `nobody is asked '${id}'; ${others}` }
}

/** Whether the run has had an effect of this id. */
function wasThere({ entries }: Run, id: string): boolean {
  const [, state = '', entry] = /^(.*?)#(\d+)/.exec(id) ?? []
  return Number(entry) <= (entries[state] ?? 0)
}

const ABOUT: Readonly<Record<QuestionKind, string>> = {
  call: 'asks whether a call took effect',
  permission: 'asks whether a call may be made',
  escape: 'asks for a way out',
  node: 'is asked by a node',
}

function unfit(asked: Asked, fitting: readonly Decision[]): Refusal {
  const expected = `${fitting.slice(0, -1).join(', ')} or ${fitting.at(-1)}`
  return {
    code: 'decision-unfit',
    reason: `'${asked.id}' ${ABOUT[kindOf(asked)]}; expected ${expected}`,
  }
}

function refusalOfWay(
  run: Run,
  asked: Asked,
  { rung, to, output }: Omit<Answer, 'decision'>,
  { machine }: AnswerTerms,
): Refusal | undefined {
  if (rung !== undefined) {
    const route = choiceOf(machine, run, asked, { rung, to })
    return isReason(route)
      ? {
          code: 'rung-unfit',
          reason: `'${asked.id}' cannot be answered by ${rung}: ${explain(route)}`,
        }
      : undefined
  }
  const { id, region } = asked
  if (to !== undefined && !machine.can(run.snapshot, { type: 'human.approved', region, to }))
    return {
      code: 'target-unknown',
      reason: `'${id}' cannot go on in '${to}'; expected the name of a node that works`,
    }
  if (kindOf(asked) !== 'node' || output === undefined) return undefined
  const [fault] = machine.settle(asked.node, run.snapshot.context, output).faults
  return fault && outputUnfit(`the output of '${id}' does not fit: ${fault.path} ${fault.message}`)
}

/** Edited arguments must fit the tool like any others. */
function refusalOfPermission(
  { call, tool }: NonNullable<Asked['call']>,
  { decision, output, to, rung }: Answer,
  { parse }: AnswerTerms,
): Refusal | undefined {
  if (to !== undefined || rung !== undefined)
    return {
      code: 'target-unknown',
      reason: `'${call}?' asks about one call, and leads nowhere; expected only a decision`,
    }
  if (decision !== 'edited') return undefined
  if (output === undefined)
    return outputUnfit(
      `'${call}?' was answered 'edited' without an output; expected the arguments to call ${tool} with`,
    )
  try {
    parse(tool, output)
    return undefined
  } catch (error) {
    return outputUnfit(`the arguments for '${call}?' do not fit: ${(error as Error).message}`)
  }
}

function outputUnfit(reason: string): Refusal {
  return { code: 'output-unfit', reason }
}
