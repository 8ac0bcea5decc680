/** Random events. Most fit the run, which could not progress otherwise; the others are late, duplicate or invalid. */
import fc from 'fast-check'
import { advance } from '../../src/core/advance.ts'
import { waitsOf } from '../../src/core/waits.ts'
import type { AgentMachine } from '../../src/core/graph/agent-machine.ts'
import { type Row, type Run, runnable, type Started, initialRun } from '../../src/core/run/run.ts'
import type { AgentEvent, ChildEvent, ChildOutcome } from '../../src/core/watch/event/event.ts'
import type { Stamped, PeerSummary } from '../../src/core/watch/event/event.ts'
import { classify, type Failure, factsOf } from '../../src/core/watch/failure/failure.ts'
import { FAILURE_RULES } from '../../src/core/watch/failure/failure-rules.ts'
import { type Json, callKey, digest } from '../../src/core/watch/data/json.ts'
import { shareOf } from '../../src/core/watch/budget/account.ts'
import { scopeLimits } from '../../src/core/watch/budget/scope.ts'
import { NOTHING_SPENT } from '../../src/core/watch/event/call-event.ts'

export interface RandomEvent {
  readonly kind: (typeof KINDS)[number]
  /** Which of several effects, arguments, answers or errors. */
  readonly which: number
  readonly what: number
  readonly later: number
  readonly more: boolean
  /** Refers to an effect that is not pending. */
  readonly stale: boolean
}

// Weighted by repetition: calls are what loops are made of.
const KINDS = [
  'turn',
  'done',
  'done',
  'done',
  'failed',
  'call',
  'call',
  'call',
  'call',
  'callFailed',
  'proposed',
  'ask',
  'refused',
  'circuit',
  'substituted',
  'late',
  'reconciled',
  'reported',
  'child',
  'childStarted',
  'childRefused',
  'childWaiting',
  'childExpired',
  'childEnded',
  'childDeadlock',
  'tick',
  'notified',
  'noted',
  'noted',
  'resume',
  'cancel',
  'message',
  'message',
  'round',
  'fork',
  'policy',
  'start',
  'restrict',
  'migrated',
] as const

export const randomEvent: fc.Arbitrary<RandomEvent> = fc.record({
  kind: fc.constantFrom(...KINDS),
  which: fc.nat(15),
  what: fc.nat(11),
  later: fc.constantFrom(0, 0, 0, 0, 0, 10, 1_000, 20_000, 600_000),
  more: fc.constant(false),
  stale: fc.integer({ min: 0, max: 9 }).map(one => one === 0),
})

/** Rounds of a batch are rare enough to be drawn apart: their last event closes them. */
export const randomEvents = (max: number): fc.Arbitrary<readonly RandomEvent[]> =>
  fc.array(
    fc.oneof(
      { weight: 9, arbitrary: randomEvent },
      { weight: 1, arbitrary: randomEvent.map(one => ({ ...one, more: true })) },
    ),
    {
      minLength: Math.ceil(max / 4),
      maxLength: max,
      size: 'max',
    },
  )

export interface AppliedEvent {
  readonly run: Run
  readonly rows: readonly Row[]
  /** The run after each row. */
  readonly runs: readonly Run[]
}

/** Applies events to a machine from its start. */
export function applyRandomEvent(
  machine: AgentMachine,
  list: readonly RandomEvent[],
  between: (run: Run) => Run = run => run,
): AppliedEvent {
  const start: Stamped<Started> = {
    type: 'thread.started',
    input: {},
    seed: 7,
    specHash: machine.hash,
    policy: machine.policy,
    versions: {},
    at: 1_000,
  }
  let run = advance(machine, initialRun(start), start)
  const rows: Row[] = [{ seq: run.seq, event: start, ...run.last }]
  const runs: Run[] = [run]
  let at = start.at
  for (const one of list) {
    at += one.later
    for (const event of eventsOf(run, one)) {
      const stamped = { ...event, at } as Stamped
      run = advance(machine, between(run), stamped)
      rows.push({ seq: run.seq, event: stamped, ...run.last })
      runs.push(run)
    }
  }
  return { run, rows, runs }
}

const ERRORS = ['HTTP 503', 'HTTP 401', 'HTTP 404', 'unknown error', 'no such file 17', 'HTTP 429']
const TOOLS = ['read', 'write', 'put']
const DECISIONS = [
  'approved',
  'approved',
  'rejected',
  'edited',
  'applied',
  'not-applied',
  'dismiss',
] as const
const RUNGS = ['rollback', 'rethink', 'alternative', 'restrict'] as const

function failureOf(what: number): Failure {
  const facts = factsOf(new Error(ERRORS[what % ERRORS.length]))
  return { ...facts, ...classify(facts, FAILURE_RULES) }
}

function eventsOf(run: Run, one: RandomEvent): readonly AgentEvent[] {
  const { kind, which, what, more, stale } = one
  const back = run.pending.find(({ type }) => type === 'rollback')
  // On the way back little else happens: it ends, some time, one way or the other.
  if (back && which < 8) {
    const of = { effect: back.id, region: '' }
    return which < 6
      ? [{ ...of, type: 'rollback.done' }]
      : [{ ...of, type: 'rollback.failed', failure: failureOf(what) }]
  }
  const invoke = runnable(run)[which % Math.max(1, runnable(run).length)] ?? run.pending[0]
  const id = stale ? `A#${which}` : (invoke?.id ?? 'missing#1')
  const of = { effect: id, region: invoke?.region ?? '' }
  const subject = TOOLS[which % TOOLS.length] ?? 'read'
  const effects = subject === 'read' ? ('read' as const) : ('write' as const)
  const call = {
    ...of,
    call: `${id}/${run.seq}`,
    subject,
    key: callKey(subject, what % 2),
    ...(more ? { more: true as const } : {}),
  }
  const called: AgentEvent & { type: 'tool.called' } = {
    ...call,
    type: 'tool.called',
    args: what % 2,
    attempt: 1,
    effects,
    repeatable: subject !== 'write',
    ...(which > 5 ? { compensable: true as const } : {}),
    ...(which === 5 ? { waitsFor: 'other' } : {}),
  }
  switch (kind) {
    case 'turn':
      return [{ ...of, type: 'turn.started', epoch: 1 + (what % 2) }]
    case 'done':
      return [
        {
          ...of,
          type: 'node.done',
          output: OUTPUTS[what] ?? {},
          ...(which === 0 ? { label: 'x' } : {}),
        },
      ]
    case 'failed':
      return [{ ...of, type: 'node.failed', failure: failureOf(what) }]
    case 'call':
      return [
        called,
        {
          ...call,
          type: 'tool.done',
          result: what,
          digest: digest(String(what % 3)),
          effects,
          ...(which > 5 ? { compensable: true as const } : {}),
        },
      ]
    case 'callFailed': {
      const doubt = what === 5 && subject === 'write'
      return [
        called,
        {
          ...call,
          type: 'tool.failed',
          failure: doubt ? { ...failureOf(0), class: 'indeterminate' } : failureOf(what),
          attempt: 1,
          final: which !== 1,
        },
      ]
    }
    case 'proposed':
      return [{ ...call, type: 'call.proposed', args: what % 2, effects }]
    case 'ask': {
      const asked = { ...call, subject: 'fast' }
      const calls = what % 3 > 0 ? [{ id: 'one', tool: 'read', args: what }] : []
      const usage = { input: 100 * which, output: 10, cached: 0, usd: 0.01 * which }
      return [
        { ...asked, type: 'model.called', attempt: 1, messages: 1 },
        {
          ...asked,
          type: 'model.done',
          text: '',
          calls,
          usage,
          digest: digest(String(what)),
          commandExpected: true,
        },
      ]
    }
    case 'refused':
      return [
        {
          ...call,
          type: 'circuit.refused',
          kind: 'tool',
          failure: { ...failureOf(0), name: 'CircuitOpen' },
          retryAt: run.at + 1_000,
        },
      ]
    case 'circuit':
      return [
        which % 4 > 1
          ? { ...call, type: which % 4 > 2 ? 'circuit.halfOpened' : 'circuit.closed', kind: 'tool' }
          : { ...call, type: 'circuit.opened', kind: 'tool', failures: 3, retryAt: run.at + 1_000 },
      ]
    case 'substituted':
      return [
        { ...call, type: 'call.substituted', kind: 'tool', by: 'put', retryAt: run.at + 1_000 },
        { ...called, subject: 'put', instead: subject },
        {
          ...call,
          subject: 'put',
          type: 'tool.done',
          result: what,
          digest: digest(String(what % 3)),
          effects,
          tries: 1 + which,
        },
      ]
    case 'late':
      return [
        {
          ...call,
          type: 'call.late',
          ok: what > 2,
          effects,
          result: 'late',
          ...(which % 2 ? { compensates: `${id}/1` } : {}),
        },
      ]
    case 'reconciled':
      return [{ ...call, type: 'call.reconciled', answer: 'unknown', by: 'tool', result: null }]
    case 'reported':
      return [{ ...of, type: 'reported', call: `${id}/r`, note: what }]
    default:
      return kind.startsWith('child')
        ? ofChild(run, one, { ...call, subject: 'worker' })
        : personal(run, one, id)
  }
}

function ofChild(
  run: Run,
  { kind, which, what }: RandomEvent,
  call: Omit<
    Extract<ChildEvent, { type: 'child.started' }>,
    'type' | 'reserved' | 'thread' | 'item'
  >,
): readonly AgentEvent[] {
  const thread = `thread/${call.call}`
  const item = which > 12 ? { item: { index: what, of: 12 } } : {}
  const reserved = shareOf(run.watch.account, run.policy.limits, {
    own: { steps: 1 + what, toolCalls: 2 },
    shared: scopeLimits(run.watch.scopes, run.policy.limits.scopes, run.at, run.watch.account),
    places: 1 + (which % 3),
  })
  const spent = {
    ...NOTHING_SPENT,
    steps: Math.min(what % 4, reserved.steps ?? 0),
    toolCalls: Math.min(what % 3, reserved.toolCalls ?? 2),
  }
  const started: AgentEvent = { ...call, ...item, type: 'child.started', thread, reserved }
  const outcome = OUTCOMES[what % OUTCOMES.length] ?? 'success'
  const open = Object.entries(run.watch.account.reserved)[0]
  switch (kind) {
    case 'child':
      return [
        started,
        {
          ...call,
          ...item,
          type: 'child.done',
          thread,
          outcome,
          reason: outcome === 'stopped' ? 'budget.steps' : outcome,
          result: what,
          spent,
          digest: digest(String(what % 3)),
          effects: which > 5 ? 'write' : 'read',
          ...(which > 9 && { unresolved: 'pay' }),
        },
      ]
    case 'childExpired':
      return [started, { type: 'node.expired', effect: call.effect, region: call.region }]
    case 'childStarted':
      return [started]
    case 'childRefused':
      return [
        {
          ...call,
          ...item,
          type: 'child.refused',
          why: (['input', 'recursion', 'depth'] as const)[what % 3] ?? 'input',
          way: ['a', 'b'],
          failure: failureOf(1),
        },
      ]
    case 'childWaiting':
      return [
        {
          type: 'child.waiting',
          effect: call.effect,
          region: call.region,
          children: [{ call: open?.[0] ?? call.call, thread }],
        },
      ]
    case 'childDeadlock': {
      const [wait] = waitsOf(run)
      const { call: waiting = call.call, since = run.seq } = wait ?? {}
      const threads = [thread, 'other'].slice(0, 1 + (what % 2))
      const of = { effect: call.effect, call: waiting, since, threads }
      return [{ type: 'deadlock.found', ...of, escapes: what % 3 > 0 }]
    }
    default:
      return [
        {
          type: 'child.ended',
          effect: call.effect,
          call:
            run.pending.flatMap(effect =>
              effect.type === 'invoke' ? (effect.children ?? []) : [],
            )[0]?.call ?? call.call,
          thread,
        },
      ]
  }
}

const OUTCOMES: readonly ChildOutcome[] = ['success', 'failure', 'stopped', 'cancelled', 'error']

/** Valid writes, an empty object, a wrong type, and a non-object. */
const OUTPUTS: readonly Json[] = [
  { n: 1 },
  { n: 2, log: 'line' },
  { most: 3 },
  { most: 9, n: 1 },
  {},
  { n: 1 },
  { n: 2 },
  { log: ['a', 'b'] },
  { n: 3 },
  { n: 4 },
  { n: 'many' },
  'no object',
]

/** Messages that fit most graphs, and some that fit none. */
const MESSAGES: readonly Json[] = [{}, {}, { n: 5 }, { log: 'word' }, { nowhere: 1 }, 'no object']
const FORKS = ['refuse', 'recorded', 'live'] as const
const BUSY = ['reject', 'queue', 'interrupt', 'rollback'] as const

function personal(
  run: Run,
  { kind, which, what, stale }: RandomEvent,
  id: string,
): readonly AgentEvent[] {
  const asked = run.pending.find(({ type }) => type === 'interrupt')
  const due = run.pending.find(effect => 'deadline' in effect && effect.deadline !== undefined)
  switch (kind) {
    case 'tick':
      return [{ type: 'tick', effect: stale ? id : (due?.id ?? id) }]
    case 'notified':
      return [
        {
          type: 'notified',
          effect: stale ? id : (asked?.id ?? id),
          step: which % 3,
          notifier: 'log',
          ok: what > 2,
          attempts: 1,
          detail: '',
        },
      ]
    case 'resume': {
      const to = [undefined, 'A', 'B', 'end', 'nowhere'][which]
      const output = which > 5 ? { output: OUTPUTS[what] ?? {} } : {}
      return [
        {
          type: 'resume',
          effect: asked?.id ?? id,
          decision: which === 5 ? 'stop' : (DECISIONS[what] ?? 'approved'),
          ...(which > 12 ? { rung: RUNGS[what % 3] ?? 'rollback' } : {}),
          ...(to === undefined ? {} : { to }),
          ...output,
        },
      ]
    }
    case 'message':
      return [{ type: 'message', input: MESSAGES[what % MESSAGES.length] ?? {} }]
    case 'fork':
      return which < 4
        ? [
            {
              type: 'forked',
              parent: { thread: 'other', seq: run.seq },
              effects: FORKS[what % FORKS.length] ?? 'live',
            },
          ]
        : []
    case 'round':
      return [{ type: 'round.started' }]
    case 'noted':
      return [{ type: 'scope.noted', ...noteOn(run, which, what) }]
    case 'policy':
      return [
        {
          type: 'policy.changed',
          policy: {
            ...run.policy,
            rounds: { busy: BUSY[which % BUSY.length] ?? 'reject' },
            limits: { ...run.policy.limits, steps: run.policy.limits.steps + what },
          },
        },
      ]
    case 'restrict':
      return [{ type: 'escape', rung: 'restrict' }]
    case 'migrated':
      return which < 4 ? [migrationTo(run.pending[what % 3]?.node ?? 'nowhere')] : []
    case 'start':
      return [
        {
          type: 'thread.started',
          input: {},
          seed: 8,
          specHash: '',
          policy: run.policy,
          versions: {},
        },
      ]
    default:
      // Rarely: little happens afterwards.
      return which === 0 ? [{ type: 'cancel', reason: 'enough' }] : []
  }
}

/** Other threads have met what this one has met, and something else; rarely one of them asks about it. */
function noteOn(run: Run, which: number, what: number): PeerSummary {
  const scope = which % 3 === 0 ? 'team' : 'job'
  const ids = [run.watch.seenLoops.at(-1)?.id, run.last.findings[0]?.id, 'something else']
    .flatMap(id => id ?? [])
    .slice(0, what % 3)
  const threads = Array.from({ length: 1 + (which % 3) }, (_, nth) => ({
    scope,
    thread: `t${nth}`,
    seq: nth,
    at: run.at,
    reason: { code: 'text', params: { text: 'the same' } } as const,
    used: { alternative: nth },
  }))
  return {
    scope,
    key: 'shared',
    spent: { ...NOTHING_SPENT, toolCalls: what % 4, steps: which % 5 },
    loops: ids.map(id => ({ id, threads })),
    dismissed: what === 7 ? [{ id: 'something else', signs: [], states: [] }] : [],
    ...(which === 1 && what === 1
      ? {
          held: {
            thread: 't0',
            effect: 'review#1',
            reason: { code: 'text', params: { text: 'the same' } } as const,
          },
        }
      : {}),
  }
}

/** The same version again: the machine of a property test is one for all rows. */
const migrationTo = (node: string): AgentEvent => ({
  type: 'migrated',
  specHash: 'next',
  versions: {},
  left: [],
  node,
  channels: {},
})
