/** Everything a person needs to answer a question: one object for the terminal, for notifiers and for the inspector. */
import { explain, type Reason } from '../watch/reason/reason.ts'
import { kindOf, type QuestionKind } from '../answer.ts'
import type { Handover } from '../escalation.ts'
import { pendingEffect } from '../effects.ts'
import type { AgentMachine } from '../graph/agent-machine.ts'
import { effectsOf, type ExternalEffect } from './ledger.ts'
import { type LapEvent, type Laps, lapsOf, recentBefore } from './laps.ts'
import { defaultOf, type Option, optionsOf, type Preview } from './options.ts'
import type { Row, Run } from '../run.ts'
import { type EarlierEscape, escapesBefore } from './earlier-escapes.ts'
import type { Finding } from '../watch/event/finding.ts'
import type { Considered } from '../watch/escape/ladder.ts'
import { type LedgerLine, retryLedger } from '../watch/retries.ts'
import type { Spent } from '../watch/event/spent.ts'

/** What a person is shown of a question: the evidence, and where each answer leads. */
export interface Review {
  readonly id: string
  readonly question: string
  /** Of an escape; whether a call took effect (`call`), or may be made (`permission`); a node's own. */
  readonly about: QuestionKind
  /** The seq of the event that asked it, and its time in ms. */
  readonly asked: number
  readonly at: number
  /** Whom it is put to now. */
  readonly to?: string
  /** Whom it moves on to, and when (ms); `done` says that it has. */
  readonly chain: readonly (Handover & { readonly done: boolean })[]
  readonly deadline?: number
  /** Where it leads if nobody answers in time. */
  readonly otherwise?: Preview
  readonly options: readonly Option[]
  /** What was found, sharpest first; of an escape only. */
  readonly because: readonly Finding[]
  /** The laps of the first of these, where it is a repetition. */
  readonly laps?: Laps
  /** What was done last before it was asked. */
  readonly lately: readonly LapEvent[]
  /** Ways out that did not apply, and why. */
  readonly considered: readonly Considered[]
  readonly tried: readonly EarlierEscape[]
  /** What was called again in place, where anything was. */
  readonly retries: readonly LedgerLine[]
  /** The call it is about. */
  readonly call?: { readonly call: string; readonly tool: string }
  /** What the thread has done to the world: the latest, and how many more there are. */
  readonly effects: readonly ExternalEffect[]
  readonly effectsLeftOut: number
  readonly lessons: readonly Reason[]
  readonly spent: Spent
}

const FINDINGS_MAX = 4
const EFFECTS_MAX = 20

/**
 * The evidence for an open question; `undefined` if nobody is asked it. `rows` is the journal of the thread, all of it.
 *
 * @example const review = reviewOf(graph.machine, run, await store.rows(thread), question)
 */
export function reviewOf(
  machine: AgentMachine,
  run: Run,
  rows: readonly Row[],
  id: string,
): Review | undefined {
  const effect = pendingEffect(run.pending, id)
  if (effect?.type !== 'interrupt') return undefined
  const { question, about, to, deadline, chain = [], step = 0, call } = effect
  const [finding] = about?.because ?? []
  const effects = effectsOf(rows)
  const otherwise = defaultOf(machine, run, effect)
  return {
    id,
    question: explain(question),
    about: kindOf(effect),
    asked: effect.since,
    at: rows.find(({ seq }) => seq === effect.since)?.event.at ?? run.at,
    ...(to === undefined ? {} : { to }),
    chain: chain.map((handover, index) => ({ ...handover, done: index < step })),
    ...(deadline === undefined ? {} : { deadline }),
    ...(otherwise === undefined ? {} : { otherwise }),
    options: optionsOf(machine, run, effect),
    because: (about?.because ?? []).slice(0, FINDINGS_MAX),
    ...(finding && finding.repeats > 1 ? { laps: lapsOf(rows, finding) } : {}),
    lately: recentBefore(rows, effect.since),
    considered: about?.considered ?? [],
    tried: escapesBefore(rows, effect.since),
    retries: retryLedger(rows).filter(({ sdk, runtime, model }) => sdk + runtime + model > 0),
    ...(call ? { call: { call: call.call, tool: call.tool } } : {}),
    effects: effects.slice(-EFFECTS_MAX),
    effectsLeftOut: Math.max(0, effects.length - EFFECTS_MAX),
    lessons: run.lessons,
    spent: run.watch.account.spent,
  }
}
