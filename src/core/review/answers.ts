/** Answers to questions: the single rule for which ones fit and why others are refused, and where each one leads. */
import { advance } from '../advance.ts'
import { type Interrupt, pendingEffect, type QuestionedCall } from '../run/effects.ts'
import { choiceOf, MachineRoutes } from '../escape-routes.ts'
import type { AgentMachine } from '../graph/agent-machine.ts'
import type { EffectContext } from '../interpretation.ts'
import type { Ending, Run } from '../run/run.ts'
import type { Json } from '../watch/data/json.ts'
import { isReason } from '../watch/escape/rungs.ts'
import type { ChosenRung, Decision, EventOf, Stamped } from '../watch/event/event.ts'
import { excerptOf, type Reason } from '../watch/reason/reason.ts'
import { type AnsweredCall, callAfter } from './call-outcome.ts'

/** A decision. `rung` and `to` choose an escape route, `output` is the data that the person supplies. */
export type Answer = Readonly<{ decision: Decision; rung?: ChosenRung; to?: string; output?: Json }>

/** About an escape, the outcome of a call (`call`), the approval of a call (`permission`), restricted mode, or asked by a node. */
export type QuestionKind = 'escape' | 'call' | 'permission' | 'restriction' | 'node'

export function kindOf({ about, call, restricts }: Interrupt): QuestionKind {
  if (about) return 'escape'
  if (restricts) return 'restriction'
  if (!call) return 'node'
  return call.proposed === undefined ? 'call' : 'permission'
}

/**
 * The decisions that fit a question. A node takes an edit only if it has an edge for it. Only a repetition can be dismissed: a
 * failure or a limit is a fact.
 */
export function decisionsFor({ machine, run, effect: asked }: Asked): readonly Decision[] {
  const kind = kindOf(asked)
  const { region } = asked
  if (kind === 'call') return ['applied', 'not-applied', 'stop']
  if (kind === 'restriction') return ['approved', 'stop']
  if (kind === 'node' && !machine.can(run.snapshot, { type: 'human.edited', region }))
    return ['approved', 'rejected', 'stop']
  if (kind !== 'escape') return ['approved', 'rejected', 'edited', 'stop']
  const finding = asked.about?.because[0]?.kind
  return finding === 'loop' || finding === 'stall'
    ? ['approved', 'dismiss', 'rejected', 'stop']
    : ['approved', 'rejected', 'stop']
}

type Asked = EffectContext<Interrupt>
type Resume = EventOf<'resume'>
type Refusal = Reason | undefined

export interface AnswerOptions {
  readonly machine: AgentMachine
  readonly now: number
  /** Checks the arguments for a tool. @throws if they do not fit */
  readonly parse: (tool: string, args: Json) => unknown
  /** Checks the result of a call of a tool. @throws if it does not fit */
  readonly checkResult: (tool: string, result: Json) => void
}

/** Why an answer is refused. Returns `undefined` if it is accepted. */
export function refusalOfAnswer(run: Run, event: Resume, options: AnswerOptions): Refusal {
  const asked = pendingEffect(run.pending, event.effect)
  if (asked?.type !== 'interrupt') return notAsked(run, event.effect, asked !== undefined)
  const question = asked.id
  if (asked.deadline !== undefined && options.now >= asked.deadline)
    return { code: 'question-expired', params: { question } }
  const context: Asked = { machine: options.machine, run, effect: asked }
  const expected = decisionsFor(context)
  if (!expected.includes(event.decision))
    return { code: 'wrong-decision', params: { question, expected } }
  const unused = unusedFields(kindOf(asked), event)
  if (unused.length > 0)
    return { code: 'only-decision', params: { question, decision: event.decision, unused } }
  return asked.call ? refusalOfOutput(asked.call, event, options) : refusalOfRoute(context, event)
}

/** The fields of an answer that its decision does not use. A person must not take an ignored field for an applied one. */
function unusedFields(kind: QuestionKind, answer: Resume): readonly string[] {
  const { decision, rung } = answer
  const takesRoute = kind === 'escape' && decision === 'approved'
  const used = {
    rung: takesRoute,
    to: takesRoute && rung !== 'rollback',
    output: kind === 'node' ? decision !== 'stop' : decision === 'edited' || decision === 'applied',
  }
  const fields = ['rung', 'to', 'output'] as const
  return fields.filter(field => answer[field] !== undefined && !used[field])
}

function notAsked({ pending, entries }: Run, question: string, known: boolean): Reason {
  const open = pending.flatMap(({ type, id }) => (type === 'interrupt' ? [id] : []))
  const [, state = '', entry] = /^(.*?)#(\d+)/.exec(question) ?? []
  const wasAsked = !known && Number(entry) <= (entries[state] ?? 0)
  return { code: wasAsked ? 'question-closed' : 'unknown-question', params: { question, open } }
}

function refusalOfRoute(context: Asked, answer: Resume): Refusal {
  const { machine, run, effect } = context
  const { rung, to, output } = answer
  const { id: question, region, node } = effect
  if (rung !== undefined) {
    const cause = choiceOf(context, { rung, to })
    if (!isReason(cause)) return undefined
    return { code: 'route-unavailable', params: { question, rung }, cause }
  }
  if (to !== undefined && !machine.can(run.snapshot, { type: 'human.approved', region, to }))
    return { code: 'unknown-target', params: { question, to } }
  if (output === undefined) return undefined
  const [fault] = machine.applyOutput(node, run.snapshot.context, output).faults
  return fault && invalidAnswer(question, `${fault.path} ${fault.message}`)
}

/** Edited arguments, and the result of a call that took effect, must pass the checks of the tool. */
function refusalOfOutput(asked: QuestionedCall, answer: Resume, options: AnswerOptions): Refusal {
  const { tool, child } = asked
  const { decision, output, effect: question } = answer
  if (decision === 'edited' && output === undefined)
    return { code: 'missing-arguments', params: { question, call: tool } }
  try {
    if (decision === 'edited') options.parse(tool, output ?? null)
    // The output of a child is that of another graph.
    if (decision === 'applied' && !child) options.checkResult(tool, output ?? null)
    return undefined
  } catch (error) {
    return invalidAnswer(question, (error as Error).message)
  }
}

function invalidAnswer(question: string, fault: string): Reason {
  return { code: 'invalid-answer', params: { question, fault: excerptOf(fault) } }
}

export type Option = Answer & { readonly leads: Preview }

/** Where a run would be after an event, and what becomes of the call that a question is about. */
export interface Preview extends AnsweredCall {
  /** The states it would be in. */
  readonly in: readonly string[]
  /** The effects that the event would add. */
  readonly next: readonly string[]
  readonly ends?: Omit<Ending, 'result'>
}

const OPTIONS_MAX = 40

export function optionsOf(machine: AgentMachine, run: Run, asked: Interrupt): readonly Option[] {
  return possibleAnswers(machine, run, asked)
    .flatMap(answer => {
      const resume = { type: 'resume', effect: asked.id, ...answer, at: run.at } as const
      const leads = preview(machine, run, resume)
      const ofCall = callAfter(run, asked, answer.decision)
      return leads ? [{ ...answer, leads: { ...leads, ...ofCall } }] : []
    })
    .slice(0, OPTIONS_MAX)
}

/** Where the end of the deadline leads. Returns `undefined` for a question without a deadline. */
export function defaultOf(machine: AgentMachine, run: Run, asked: Interrupt): Preview | undefined {
  const { id: effect, deadline: at } = asked
  return at === undefined ? undefined : preview(machine, run, { type: 'tick', effect, at })
}

function possibleAnswers(machine: AgentMachine, run: Run, asked: Interrupt): readonly Answer[] {
  const decisions = decisionsFor({ machine, run, effect: asked }).map(decision => ({ decision }))
  if (!asked.about) return decisions
  const { from } = asked.about
  const leaves = machine.chart.states.filter(({ kind }) => kind === 'atomic' || kind === 'final')
  // The state that asked comes first. It is the target of an approval without one.
  const targets = [from, ...leaves.map(({ id }) => id).filter(id => id !== from)].filter(to =>
    machine.can(run.snapshot, { type: 'human.approved', region: asked.region, to }),
  )
  const approvals = [...targets.map(to => ({ to })), ...rungsFor(machine, run, asked)]
  return [
    ...approvals.map(choice => ({ decision: 'approved' as const, ...choice })),
    ...decisions.filter(({ decision }) => decision !== 'approved'),
  ]
}

/** The rungs that a person can choose. `preview` leaves out those that do not apply now. */
function rungsFor(machine: AgentMachine, run: Run, asked: Interrupt) {
  const [finding] = asked.about?.because ?? []
  const edges = finding ? new MachineRoutes(machine, run, asked.state).alternatives(finding) : []
  const targets = new Set(edges.flatMap(({ to }) => to ?? []))
  const alternatives = targets.size > 0 ? [...targets].map(to => ({ to })) : [{}]
  return [
    { rung: 'rethink' as const },
    ...alternatives.map(target => ({ rung: 'alternative' as const, ...target })),
    { rung: 'rollback' as const },
    { rung: 'restrict' as const },
  ]
}

function preview(machine: AgentMachine, run: Run, event: Stamped): Preview | undefined {
  const { last, snapshot, pending, ended } = advance(machine, run, event)
  if (last.ignored) return undefined
  const active = machine.active(snapshot)
  const states = machine.chart.states.filter(({ id }) => active.has(id))
  const leaves = states.filter(({ kind }) => kind === 'atomic' || kind === 'final')
  const known = new Set(run.pending.map(({ id }) => id))
  return {
    in: leaves.map(({ id }) => id),
    next: pending.flatMap(({ id }) => (known.has(id) ? [] : [id])),
    ...(ended && {
      ends: { outcome: ended.outcome, reason: ended.reason, because: ended.because },
    }),
  }
}
