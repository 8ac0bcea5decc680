/**
 * Every key of the policy notation, with its kind, range, default and meaning. All that reads, shows or documents a policy
 * starts here.
 */
import { CONFIRM } from './confirm.ts'
import { detect } from './detect-keys.ts'
import { CLASSES } from '../failure/failure.ts'
import type { Problem } from '../data/fault.ts'
import { isName, name, pattern } from './names.ts'
import {
  amount,
  as,
  choice,
  condition,
  count,
  duration,
  flag,
  type InOf,
  type OutOf,
  text,
} from './policy-kinds.ts'
import { list, options, optOut, record, settings, short, wordOr } from './policy-parts.ts'

export const RUNGS = [
  'retry',
  'rethink',
  'substitute',
  'alternative',
  'rollback',
  'review',
  'stop',
] as const

export const retry = short(
  settings(
    {
      attempts: count({ default: 3 })`All attempts, the first included.`,
      base: duration({ default: '1s' })`The wait before the second attempt; it doubles after each
        attempt, with jitter, and is never shorter than the service asks.`,
      cap: duration({ default: '1m' })`The longest wait. A service that asks for a longer one is
        not tried again.`,
      on: list(choice(CLASSES)``, { default: ['transient'] })`The classes of failures after which a
        call is tried again.`,
      total: count({ default: 12 })`How often one tool or model is tried again until it succeeds:
        by its SDK, by the runtime, and by a model that repeats its call.`,
    },
    { id: 'retry' },
  )`How a failed call is tried again; a number in place of the map is the number of retries, 0 for
    none. A write that may have taken effect is tried again only if it is idempotent.`,
  count({ min: 0 })``,
  retries => ({ attempts: retries + 1 }),
)

export const breaker = settings(
  {
    threshold: count({ default: 3 })`The failures in a row that open it.`,
    reset: duration({ default: '30s' })`How long it stays open before one probe is allowed.`,
  },
  { id: 'breaker' },
)`The circuit breaker of a tool or a model: while it is open, calls are refused at once.`

const spendable = {
  steps: count()`Nodes performed, and waits. Graphs that run as nodes count as well, here as in all
    other limits.`,
  toolCalls: count()`Calls of tools. Every attempt counts, compensation does not.`,
  modelCalls: count()`Calls of models. Every attempt counts.`,
  tokens: count()`Tokens of all models, input and output. They are known after each call, so the
    last call may exceed the limit.`,
  usd: amount`Money, by the \`price\` of the models. It is known after each call, too.`,
  duration: duration()`Time, without waits for people and without the time in which no process drives
    the thread.`,
}

const spending = settings(spendable, { id: 'spending' })`The most that may be spent.`

const scope = options(
  {
    ...spendable,
    key: text({ min: 1, max: 200 })`Threads with the same key share; default: the id of the graph.`,
    per: duration({ default: '1d' })`The window: what lies further back no longer counts.`,
    loops: count({ min: 2, max: 12, default: 3 })`The nth thread of the scope that meets the same
      loop asks a person at once.`,
  },
  { id: 'scope' },
)`What all threads with the same key share: one budget, and the loops they have met.`

const limits = settings(
  {
    steps: as(spendable.steps, { default: 100 })``,
    toolCalls: as(spendable.toolCalls, { default: 200 })``,
    modelCalls: as(spendable.modelCalls, { default: 100 })``,
    tokens: as(spendable.tokens, { default: 2_000_000 })``,
    usd: as(spendable.usd, { default: 10 })``,
    duration: as(spendable.duration, { default: '1d' })``,
    nodeCalls: count({ default: 1_000 })`Calls and reports of one node before it fails
      (TooManyCalls).`,
    concurrency: count()`The most nodes at work at once; default: all that can be.`,
    round: as(spending)`The same for each round: what one message may spend.`,
    depth: count({ min: 0, max: 64, default: 8 })`How many graphs may be nested below this one.`,
    mistakes: count()`Rounds in a row in which all calls failed; the same as
      \`detect.mistakes.limit\`.`,
    scopes: record(
      name,
      scope,
    )`What all threads with the same key share, by the names of the scopes.`,
  },
  { id: 'limits' },
)`The most a thread may spend.`

const rungBudget = settings(
  {
    perLoop: count({ min: 0 })`How often it is taken for the same loop.`,
    total: count({ min: 0 })`How often in all, until there is progress.`,
  },
  { id: 'rungBudget' },
)`How often a rung may be taken; 0: never.`

const recipient = { min: 1, max: 80 }

const review = options(
  {
    deadline: duration({ required: true })`How long a person has for the answer.`,
    otherwise: choice(['stop', 'continue'], {
      default: 'stop',
    })`What happens without an answer: end, or go on where the question was asked.`,
    to: text(recipient)`The recipient of questions: a name that \`notify\` knows.`,
    escalate: list(
      options({
        to: text({ ...recipient, required: true })`The next recipient.`,
        after: duration({ required: true })`How long after the question was asked; before the
          deadline.`,
      })``,
      { max: 8 },
    )`The recipients that follow while the question is open; \`after\` counts from when it was
      asked.`,
  },
  { id: 'review', check: escalation },
)`A person can be asked; without it the rung \`review\` does not apply.`

const rung = text({
  test: isName,
  known: RUNGS,
  expected: `a rung: ${RUNGS.join(', ')}, or the name of a custom one`,
})``

const escape = settings(
  {
    ladder: list(rung, { default: RUNGS, unique: true })`The ways out in the order in which they
      are tried, built-in and custom. A rung that is absent is never taken.`,
    budget: settings({
      rethink: as(rungBudget, {
        default: { perLoop: 1, total: 3 },
      })`Of calls of the smarter model.`,
      alternative: as(rungBudget, { default: { perLoop: 2, total: 6 } })`Of other edges.`,
      rollback: as(rungBudget, { default: { perLoop: 1, total: 2 } })`Of rollbacks.`,
      review: as(rungBudget, { default: { perLoop: 1, total: 3 } })`Of questions.`,
    })`How often each rung may be taken.`,
    alternatives: record(name, list(name)``, {
      default: {},
    })`For a node, the nodes to which a way out may lead; the one tried least recently is taken.`,
    rollback: settings({
      accept: list(name, { default: [] })`Tools and graphs whose writes may stay although the run
        is rolled back to before them.`,
    })`What a rollback may leave in place.`,
    review,
    restarts: count({ min: 0, default: 3 })`How often progress may restart the ladder.`,
  },
  { id: 'escape' },
)`The ways out: the ladder, and what its rungs need.`

const rounds = settings(
  {
    busy: choice(['reject', 'queue', 'interrupt', 'rollback'], {
      default: 'reject',
    })`What happens to a message for a thread that is at work, or waits for a person.`,
  },
  { id: 'rounds' },
)`What a message means to a thread.`

const failureRule = options(
  {
    id: as(name, { required: true })`The name in the journal.`,
    status: list(count({ min: 0 })``)`One of these HTTP statuses.`,
    code: list(text()``)`One of these codes of a system or a service, as ECONNRESET.`,
    name: list(text()``)`One of these names of errors, as TimeoutError.`,
    message: as(pattern)`What the message must contain; rules without it are applied before all
      that have one.`,
    class: choice(CLASSES, { required: true })`What the failure means for the next attempt.`,
    scope: choice([
      'resource',
      'request',
    ])`What failed: the resource for all callers (it counts for the breaker), or this request only;
      default: request.`,
  },
  { id: 'failureRule' },
)`One line of the table of failures: all conditions given must hold; the first rule that fits
  decides.`

const recurring = options({
  times: count({ min: 2, max: 32, default: 8 })`The number of failures.`,
  within: duration({ default: '10m' })`Within this time.`,
})`Transient failures of one tool or model that count as persistent, each success taking one back.`

const failures = settings(
  {
    rules: list(failureRule, { default: [] })`Rules that are applied before the default table.`,
    defaults: flag({ default: true })`false: only these rules are applied.`,
    recurring: as(optOut(recurring), { default: {} })``,
  },
  { id: 'failures' },
)`Which class a failure has.`

const confirmRule = short(
  settings(
    {
      when: condition`A condition in CEL over \`args\`; default: always.`,
      question: text({ min: 1 })`What the person is asked; \`{{path}}\` stands for an argument.`,
    },
    { id: 'confirmRule' },
  )`When a person must allow a call, and the question.`,
  condition``,
  when => ({ when }),
)

export const confirming = wordOr(CONFIRM, confirmRule, { id: 'confirming' })`Whether a person must
  allow a call before it is made. \`write\`: if the tool writes. A condition in CEL over the
  arguments, as \`args.amount > 100\`: if it holds. A map adds the question.`

const toolPattern = text({
  test: pattern => /^[A-Za-z*][\w*-]*$/.test(pattern),
  expected: 'the name of a tool, or a pattern with *',
})``

/** The parts of a policy. */
export const policyKeys = {
  mode: choice(['act', 'observe'], { default: 'act' })`observe: findings are only reported; limits,
    timeouts, retries and the edges of the spec still act.`,
  limits,
  retry: as(retry)`How failed calls are tried again, unless a tool or model says otherwise.`,
  breaker: as(breaker)`The circuit breakers, unless a tool or model says otherwise.`,
  detect,
  escape,
  rounds,
  failures,
  confirm: record(toolPattern, confirming, {
    default: {},
  })`Calls that a person must allow, by the name of a tool or a pattern with *: a name first, then
    the first pattern that fits.`,
}

export const policyKind = settings(policyKeys)`A policy.`

/** What people write. */
export type PolicyNotation = InOf<typeof policyKind>

/** The same as it is read: durations in ms, the options of detectors complete. */
export type PolicyParts = OutOf<typeof policyKind>

function escalation({
  deadline,
  escalate = [],
}: {
  readonly deadline: number
  readonly escalate?: readonly { readonly after: number }[]
}): Problem[] {
  return escalate.flatMap(({ after }, index) => {
    const path = ['escalate', index, 'after']
    const late = after >= deadline
    const early = after <= (escalate[index - 1]?.after ?? 0)
    return [
      ...(late ? [{ path, message: 'expected a time before the deadline of the review' }] : []),
      ...(early ? [{ path, message: 'expected a time after that of the step before it' }] : []),
    ]
  })
}
