/** One turn of a wrapped agent, as every framework can tell it, and the events that it consists of. */
import type { CircuitChange } from '../failure/breaker.ts'
import type { AgentEvent, Stamped } from '../event/event.ts'
import type { Failure } from '../failure/failure.ts'
import { callKey, digest } from '../data/signature.ts'
import { cost, readUsage, type Price } from '../event/spent.ts'
import { boundedJson } from './bounded-json.ts'

/** What the model said, and what came of the calls it asked for. Times are in ms. */
export interface Turn {
  /** When it had answered. */
  readonly at: number
  readonly text: string
  readonly calls?: readonly CompletedCall[]
  /** Calls that it asked for and that wait: for a person's word, or for whoever makes them elsewhere. */
  readonly waiting?: readonly Pick<CompletedCall, 'tool' | 'args'>[]
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number }
}

/** A call that the model asked for, and what came of it. */
export interface CompletedCall {
  readonly tool: string
  readonly args: unknown
  readonly outcome: CallOutcome
  /** What the tool answered, if it did. */
  readonly result?: unknown
}

/** What became of a call, as plain JSON: a framework may keep it beside its message. */
export interface CallOutcome {
  readonly began: number
  readonly ended: number
  /** Who answered in its place, and until when it is out of order. */
  readonly instead?: { readonly by: string; readonly retryAt: number }
  readonly probe?: true
  readonly circuit?: CircuitChange
  readonly failure?: Failure
  /** It was not made: its breaker is open until then. */
  readonly retryAt?: number
  /** It was not made: a limit is reached. */
  readonly over?: true
}

/** Whose turn it is. */
export interface AgentPlace {
  readonly agent: string
  readonly model: string
  readonly turn: number
  /** Tools that change the world. */
  readonly writes: readonly string[]
  /** An answer without a call is a finding. */
  readonly commandExpected: boolean
  readonly price?: Price
}

/** The model is about to be called. */
export function modelCalled(at: number, { agent, model, turn }: AgentPlace): Stamped {
  return {
    type: 'model.called',
    ...idOf(agent, turn, 0),
    subject: model,
    key: callKey(model, turn),
    attempt: 1,
    messages: 0,
    at,
  }
}

/** In the order in which they are told everywhere: the answer of the model, all calls, and what came of each. */
export function eventsOf(turn: Turn, place: AgentPlace): readonly Stamped[] {
  const calls = turn.calls ?? []
  const called = calls.flatMap((call, index) => startedEvents(call, index + 1, place))
  const last = calls.findLastIndex(({ outcome }) => !outcome.over)
  return [
    modelDone(turn, place),
    ...called,
    ...calls.flatMap((call, index) => endedEvents(call, index + 1, { place, more: index < last })),
  ]
}

function modelDone(
  { at, text, calls: made = [], waiting = [], usage }: Turn,
  { agent, model, turn, commandExpected, price }: AgentPlace,
): Stamped {
  const { value, cut } = boundedJson(text)
  const calls = [...made, ...waiting]
  const of = idOf(agent, turn, 0)
  const told = readUsage(usage)
  const tokens = told ?? { input: 0, output: 0, cached: 0 }
  return {
    type: 'model.done',
    ...of,
    subject: model,
    key: callKey(model, turn),
    text: String(value),
    calls: calls.map(({ tool, args }, index) => ({
      id: `${of.effect}/${index + 1}`,
      tool,
      args: boundedJson(args).value,
    })),
    usage: { ...tokens, usd: cost(price, tokens), ...(told ? {} : { estimated: true as const }) },
    digest: digest([text, ...calls.map(({ tool, args }) => keyOf(tool, args))]),
    ...(commandExpected ? { commandExpected: true as const } : {}),
    ...(cut === undefined ? {} : { cut }),
    at,
  }
}

function startedEvents(
  { tool, args, outcome }: CompletedCall,
  n: number,
  place: AgentPlace,
): readonly Stamped[] {
  const { began: at, instead, probe, retryAt } = outcome
  // What an open breaker refused was never begun.
  if (retryAt !== undefined) return []
  const subject = instead?.by ?? tool
  const of = { ...idOf(place.agent, place.turn, n), subject, key: keyOf(tool, args) }
  const effects = effectsOf(subject, place)
  return [
    ...(instead
      ? [
          {
            ...of,
            subject: tool,
            type: 'call.substituted' as const,
            kind: 'tool' as const,
            by: instead.by,
            retryAt: instead.retryAt,
            at,
          },
        ]
      : []),
    ...(probe ? [{ ...of, type: 'circuit.halfOpened' as const, kind: 'tool' as const, at }] : []),
    {
      ...of,
      type: 'tool.called',
      args: boundedJson(args).value,
      attempt: 1,
      effects,
      repeatable: effects === 'read',
      ...(instead ? { instead: tool } : {}),
      at,
    },
  ]
}

function endedEvents(
  { tool, args, outcome, result }: CompletedCall,
  n: number,
  { place, more }: { readonly place: AgentPlace; readonly more: boolean },
): readonly Stamped[] {
  // A call that met a limit was told, and not made.
  if (outcome.over) return []
  const { ended: at, failure, circuit, retryAt, instead } = outcome
  const subject = instead?.by ?? tool
  const of = { ...idOf(place.agent, place.turn, n), subject, key: keyOf(tool, args) }
  const batch = more ? { more: true as const } : {}
  if (retryAt !== undefined && failure)
    return [{ ...of, type: 'circuit.refused', kind: 'tool', failure, retryAt, ...batch, at }]
  const change = circuitEvents({ ...of, kind: 'tool', at }, circuit)
  if (failure)
    return [
      ...change,
      { ...of, type: 'tool.failed', failure, attempt: 1, final: true, ...batch, at },
    ]
  const { value, whole, cut } = boundedJson(result)
  return [
    ...change,
    {
      ...of,
      type: 'tool.done',
      result: value,
      digest: digest(whole),
      effects: effectsOf(subject, place),
      ...batch,
      ...(cut === undefined ? {} : { cut }),
      at,
    },
  ]
}

type OfCircuit = Pick<
  Extract<Stamped<AgentEvent>, { type: 'circuit.opened' }>,
  'effect' | 'region' | 'call' | 'subject' | 'key' | 'kind' | 'at'
>

function circuitEvents(
  of: OfCircuit,
  circuit: CircuitChange = { change: 'none' },
): readonly Stamped[] {
  if (circuit.change === 'opened')
    return [{ ...of, type: 'circuit.opened', failures: circuit.failures, retryAt: circuit.retryAt }]
  return circuit.change === 'closed' ? [{ ...of, type: 'circuit.closed' }] : []
}

function keyOf(tool: string, args: unknown): string {
  return callKey(tool, boundedJson(args).whole)
}

function idOf(
  agent: string,
  turn: number,
  n: number,
): { readonly effect: string; readonly region: ''; readonly call: string } {
  const effect = `${agent}#${turn}`
  return { effect, region: '', call: `${effect}/${n}` }
}

function effectsOf(tool: string, { writes }: AgentPlace): 'read' | 'write' {
  return writes.includes(tool) ? 'write' : 'read'
}
