/** The catalog of messages: each code as one American English sentence, without its period. Only faces, prompts and errors render. */
import type { Code, Reason, ReasonParams } from './reason.ts'

type Catalog = { readonly [C in Code]: (params: ReasonParams[C]) => string }

const CATALOG: Catalog = {
  custom: ({ text }) => text,
  text: ({ text }) => text,

  error: ({ message, status, code }) => errorText(message, status ?? code),
  'call-failed': ({ call, times }) => `${call} failed${times > 1 ? ` ${count(times)}` : ''}`,

  'repeated-sequence': ({ calls, times }) =>
    `${path(calls)} ran ${count(times)} with the same arguments and the same results`,
  'repeated-call': ({ call, times, arguments: args, result }) =>
    `${call} ran ${count(times)} with ${args} arguments and ${RESULTS[result]}`,
  'repeated-state': ({ states, times }) =>
    `${path(states)} repeated ${count(times)} without a change of state`,
  'frequent-state': ({ state, times, seconds }) =>
    `state '${state}' was entered ${count(times)} within ${seconds} s`,
  'repeated-text': ({ speakers, times }) =>
    `${speakers.join(' and ')} repeated the same text ${count(times)} without calling a tool`,
  'degenerate-output': ({ speaker, times, characters, text }) =>
    `${speaker || 'the agent'} repeated "${text}" ${count(times)} within ${characters} characters`,
  'repeated-error': ({ call, times }) => `${call} failed ${count(times)} with the same error`,
  'no-new-information': ({ calls, rounds }) =>
    `${rounds} rounds of ${calls.join(', ')} returned almost no new information`,
  'failed-rounds': ({ calls, rounds }) =>
    `all calls failed in ${rounds} consecutive rounds (${calls.join(', ')})`,
  'no-tool-call': ({ model, times }) => `${model} answered ${count(times)} without a tool call`,
  'agent-stuck': ({ text }) => `the agent reported that it is stuck: ${text}`,
  'limit-reached': ({ unit, limit, of, scope, key }) =>
    `the limit of ${amount(unit, limit)}${of === 'round' ? ' per round' : of === 'scope' ? ` for scope '${scope}' (${key})` : ''} is reached`,
  'scope-held': ({ scope, key, thread, effect }) =>
    `thread '${thread}' of scope '${scope}' (${key}) waits for an answer to ${effect}`,
  'node-failed': ({ node }) => `node '${node}' failed`,
  'no-edge': ({ state, outcome }) => `state '${state}' has no edge for outcome '${outcome}'`,
  'dead-end': ({ state }) => `state '${state}' has nothing left to do and is not a final state`,
  'rollback-failed': () => 'rollback failed',
  'question-unanswered': () => 'the question expired without an answer',

  'crash-loop': ({ starts }) =>
    `the process crashed in each of ${starts} attempts before it returned anything`,
  'no-answer': ({ ms }) => `no answer within ${ms} ms`,
  'circuit-open': ({ call, seconds }) =>
    `the circuit breaker of ${call} is open; retry in ${seconds} s`,
  'concurrency-limit': ({ call }) => `the concurrency limit of ${call} is reached`,
  'process-ended': ({ call }) => `the process ended during a call of ${call}`,
  'never-applied': ({ call, attempts }) =>
    `each of ${attempts} calls of ${call} ended without an answer and had no effect`,
  'write-in-fork': ({ call }) => `${call} writes, and writes are disabled in this fork`,
  'started-before-fork': ({ call }) =>
    `${call} was running when the fork began, and its effects are unknown; fork before its start to run it again`,
  'retries-spent': ({ call, retries }) =>
    `the retry budget of ${call} is exhausted: ${retries} retries since its last success`,
  'node-call-limit': ({ node, limit }) =>
    `node '${node}' reached its limit of ${limit} calls (limits.nodeCalls)`,
  'not-json': ({ path: at, fault }) => `${at} is not JSON: ${fault}`,
  'too-large': ({ path: at, characters, limit }) =>
    `${at} has ${characters} characters; the limit is ${limit}`,
  'call-rejected': ({ call, note }) =>
    `a person rejected this call of ${call}${note === undefined ? '' : `: ${note}`}`,
  'approval-expired': ({ call }) => `the approval of this call of ${call} expired`,
  'approval-required': () => 'this call needs the approval of a person',
  'unknown-name': ({ kind, name, known }) =>
    `unknown ${kind} '${name}'; known ${kind}s: ${list(known)}`,
  'call-changed': ({ id, was, call }) =>
    `call ${id} was ${was} in the journal and is ${call} with other arguments now; make the node deterministic`,
  'substitute-changed': ({ call, by }) =>
    `${by} replaced ${call} in the journal and does not accept the call now`,
  'invalid-reply': ({ path: at, expected }) =>
    `the model returned an invalid reply: ${at}: expected ${expected}`,
  'cannot-compensate': ({ call, id }) => `${call} cannot undo ${id}; define compensate`,
  'no-implementation': ({ node, bound }) =>
    `no implementation is bound to node '${node}'; bound nodes: ${list(bound)}`,
  'invalid-input': ({ fault }) => `the input is invalid: ${fault}`,
  'recursive-graph': ({ graphs }) =>
    `${path(graphs)} would start ${graphs.at(-1)} inside itself with the same input`,
  'nesting-limit': ({ graph }) =>
    `graph '${graph}' was not started: the nesting limit is reached (limits.depth)`,
  'graph-failed': ({ graph, outcome, thread }) =>
    `graph '${graph}' ended with ${outcome}${thread === undefined ? '' : ` (thread ${thread})`}`,
  'result-too-large': ({ graph, characters }) =>
    `the result of graph '${graph}' has ${characters} characters, too many to return`,
  'map-failed': ({ graph, wanted, succeeded, of }) =>
    `graph '${graph}' succeeded for ${succeeded} of ${of} items; ${wanted} are required`,
  'not-a-list': ({ input, value }) => `input '${input}' is ${value}; a map needs a list`,
  'call-limit': ({ limit }) => `at most ${limit} calls run in one round`,
  'no-result': () => 'the call has no result',
  'no-call-requested': () =>
    'the last message requests no call; lead to a tools node by the edge done.command of a model node',
  'node-timeout': ({ ms }) => `the node did not finish within ${ms} ms`,
  'invalid-output': ({ node, path: at, fault }) =>
    `node '${node}' returned an invalid output: ${at} ${fault}`,

  'rung-passed': () => 'the ladder is already past this rung',
  'observe-only': () => 'observe mode takes no action',
  'rung-budget-spent': ({ times, of, earlier }) =>
    `already taken ${count(times)} ${of === 'thread' ? 'in this thread' : 'for this finding'}${earlier > 0 ? `, ${earlier} of them by earlier threads` : ''}`,
  'met-by-scope': ({ scope, threads }) =>
    `${threads} earlier threads of scope '${scope}' had the same finding`,
  'not-applicable': ({ rung, finding }) =>
    `not applicable: ${rung} cannot fix ${KINDS[finding] ?? finding}`,
  'no-smarter-model': ({ state }) =>
    `no smarter model is available${state === undefined ? '' : ` in state '${state}'`}; set models.smart`,
  'no-alternative-edge': ({ to }) =>
    to === undefined ? 'no alternative edge is available' : `no alternative edge leads to '${to}'`,
  'no-reviewer': () => 'no reviewer is configured; set escape.review',
  'no-savepoint': () => 'no savepoint is available; a savepoint needs progress',
  'call-unresolved': ({ call }) => `the outcome of a call of ${call} is unknown`,
  'child-unresolved': ({ graph }) => `graph '${graph}' is still running`,
  'irreversible-write': ({ tool }) =>
    `a write of ${tool} cannot be undone; list it in escape.rollback.accept to keep it`,
  'unknown-rung': ({ rung }) => `rung '${rung}' is not defined`,
  'rung-broke': ({ message }) => `the rung threw an error: ${message}`,
  'invalid-rung-result': () => 'the rung returned no valid route',
  'no-finding': () => 'only a question of the watchdog offers routes',

  'thread-ended': ({ reason }) => `the thread has ended (${reason})`,
  'thread-busy': ({ round }) =>
    `the thread is busy with round ${round}; set rounds.busy to accept messages meanwhile`,
  'queue-full': ({ limit }) => `${limit} messages are queued already`,
  'not-waiting': ({ thread }) => `the thread does not wait for '${thread}'`,
  'unknown-question': ({ question, open }) =>
    `unknown question '${question}'; open questions: ${list(open)}`,
  'question-closed': ({ question, open }) =>
    `question '${question}' is closed; open questions: ${list(open)}`,
  'question-expired': ({ question }) => `question '${question}' has expired`,
  'wrong-decision': ({ question, expected }) =>
    `question '${question}' expects one of: ${expected.join(', ')}`,
  'only-decision': ({ question }) => `question '${question}' accepts only a decision`,
  'route-unavailable': ({ question, rung }) =>
    `question '${question}' cannot be answered with ${rung}`,
  'unknown-target': ({ question, to }) =>
    `question '${question}' cannot continue in '${to}'; expected a working node`,
  'missing-arguments': ({ question, call }) =>
    `question '${question}' needs an output with the edited arguments of ${call}`,
  'invalid-answer': ({ question, fault }) =>
    `the output for question '${question}' is invalid: ${fault}`,
  'invalid-policy': ({ faults }) => faults.join('; '),
  'invalid-event': ({ path: at, expected, received }) =>
    `${at === undefined ? '' : `${at}: `}expected ${expected}, received ${received}`,
  'unknown-field': ({ type, field, known }) =>
    `${field}: unknown field of ${type}; known fields: ${list(known)}`,
  'event-not-json': ({ fault }) => `${fault}; an event must be JSON`,
  'event-too-large': ({ characters, limit }) =>
    `the event has ${characters} characters; the limit is ${limit}`,

  'effect-pending': () => 'is in progress',
  'effect-applied': ({ by }) => `took effect${by === undefined ? '' : `, ${WITNESSES[by]}`}`,
  'effect-unknown': () => 'may have taken effect',
  'effect-late': () => 'took effect after the thread had given it up',
  'no-effect': () => 'had no effect',
  'undo-pending': ({ id }) => `took effect; ${id} is undoing it`,
  undone: ({ id }) => `undone by ${id}`,
  'undo-unknown': () => 'took effect and may have been undone',
  'undo-failed': () => 'took effect and could not be undone',

  'ask-route': () => 'The agent is stuck. How should it continue?',
  'ask-outcome': ({ call }) => `The outcome of a call of ${call} is unknown. Did it take effect?`,
  'ask-approval': ({ call, arguments: args }) => `Allow the call ${call} ${args}?`,

  'goal-reached': () => 'the goal is reached',
  'ended-in-failure': () => 'the graph ended in a failure state',
  'ended-as-stopped': () => 'the graph ended in a stopped state',
  cancelled: ({ text }) => (text === undefined ? 'the thread was cancelled' : `cancelled: ${text}`),
  interrupted: () => 'a new message interrupted the round',
  'review-expired': () => 'the review expired without an answer',
  'review-stopped': () => 'the reviewer stopped the thread',
  'review-rejected': () => 'the reviewer rejected the proposal',
  'parent-ended': () => 'the thread that started it ended',
  'parent-continued': () => 'the thread that started it continues without it',
  'node-left': () => 'its node was left',
  'enough-succeeded': () => 'enough other items succeeded',
  'too-many-failed': () => 'too many other items failed',
  'not-started': () => 'the thread did not start',
  'not-ended': () => 'the thread has not ended',
  'machine-failed': ({ message }) => `the machine failed: ${message}`,
}

const RESULTS = {
  'nothing-new': 'no new result',
  'same-words': 'the same words in each result',
  unknown: 'an unknown result',
} as const

const WITNESSES = {
  tool: 'according to the tool',
  person: 'according to a person',
  late: 'according to its late answer',
} as const

const KINDS: Readonly<Record<string, string>> = {
  budget: 'a spent budget',
  failure: 'a failure',
  circuit: 'an open circuit breaker',
  noToolCall: 'a missing tool call',
  degenerateOutput: 'degenerate output',
}

export const CODES = Object.keys(CATALOG) as readonly Code[]

/**
 * One sentence: what happened, and with what cause.
 *
 * @example console.log(explain(finding.reason))
 */
export function explain(reason: Reason): string {
  const { cause } = reason
  const text = sentence(reason)
  if (cause === undefined) return text
  if (cause.code !== 'call-failed') return `${text}: ${explain(cause)}`
  // What the call itself did adds nothing to its failure.
  return isAbout(reason, cause.params.call) ? explain(cause) : `${explain(cause)}; then ${text}`
}

function sentence({ code, params = {} }: Reason): string {
  const render = CATALOG[code] as ((params: object) => string) | undefined
  // A journal of a newer version may hold a code that this version does not know.
  return render ? render(params) : `${code} ${JSON.stringify(params)}`
}

function isAbout({ params }: Reason, call: string): boolean {
  const about: { readonly call?: string; readonly calls?: readonly string[] } = params ?? {}
  return about.call === call || (about.calls?.length === 1 && about.calls[0] === call)
}

function list(names: readonly string[]): string {
  return names.join(', ') || '(none)'
}

function count(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}

function path(names: readonly string[]): string {
  return names.join(' → ')
}

function errorText(message: string, code: string | number | undefined): string {
  return code === undefined || message.includes(String(code))
    ? message
    : message === ''
      ? String(code)
      : `${message} (${code})`
}

const UNITS: Readonly<Record<string, string>> = {
  toolCalls: 'tool calls',
  modelCalls: 'model calls',
}

function amount(unit: string, limit: number): string {
  if (unit === 'duration') return `${limit} ms`
  return unit === 'usd' ? `$${limit}` : `${limit} ${UNITS[unit] ?? unit}`
}

/** An error of the runtime itself. What is stored of it is its reason. */
export class ReasonError extends Error {
  readonly reason: Reason
  constructor(name: string, reason: Reason) {
    super(explain(reason))
    this.name = name
    this.reason = reason
  }
}
