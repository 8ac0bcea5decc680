/** The shape of journal rows that another process wrote: an archive may be forged, or come from a newer version. Further fields are kept. */
import { z } from 'zod'
import { type Fault, pathOf } from '../../core/watch/data/fault.ts'
import {
  type AgentEvent,
  CHOSEN_RUNGS,
  DECISIONS,
  FORK_EFFECTS,
} from '../../core/watch/event/event.ts'
import { SPENDABLE } from '../../core/watch/event/call-event.ts'
import { CLASSES } from '../../core/watch/failure/failure-class.ts'
import { mapFields } from '../../core/watch/data/json.ts'
import { QUOTED_MAX } from '../../core/watch/answer/quoted-texts.ts'
import type { Verdict } from '../../core/watch/escape/ladder.ts'
import { amount, at, count, type Fields, flag, json, list, object, oneOf } from './row-fields.ts'
import { longList, outputJson, reason, record, resultJson, shortJson } from './row-fields.ts'
import { text, texts, time } from './row-fields.ts'

const spent = object(Object.fromEntries(SPENDABLE.map(unit => [unit, amount])))
const someSpent = object(Object.fromEntries(SPENDABLE.map(unit => [unit, amount.nullish()])))
const digest = object({ hash: text, length: amount })
const usage = object({ input: amount, output: amount, cached: amount, usd: amount })
const effects = oneOf(['read', 'write'])
const kind = oneOf(['tool', 'model'])

const fact = {
  name: text,
  message: text,
  status: amount.optional(),
  guessed: flag.optional(),
  code: text.optional(),
  syscall: text.optional(),
  retryAfter: time.optional(),
  attempts: amount.optional(),
  reason: reason.optional(),
}
const failure = object({
  ...fact,
  causes: list(object(fact)).optional(),
  class: oneOf(CLASSES),
  scope: oneOf(['resource', 'request']),
  rule: text,
  was: oneOf(CLASSES).optional(),
  unproven: flag.optional(),
  breakage: object({ part: text, why: text }).optional(),
})

const version = { specHash: text, source: text.optional(), versions: record(text) }
const dismissed = {
  id: text,
  signs: texts,
  states: texts,
  detector: text.optional(),
  members: texts.optional(),
}
const earlier = object({ scope: text, thread: text, seq: count, at, reason, used: record(amount) })
const finding = object({
  kind: text,
  detector: text,
  region: text,
  id: text,
  members: texts,
  signs: texts.optional(),
  period: amount,
  repeats: amount,
  onset: count,
  noticed: count,
  states: texts,
  events: list(count),
  confidence: amount.optional(),
  burned: spent,
  reason,
  class: oneOf(CLASSES).optional(),
  earlier: list(earlier).optional(),
  scope: text.optional(),
})

const effect = { effect: text, region: text }
const mark = z.literal(true).optional()
const edited = object({ args: shortJson, note: text.optional() }).optional()
const made = { call: text, subject: text, key: text, received: text.optional(), edited }
const call = { ...effect, ...made, injected: mark, cached: mark }
const ended = { ...call, tries: count.optional() }
const started = { ...call, attempt: count, instead: text.optional() }
const failed = { ...ended, failure, attempt: count, final: flag }
const compensates = text.optional()
const notApplied = object({ again: flag, failure: failure.optional() }).optional()
const circuit = { ...call, kind }
const open = { ...circuit, retryAt: time }
const item = object({ index: count, of: count }).optional()
const child = { ...call, thread: text, item }
const driven = { epoch: count.optional() }
const commanded = { ...driven, command: text.optional() }
const inherited = { inherited: count.optional() }
const wait = { effect: text, call: text, since: count }
const origin = { thread: text, seq: count }
const parent = object({
  ...origin,
  call: text,
  key: text.optional(),
  limits: someSpent,
  depth: count,
  item,
})

/** The fields of each event beside its type and time. */
const EVENTS = {
  'thread.started': {
    ...driven,
    input: json,
    seed: amount,
    ...version,
    clock: z.literal('virtual').optional(),
    policy: object({}),
    message: text.optional(),
    parent: parent.optional(),
    lineage: list(object({ graph: text, key: text })).optional(),
  },
  'policy.changed': { ...commanded, policy: object({}), change: json.optional() },
  migrated: {
    ...commanded,
    ...version,
    left: list(object(version)),
    node: text,
    channels: record(json),
  },
  forked: {
    ...driven,
    parent: object(origin),
    effects: oneOf(FORK_EFFECTS),
    channels: record(json).optional(),
    unresolved: list(text).optional(),
    replaced: digest.optional(),
  },
  'round.started': driven,
  'scope.noted': {
    scope: text,
    key: text,
    spent,
    loops: list(object({ id: text, threads: list(earlier) })),
    dismissed: list(object(dismissed)),
    held: object({ effect: text, reason, thread: text }).optional(),
  },
  tick: { ...driven, effect: text },
  notified: { effect: text, step: count, notifier: text, ok: flag, attempts: count, detail: text },
  'turn.left': { ...effect, epoch: count },
  'node.expired': effect,
  'turn.started': { ...effect, epoch: count },
  'node.done': { ...effect, output: outputJson, label: text.optional() },
  'node.failed': { ...effect, failure, output: outputJson.optional() },
  reported: { ...effect, call: text, note: shortJson },
  'rollback.done': effect,
  'rollback.failed': { ...effect, undone: text.optional(), failure },
  'call.proposed': { ...call, args: shortJson, question: text.optional(), effects },
  'tool.called': {
    ...started,
    compensates,
    args: shortJson,
    effects,
    repeatable: flag,
    owner: text.optional(),
    waitsFor: text.optional(),
  },
  'tool.done': {
    ...ended,
    compensates,
    result: resultJson,
    digest,
    effects,
    cut: amount.optional(),
    stuck: text.optional(),
  },
  'tool.failed': { ...failed, compensates, notApplied },
  'model.called': { ...started, messages: count },
  'model.done': {
    ...ended,
    text,
    reasoning: text.optional(),
    calls: longList(object({ id: text, tool: text, args: json })),
    usage,
    digest,
    question: text.optional(),
    cut: amount.optional(),
  },
  'model.failed': { ...failed, usage: usage.optional() },
  'call.waiting': { ...call, attempt: count, until: time, since: time.optional() },
  'call.reconciled': {
    ...call,
    answer: oneOf(['applied', 'not-applied', 'unknown']),
    by: oneOf(['tool', 'person', 'parent']),
    result: json,
    because: reason.optional(),
  },
  'call.late': { ...call, compensates, ok: flag, effects, result: json, usage: usage.optional() },
  'circuit.refused': { ...open, args: shortJson.optional(), failure },
  'circuit.opened': { ...open, failures: count },
  'circuit.halfOpened': circuit,
  'circuit.closed': circuit,
  'call.substituted': { ...open, by: text },
  'child.started': { ...child, reserved: someSpent },
  'child.done': {
    ...child,
    outcome: oneOf(['success', 'failure', 'stopped', 'cancelled', 'error']),
    reason: text,
    because: reason.optional(),
    result: shortJson,
    cut: amount.optional(),
    spent,
    digest,
    effects,
    quoted: list(text, QUOTED_MAX).optional(),
    unresolved: text.optional(),
  },
  'child.refused': { ...call, why: text, failure, way: texts, item },
  'child.waiting': { ...effect, children: list(object({ call: text, thread: text })) },
  pause: {
    ...commanded,
    ...inherited,
    reason: text.optional(),
    before: text.optional(),
    met: object({ when: text, seq: count }).optional(),
  },
  continue: commanded,
  step: { ...commanded, ...inherited, until: texts.optional() },
  escape: { ...commanded, rung: oneOf(CHOSEN_RUNGS), to: text.optional(), note: text.optional() },
  stop: { ...commanded, reason: text },
  dismiss: { ...commanded, finding: object(dismissed) },
  inject: {
    ...commanded,
    kind,
    name: text,
    class: oneOf(CLASSES).optional(),
    message: text.optional(),
    result: json.optional(),
    times: count,
  },
  'child.ended': { ...commanded, call: text, thread: text, effect: text },
  'deadlock.found': { ...commanded, ...wait, threads: texts, escapes: flag },
  resume: {
    ...commanded,
    effect: text,
    decision: oneOf(DECISIONS),
    to: text.optional(),
    rung: oneOf(CHOSEN_RUNGS).optional(),
    output: json.optional(),
    note: text.optional(),
    by: text.optional(),
    saidAt: time.optional(),
  },
  cancel: { ...commanded, reason: text },
  message: { ...commanded, input: json },
} as const satisfies Record<AgentEvent['type'], Fields>

const VERDICTS = {
  continue: {},
  warn: { because: list(finding) },
  escape: {
    route: object({ rung: text, region: text }),
    because: list(finding),
    considered: list(object({ rung: text, reason })),
  },
} satisfies Record<Verdict['kind'], Fields>

const EVENT_SCHEMAS = mapFields(EVENTS, object)
const VERDICT_SCHEMAS = mapFields(VERDICTS, object)

const ROW = z.looseObject({
  seq: count,
  event: z.looseObject({ type: oneOf(Object.keys(EVENTS) as (keyof typeof EVENTS)[]), at }),
  findings: list(finding),
  edges: texts,
  verdict: z.looseObject({ kind: oneOf(Object.keys(VERDICTS) as (keyof typeof VERDICTS)[]) }),
  ended: object({
    outcome: oneOf(['success', 'failure', 'stopped', 'cancelled', 'error']),
    reason: text,
    because: reason,
    result: json,
  }).optional(),
  // What later rules would do is unknown.
  rules: z.literal(1, { error: 'expected 1' }).optional(),
  detectorErrors: record(object({ since: count, times: count, why: text })).optional(),
})

/** The first fault of a row of this version. */
export function rowFault(row: unknown): Fault | undefined {
  const { data, error } = ROW.safeParse(row)
  if (!data) return faultOf(error.issues)
  const { event, verdict } = data
  const inEvent = EVENT_SCHEMAS[event.type]?.safeParse(event).error
  if (inEvent) return faultOf(inEvent.issues, 'event')
  const inVerdict = VERDICT_SCHEMAS[verdict.kind]?.safeParse(verdict).error
  return inVerdict && faultOf(inVerdict.issues, 'verdict')
}

function faultOf([issue]: readonly z.core.$ZodIssue[], ...above: readonly string[]): Fault {
  return { path: pathOf([...above, ...(issue?.path ?? [])]), message: issue?.message ?? '' }
}
