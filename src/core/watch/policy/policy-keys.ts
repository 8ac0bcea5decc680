/** Every key of the policy notation, with its kind, range, default and meaning. Reading, display and documentation all derive from it. */
import type { z } from 'zod'
import { doc } from '../data/doc.ts'
import { CLASSES } from '../failure/failure-class.ts'
import { detect } from './detect-keys.ts'
import { type InOf, type OutOf, as } from './key.ts'
import { options, optOut, record, settings, short, wordOr } from './map-keys.ts'
import { amount, choice, condition, count, duration, flag, list, share } from './value-keys.ts'
import { isName, name, pattern, text } from './value-keys.ts'

export const RUNGS = [
  'retry',
  'rethink',
  'substitute',
  'wait',
  'alternative',
  'rollback',
  'review',
  'restrict',
  'stop',
] as const

/** Restricted mode is for graphs that choose it. */
const LADDER = RUNGS.filter(rung => rung !== 'restrict')

export const retry = short(
  settings('retry', {
    attempts: count({ default: 3 })`The number of attempts, including the first.`,
    base: duration({ default: '1s' })`The wait before the second attempt. It doubles after each
        attempt, with jitter, and is never shorter than the service requests.`,
    cap: duration({ default: '1m' })`The longest wait. A call is not retried if the service
        requests more.`,
    on: list(choice(CLASSES)``, { default: ['transient'] })`The retried failure classes.
    A write that must not be repeated is retried only if it was refused.`,
    total: count({ default: 12 })`The number of retries of one tool or model until it succeeds: by
        its SDK, by the runtime, and by a model that repeats its call.`,
  })`How failed calls are retried. A number in place of the map is the number of retries; 0 disables
    them. A write that may have taken effect is retried only if it is idempotent.`,
  count({ min: 0 })``,
  retries => ({ attempts: retries + 1 }),
)

export const breaker = settings('breaker', {
  threshold: count({ default: 3 })`The number of consecutive failures that open it.`,
  rate: share`The share of failed calls above which it opens too, such as 0.5. A success then removes
    \`rate / (1 - rate)\` failures. Default: a success removes all.`,
  reset: duration({ default: '30s' })`The time it stays open before it allows a probe.`,
  probes: count()`The calls that pass then, and must all succeed to close it. Default: 1.`,
})`The circuit breaker of a tool or a model. While it is open, calls are refused at once.`

const spendable = {
  steps: count()`Performed nodes and waits. As in all other limits, graphs that run as nodes count.`,
  toolCalls: count()`Tool calls. Every attempt counts; compensation does not.`,
  modelCalls: count()`Model calls. Every attempt counts.`,
  tokens: count()`Tokens of all models, input and output. They are known after each call, so the
    last call may exceed the limit.`,
  usd: amount`Cost, from the \`price\` of the models. It is also known only after each call.`,
  duration: duration()`Time, without waits for people and without the time in which no process drives
    the thread.`,
}

const SCOPE_KEY = { min: 1, max: 200 }

export const SCOPE_KEY_EXPECTED = 'a text from 1 to 200 characters'

/** Whether threads may share a scope by this key. */
export const isScopeKey = (key: unknown): boolean =>
  typeof key === 'string' && key.length >= SCOPE_KEY.min && key.length <= SCOPE_KEY.max

const scope = options('scope', {
  ...spendable,
  key: text(SCOPE_KEY)`Threads with the same key share the scope. Default: the id of
      the graph.`,
  per: duration({ default: '1d' })`The time window. Older spending does not count.`,
  loops: count({ min: 2, max: 12, default: 3 })`The nth thread of the scope that meets the same
      loop asks a person at once.`,
})`A budget and a record of loops, shared by all threads with the same key.`

const limits = settings('limits', {
  steps: as(spendable.steps, { default: 100 })``,
  toolCalls: as(spendable.toolCalls, { default: 200 })``,
  modelCalls: as(spendable.modelCalls, { default: 100 })``,
  tokens: as(spendable.tokens, { default: 2_000_000 })``,
  usd: as(spendable.usd, { default: 10 })``,
  duration: as(spendable.duration, { default: '1d' })``,
  nodeCalls: count({ default: 1_000 })`Calls and reports of one node before it fails
      (TooManyCalls).`,
  concurrency: count()`The maximum number of nodes at work at once. Default: unlimited.`,
  reserve: share`The share of each limit that is kept for a final answer. When less than that, or only
      one model call, is left, the next model node answers without tools, with what is known. With this
      key, every model node shows the model what is left. Default: nothing is kept.`,
  round: as(settings('spending', spendable)`Spending limits.`)`The limits of each round:
      what one message may spend.`,
  depth: count({ min: 0, max: 64, default: 8 })`The number of graphs that may be nested below this
      one.`,
  mistakes: count()`Consecutive rounds in which all calls fail; the same as
      \`detect.mistakes.limit\`.`,
  scopes: record(name, scope)`Budgets that threads share, by scope name.`,
})`The spending limits of a thread.`

const rungBudget = settings('rungBudget', {
  perLoop: count({ min: 0 })`The number of uses for the same loop.`,
  total: count({ min: 0 })`The number of uses until the run makes progress.`,
})`How often a rung may be used; 0 means never.`

const recipient = { min: 1, max: 80 }

export const review = options(
  'review',
  {
    deadline: duration({ required: true })`The time a person has to answer.`,
    otherwise: choice(['stop', 'continue'], { default: 'stop' })`What happens without an answer: end
      the run, or continue from the question.`,
    to: text(recipient)`The recipient of questions: a name that \`notify\` defines.`,
    escalate: list(
      options('', {
        to: text({ ...recipient, required: true })`The next recipient.`,
        after: duration({ required: true })`The time since the question was asked. It must be before
          the deadline.`,
      })``,
      { max: 8 },
    )`The next recipients while the question is open.`,
  },
  { check: escalation },
)`Allows the rung \`review\`, which asks a person.`

export const wait = options('wait', {
  most: duration({ default: '1m' })`The longest time one call waits in total. A call is refused at
    once if the next probe is later. While a probe runs, the call waits for its result.`,
})`Allows the rung \`wait\` for models and tools: a call that an open breaker would refuse waits
    until the breaker allows a probe. Without it, only models wait, up to 1 minute.`

const rung = text({
  test: isName,
  known: RUNGS,
  expected: `a rung: ${RUNGS.join(', ')}, or the name of a custom one`,
})``

const unattended = options('unattended', {
  ladder: list(rung, { unique: true })`The escapes in the order in which they are tried. Default:
      \`escape.ladder\`.`,
  mode: choice(['act', 'observe'])`Whether findings act. Default: \`mode\`.`,
})`What applies to a finding while the thread has no follower: the process that drives it has
  no terminal, and no reader of the events of the thread.`

/** The most problems with an order of their own. */
export const ORDERS_MAX = 32

const rungOrder = options('rungOrder', {
  subject: text({
    required: true,
  })`The tool that failed, or what repeats, as \`escapement efficacy\`
    shows it.`,
  problem: text({ required: true })`The class of the failure, or the kind of the finding.`,
  rungs: list(rung, {
    unique: true,
    required: true,
  })`The rungs in the order in which they are tried. Only \`rethink\` and \`alternative\` can change their
    places, if no other rung that answers findings stands between them.`,
})`The order of rungs against one problem.`

const escape = settings('escape', {
  ladder: list(rung, { default: LADDER, unique: true })`The escapes in the order in which they are
      tried, built-in and custom. A rung that is absent is never used.`,
  budget: settings('', {
    rethink: as(rungBudget, { default: { perLoop: 1, total: 3 } })`Calls of the smarter model.`,
    alternative: as(rungBudget, { default: { perLoop: 2, total: 6 } })`Alternative edges.`,
    rollback: as(rungBudget, { default: { perLoop: 1, total: 2 } })`Rollbacks.`,
    review: as(rungBudget, { default: { perLoop: 1, total: 3 } })`Questions.`,
    restrict: as(rungBudget, { default: { perLoop: 1, total: 3 } })`Restrictions.`,
  })`How often each rung may be used.`,
  alternatives: record(name, list(name)``, { default: {} })`For a node, the nodes to which an
      escape may lead. The least recently tried one is used.`,
  explore: list(name, { default: [] })`Nodes whose own edges, except those to final nodes, are
      alternatives too. Name no node whose edges guard an action, such as an approval.`,
  rollback: settings('', {
    accept: list(name, { default: [] })`Tools and graphs whose writes may remain.`,
  })`What a rollback may leave in place.`,
  review,
  wait,
  unattended,
  restarts: count({ min: 0, default: 3 })`How often progress may restart the ladder.`,
  learn: flag()`A new thread takes the order of \`rethink\` and \`alternative\` from how the latest
    threads of the graph ended. The order is recorded in its policy. Default: the order of the ladder.`,
  orders: list(rungOrder, {
    max: ORDERS_MAX,
  })`Orders for single problems. \`learn\` writes them when a thread
    starts.`,
})`The escapes: the ladder and the options of its rungs.`

const BUSY = ['reject', 'queue', 'interrupt', 'rollback'] as const

const rounds = settings('rounds', {
  busy: choice(BUSY, { default: 'reject' })`What happens to a message while the thread works or
    waits for a person.`,
})`How a thread handles messages.`

const failureRule = options('failureRule', {
  id: as(name, { required: true })`The name in the journal.`,
  status: list(count({ min: 0 })``)`One of these HTTP statuses.`,
  code: list(text()``)`One of these system or service codes, such as ECONNRESET.`,
  name: list(text()``)`One of these error names, such as TimeoutError.`,
  message: as(pattern)`A pattern that the message must contain. Rules without it are applied
      first.`,
  class: choice(CLASSES, { required: true })`What the failure means for the next attempt.`,
  scope: choice(['resource', 'request'])`What failed: the resource for all callers (it counts for
      the breaker), or this request only. Default: request.`,
})`A rule that classifies failures. All given conditions must hold. The first matching rule applies.`

const recurring = options('', {
  times: count({ min: 2, max: 32, default: 8 })`The number of failures.`,
  within: duration({ default: '10m' })`The time window.`,
})`When repeated transient failures of one tool or model count as persistent. Each success removes
  one failure.`

const failures = settings('failures', {
  rules: list(failureRule, { default: [] })`Rules that are applied before the default table.`,
  defaults: flag({ default: true })`false: only these rules are applied.`,
  recurring: as(optOut(recurring), { default: {} })``,
})`How failures are classified.`

const confirmRule = short(
  settings('confirmRule', {
    when: condition`A condition in CEL over \`args\`. Default: always.`,
    question: text({ min: 1 })`The question to the person. \`{{path}}\` stands for an argument.`,
  })`When a person must allow a call, and the question.`,
  condition``,
  when => ({ when }),
)

/** `write`: only if the tool writes. */
export const CONFIRM = ['always', 'write', 'never'] as const

export const confirming = doc(wordOr(CONFIRM, confirmRule), 'confirming')`Whether a person must
  allow a call before it is made. \`write\`: if the tool writes. A text is a condition in CEL over
  the arguments, such as \`args.amount > 100\`. A map adds the question.`

const toolPattern = text({
  test: pattern => /^[A-Za-z*][\w*-]*$/.test(pattern),
  expected: 'the name of a tool, or a pattern with *',
})``

/** The parts of a policy. */
export const policyKeys = {
  mode: choice(['act', 'observe'], { default: 'act' })`observe: findings are only reported. Limits,
    timeouts, retries and the edges of the spec still apply.`,
  limits,
  retry: as(retry)`How failed calls are retried, unless a tool or model overrides it.`,
  breaker: as(breaker)`The circuit breakers, unless a tool or model overrides them.`,
  detect,
  escape,
  rounds,
  failures,
  confirm: record(toolPattern, confirming, { default: {} })`Calls that a person must allow, by tool
    name or pattern with *. A name takes precedence; otherwise the first matching pattern applies.`,
}

export const policyKind = settings('', policyKeys)`A policy.`

/** The notation of a policy. */
export type PolicyNotation = InOf<typeof policyKind>

/** The parsed notation: durations in ms, detector options complete. */
export type PolicyParts = OutOf<typeof policyKind>

function escalation(
  review: { readonly deadline: number; readonly escalate?: readonly { readonly after: number }[] },
  context: z.RefinementCtx,
): void {
  const { deadline, escalate = [] } = review
  for (const [index, { after }] of escalate.entries()) {
    const fault = (message: string) =>
      context.addIssue({ code: 'custom', path: ['escalate', index, 'after'], message })
    if (after >= deadline) fault('expected a time before the deadline of the review')
    if (after <= (escalate[index - 1]?.after ?? 0))
      fault('expected a time after that of the previous step')
  }
}
