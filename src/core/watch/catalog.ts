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
  'question-unanswered': ({ question }) => `the question expired without an answer: ${question}`,

  'crash-loop': ({ starts }) =>
    `the process crashed in each of ${starts} attempts before it returned anything`,
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

  'goal-reached': () => 'the goal is reached',
  'ended-in-failure': () => 'the graph ended in a failure state',
  'ended-as-stopped': () => 'the graph ended in a stopped state',
  cancelled: ({ text }) => (text === undefined ? 'the thread was cancelled' : `cancelled: ${text}`),
  interrupted: () => 'a new message interrupted the round',
  'review-expired': () => 'the review expired without an answer',
  'review-stopped': () => 'the reviewer stopped the thread',
  'review-rejected': () => 'the reviewer rejected the proposal',
  'machine-failed': ({ message }) => `the machine failed: ${message}`,
}

const RESULTS = {
  'nothing-new': 'no new result',
  'same-words': 'the same words in each result',
  unknown: 'an unknown result',
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
