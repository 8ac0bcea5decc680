/** A review: everything that a person needs to answer a question. The terminal, notifiers and the inspector share it. */
import { type Handover, pendingEffect } from '../run/effects.ts'
import type { AgentMachine } from '../graph/agent-machine.ts'
import type { Log } from '../graph/channels.ts'
import type { Row, Run } from '../run/run.ts'
import { truncate } from '../watch/data/fault.ts'
import { canonical, defined, type Json, mapFields } from '../watch/data/json.ts'
import type { Route } from '../watch/escape/rungs.ts'
import type { Considered } from '../watch/escape/ladder.ts'
import type { Finding } from '../watch/event/event.ts'
import type { Spent } from '../watch/event/call-event.ts'
import { explain, type Reason } from '../watch/reason/reason.ts'
import { type LedgerLine, retryLedger } from '../watch/retries.ts'
import { defaultOf, kindOf, optionsOf } from './answers.ts'
import type { Option, Preview, QuestionKind } from './answers.ts'
import { type LapEvent, type Laps, lapsOf, recentBefore } from './laps.ts'
import { judgedCall } from './judged.ts'
import { effectsOf, type ExternalEffect } from './ledger.ts'

/** What a person sees of a question: the evidence, and where each answer leads. */
export interface Review {
  readonly id: string
  readonly question: string
  /** About an escape, the outcome of a call (`call`), the approval of a call (`permission`), restricted mode, or asked by a node. */
  readonly about: QuestionKind
  /** The seq of the event that asked it, and its time in ms. */
  readonly asked: number
  readonly at: number
  readonly to?: string
  /** The handovers to other recipients, with their times (ms). `done` marks the past ones. */
  readonly chain: readonly (Handover & { readonly done: boolean })[]
  readonly deadline?: number
  /** Where the end of the deadline leads. */
  readonly otherwise?: Preview
  readonly options: readonly Option[]
  /** The findings that led to an escape, most severe first. */
  readonly because: readonly Finding[]
  /** The laps of the first finding, if it is a repetition. */
  readonly laps?: Laps
  /** The latest events before the question. */
  readonly lately: readonly LapEvent[]
  /** The values of the channels as JSON, each cut to 200 characters. Of a log, the number of its items. */
  readonly channels: Readonly<Record<string, string>>
  /** The rungs that did not apply, each with its reason. */
  readonly considered: readonly Considered[]
  readonly tried: readonly EarlierEscape[]
  /** The dependencies that were retried. */
  readonly retries: readonly LedgerLine[]
  readonly call?: { readonly call: string; readonly tool: string }
  /** The tool and the arguments of the call, as redacted text, if the question does not tell them. */
  readonly judged?: Readonly<Record<string, string>>
  /** The latest external effects of the thread, and the number of earlier ones. */
  readonly effects: readonly ExternalEffect[]
  readonly effectsLeftOut: number
  readonly lessons: readonly Reason[]
  readonly spent: Spent
}

/** An escape before the question, and what followed it. */
export interface EarlierEscape {
  readonly seq: number
  readonly route: string
  /** The finding that led to it. */
  readonly because?: Reason
  /** The next escape. `again` marks the same finding. */
  readonly next?: { readonly seq: number; readonly again: boolean; readonly reason: Reason }
}

const FINDINGS_MAX = 4
const EFFECTS_MAX = 20
const ESCAPES_MAX = 12
const CHANNEL_MAX = 200

/**
 * The evidence for an open question. Returns `undefined` if the question is not open. `rows` is the complete journal of the thread.
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
  const { question, about, restricts, to, deadline, chain = [], step = 0, call, since } = effect
  const { because = restricts ?? [], considered = [] } = about ?? {}
  const [finding] = because
  const effects = effectsOf(rows)
  return {
    id,
    question: explain(question),
    about: kindOf(effect),
    asked: since,
    at: rows.find(({ seq }) => seq === since)?.event.at ?? run.at,
    chain: chain.map((handover, index) => ({ ...handover, done: index < step })),
    ...defined({ to, deadline, otherwise: defaultOf(machine, run, effect) }),
    options: optionsOf(machine, run, effect),
    because: because.slice(0, FINDINGS_MAX),
    ...(finding && finding.repeats > 1 && { laps: lapsOf(rows, finding) }),
    lately: recentBefore(rows, since),
    channels: mapFields(run.snapshot.context, (value, name) =>
      truncate(canonical(shownValue(machine, name, value)), CHANNEL_MAX),
    ),
    considered,
    tried: escapesBefore(rows, since),
    retries: retryLedger(rows).filter(({ sdk, runtime, model }) => sdk + runtime + model > 0),
    ...(call && { call: { call: call.call, tool: call.tool } }),
    ...defined({ judged: judgedCall(effect) }),
    effects: effects.slice(-EFFECTS_MAX),
    effectsLeftOut: Math.max(0, effects.length - EFFECTS_MAX),
    lessons: run.lessons,
    spent: run.watch.account.spent,
  }
}

/** The value of a channel, or the number of items of a log, which the journal holds. */
export const shownValue = (
  { logs }: Pick<AgentMachine, 'logs'>,
  name: string,
  value: Json,
): Json => (logs.has(name) ? { items: (value as unknown as Log).length } : value)

/** The latest escapes before event `until`, oldest first. The escape at `until` only appears as the next one. */
function escapesBefore(rows: readonly Row[], until: number): readonly EarlierEscape[] {
  const escapes = rows.flatMap(({ seq, verdict }) =>
    seq <= until && verdict.kind === 'escape' ? [{ seq, ...verdict }] : [],
  )
  const earlier = escapes.flatMap(({ seq, route, because: [finding] }, index) => {
    if (seq >= until) return []
    const following = escapes[index + 1]
    const [found] = following?.because ?? []
    const again = found?.id === finding?.id
    const next = following && found && { seq: following.seq, again, reason: found.reason }
    return [{ seq, route: routeName(route), ...defined({ because: finding?.reason, next }) }]
  })
  return earlier.slice(-ESCAPES_MAX)
}

/** `alternative act → replan`, `review in act`, `stop (reason)`. */
function routeName(route: Route): string {
  if (route.rung === 'stop') return `stop (${route.reason})`
  if (route.rung === 'rollback') return `rollback to event ${route.to}`
  if (route.rung === 'review') return `review in ${route.from}`
  return `${route.rung} ${route.from}${route.to === undefined ? '' : ` → ${route.to}`}`
}
