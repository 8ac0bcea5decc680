/**
 * The catalog of reasons: each code with its params and its sentence in American English, without a period. Only faces,
 * prompts and errors render it.
 */

type Texts<K extends string> = Readonly<Record<K, string>>
type Counts<K extends string> = Readonly<Record<K, number>>
type Lists<K extends string> = Readonly<Record<K, readonly string[]>>

type Comparison = { arguments: 'same' | 'similar'; result: keyof typeof RESULTS }
type Limit = Texts<'unit'> & Counts<'limit'> & Partial<Texts<'scope' | 'key'>> & Holder
type Holder = { of: 'thread' | 'round' | 'scope' }

export const CATALOG = {
  // Texts from users and from journals written by 0.1.0.
  custom: ({ text }: Texts<'text'>) => text,
  text: ({ text }: Texts<'text'>) => text,

  // Causes.
  error: (of: Texts<'message'> & Partial<Texts<'class' | 'code'> & Counts<'status'>>) =>
    errorText(of.message, of.status ?? of.code),
  'call-failed': ({ call, times }: Texts<'call'> & Counts<'times'>) =>
    `${call} failed${times > 1 ? ` ${count(times)}` : ''}`,

  // Findings.
  'repeated-sequence': ({ calls, times }: Counts<'times'> & Lists<'calls'>) =>
    `${path(calls)} ran ${count(times)} with the same arguments and the same results`,
  'repeated-call': (of: Texts<'call'> & Counts<'times'> & Comparison) =>
    `${of.call} ran ${count(of.times)} with ${of.arguments} arguments and ${RESULTS[of.result]}`,
  'repeated-state': ({ states, times }: Counts<'times'> & Lists<'states'>) =>
    `${path(states)} repeated ${count(times)} without a change of state`,
  'frequent-state': ({ state, times, seconds }: Texts<'state'> & Counts<'times' | 'seconds'>) =>
    `state '${state}' was entered ${count(times)} within ${seconds} s`,
  'repeated-text': ({ speakers, times }: Counts<'times'> & Lists<'speakers'>) =>
    `${speakers.join(' and ')} repeated the same text ${count(times)} without calling a tool`,
  'degenerate-output': (of: Texts<'speaker' | 'text'> & Counts<'times' | 'characters'>) =>
    `${of.speaker || 'the agent'} repeated "${of.text}" ${count(of.times)} within ${of.characters} characters`,
  'repeated-error': ({ call, times }: Texts<'call'> & Counts<'times'>) =>
    `${call} failed ${count(times)} with the same error`,
  'repeated-answer': ({ call, times }: Texts<'call'> & Counts<'times'>) =>
    `${call} gave the same answer ${count(times)}`,
  'no-new-information': ({ calls, rounds }: Counts<'rounds'> & Lists<'calls'>) =>
    `${rounds} rounds of ${calls.join(', ')} returned almost no new information`,
  'failed-rounds': ({ calls, rounds }: Counts<'rounds'> & Lists<'calls'>) =>
    `all calls failed in ${rounds} consecutive rounds (${calls.join(', ')})`,
  'no-tool-call': ({ model, times }: Texts<'model'> & Counts<'times'>) =>
    `${model} answered ${count(times)} without a tool call`,
  'agent-stuck': ({ text }: Texts<'text'>) => `the agent reported that it is stuck: ${text}`,
  'limit-reached': (of: Limit) => `the limit of ${amount(of)}${holderText(of)} is reached`,
  'scope-held': ({ scope, key, thread, effect }: Texts<'scope' | 'key' | 'thread' | 'effect'>) =>
    `thread '${thread}' of scope '${scope}' (${key}) waits for an answer to ${effect}`,
  'node-failed': ({ node }: Texts<'node'>) => `node '${node}' failed`,
  'no-edge': ({ state, outcome }: Texts<'state' | 'outcome'>) =>
    `state '${state}' has no edge for outcome '${outcome}'`,
  'dead-end': ({ state }: Texts<'state'>) =>
    `state '${state}' has nothing left to do and is not a final state`,
  'rollback-failed': () => 'rollback failed',
  'question-unanswered': () => 'the question expired without an answer',

  // Failures of the runtime itself.
  'crash-loop': ({ starts }: Counts<'starts'>) =>
    `the process crashed in each of ${starts} attempts before it returned anything`,
  'no-answer': ({ ms }: Counts<'ms'>) => `no answer within ${ms} ms`,
  'circuit-open': ({ call, seconds }: Texts<'call'> & Counts<'seconds'>) =>
    `the circuit breaker of ${call} is open; retry in ${seconds} s`,
  'concurrency-limit': ({ call }: Texts<'call'>) => `the concurrency limit of ${call} is reached`,
  'may-still-run': ({ call }: Texts<'call'>) =>
    `an earlier attempt of ${call} may still take effect: the process that made it is not known to have ended`,
  'process-ended': ({ call }: Texts<'call'>) => `the process ended during a call of ${call}`,
  'never-applied': ({ call, attempts }: Texts<'call'> & Counts<'attempts'>) =>
    `each of ${attempts} calls of ${call} ended without an answer and had no effect`,
  'write-in-fork': ({ call }: Texts<'call'>) =>
    `${call} writes, and writes are disabled in this fork`,
  'started-before-fork': ({ call }: Texts<'call'>) =>
    `${call} was running when the fork began, and its effects are unknown; fork before its start to run it again`,
  'retries-spent': ({ call, retries }: Texts<'call'> & Counts<'retries'>) =>
    `the retry budget of ${call} is exhausted: ${retries} retries since its last success`,
  'node-call-limit': ({ node, limit }: Texts<'node'> & Counts<'limit'>) =>
    `node '${node}' reached its limit of ${limit} calls (limits.nodeCalls)`,
  'not-json': ({ path: at, fault }: Texts<'path' | 'fault'>) => `${at} is not JSON: ${fault}`,
  'too-large': ({ path: at, characters, limit }: Texts<'path'> & Counts<'characters' | 'limit'>) =>
    `${at} has ${characters} characters; the limit is ${limit}`,
  'call-rejected': ({ call, note }: Texts<'call'> & Partial<Texts<'note'>>) =>
    `a person rejected this call of ${call}${note === undefined ? '' : `: ${note}`}`,
  'approval-expired': ({ call }: Texts<'call'>) => `the approval of this call of ${call} expired`,
  'approval-required': () => 'this call needs the approval of a person',
  'unknown-name': ({ kind, name, known }: Texts<'kind' | 'name'> & Lists<'known'>) =>
    `unknown ${kind} '${name}'; known ${kind}s: ${list(known)}`,
  'call-changed': ({ id, was, call }: Texts<'id' | 'was' | 'call'>) =>
    `call ${id} was ${was} in the journal and is ${call} with other arguments now; make the node deterministic`,
  'substitute-changed': ({ call, by }: Texts<'call' | 'by'>) =>
    `${by} replaced ${call} in the journal and does not accept the call now`,
  'invalid-reply': ({ path: at, expected }: Texts<'path' | 'expected'>) =>
    `the model returned an invalid reply: ${at}: expected ${expected}`,
  'cannot-compensate': ({ call, id }: Texts<'call' | 'id'>) =>
    `${call} cannot undo ${id}; define compensate`,
  'no-implementation': ({ node, bound }: Texts<'node'> & Lists<'bound'>) =>
    `no implementation is bound to node '${node}'; bound nodes: ${list(bound)}`,
  'invalid-input': ({ fault }: Texts<'fault'>) => `the input is invalid: ${fault}`,
  'recursive-graph': ({ graphs }: Lists<'graphs'>) =>
    `${path(graphs)} would start ${graphs.at(-1)} inside itself with the same input`,
  'foreign-child': ({ thread }: Texts<'thread'>) =>
    `thread '${thread}' has the name of the child, but belongs to another call or input`,
  'nesting-limit': ({ graph }: Texts<'graph'>) =>
    `graph '${graph}' was not started: the nesting limit is reached (limits.depth)`,
  'graph-failed': (of: Texts<'graph' | 'outcome'> & Partial<Texts<'thread'>>) =>
    `graph '${of.graph}' ended with ${of.outcome}${of.thread === undefined ? '' : ` (thread ${of.thread})`}`,
  'result-too-large': ({ graph, characters }: Texts<'graph'> & Counts<'characters'>) =>
    `the result of graph '${graph}' has ${characters} characters, too many to return`,
  'map-failed': (items: Texts<'graph'> & Counts<'wanted' | 'succeeded' | 'of'>) =>
    `graph '${items.graph}' succeeded for ${items.succeeded} of ${items.of} items; ${items.wanted} are required`,
  'not-a-list': ({ input, value }: Texts<'input' | 'value'>) =>
    `input '${input}' is ${value}; a map needs a list`,
  'call-limit': ({ limit }: Counts<'limit'>) => `at most ${limit} calls run in one round`,
  'no-result': () => 'the call has no result',
  'no-call-requested': () =>
    'the last message requests no call; lead to a tools node by the edge done.command of a model node',
  'node-timeout': ({ ms }: Counts<'ms'>) => `the node did not finish within ${ms} ms`,
  'invalid-output': ({ node, path: at, fault }: Texts<'node' | 'path' | 'fault'>) =>
    `node '${node}' returned an invalid output: ${at} ${fault}`,

  // Skipped rungs, and chosen routes that are unavailable.
  'rung-passed': () => 'the ladder is already past this rung',
  'observe-only': () => 'observe mode takes no action',
  'rung-budget-spent': (uses: Counts<'times' | 'earlier'> & { of: 'thread' | 'finding' }) =>
    `already taken ${count(uses.times)} ${uses.of === 'thread' ? 'in this thread' : 'for this finding'}${uses.earlier > 0 ? `, ${uses.earlier} of them by earlier threads` : ''}`,
  'met-by-scope': ({ scope, threads }: Texts<'scope'> & Counts<'threads'>) =>
    `${threads} earlier threads of scope '${scope}' had the same finding`,
  'not-applicable': ({ rung, finding }: Texts<'rung' | 'finding'>) =>
    `not applicable: ${rung} cannot fix ${KINDS[finding] ?? finding}`,
  'no-smarter-model': ({ state }: Partial<Texts<'state'>>) =>
    `no smarter model is available${state === undefined ? '' : ` in state '${state}'`}; set models.smart`,
  'no-alternative-edge': ({ to }: Partial<Texts<'to'>>) =>
    to === undefined ? 'no alternative edge is available' : `no alternative edge leads to '${to}'`,
  'no-reviewer': () => 'no reviewer is configured; set escape.review',
  'no-savepoint': () => 'no savepoint is available; a savepoint needs progress',
  'call-unresolved': ({ call }: Texts<'call'>) => `the outcome of a call of ${call} is unknown`,
  'child-unresolved': ({ graph }: Texts<'graph'>) => `graph '${graph}' is still running`,
  'irreversible-write': ({ tool }: Texts<'tool'>) =>
    `a write of ${tool} cannot be undone; list it in escape.rollback.accept to keep it`,
  'unknown-rung': ({ rung }: Texts<'rung'>) => `rung '${rung}' is not defined`,
  'rung-broke': ({ message }: Texts<'message'>) => `the rung threw an error: ${message}`,
  'invalid-rung-result': () => 'the rung returned no valid route',
  'no-finding': () => 'only a question of the watchdog offers routes',

  // Rejected commands and events.
  'thread-ended': ({ reason }: Texts<'reason'>) => `the thread has ended (${reason})`,
  'thread-busy': ({ round }: Counts<'round'>) =>
    `the thread is busy with round ${round}; set rounds.busy to accept messages meanwhile`,
  'queue-full': ({ limit }: Counts<'limit'>) => `${limit} messages are queued already`,
  'not-waiting': ({ thread }: Texts<'thread'>) => `the thread does not wait for '${thread}'`,
  'unknown-question': ({ question, open }: Texts<'question'> & Lists<'open'>) =>
    `unknown question '${question}'; open questions: ${list(open)}`,
  'question-closed': ({ question, open }: Texts<'question'> & Lists<'open'>) =>
    `question '${question}' is closed; open questions: ${list(open)}`,
  'question-expired': ({ question }: Texts<'question'>) => `question '${question}' has expired`,
  'wrong-decision': ({ question, expected }: Texts<'question'> & Lists<'expected'>) =>
    `question '${question}' expects one of: ${expected.join(', ')}`,
  'only-decision': ({
    question,
    decision,
    unused,
  }: Texts<'question' | 'decision'> & Lists<'unused'>) =>
    `question '${question}' does not take ${unused.join(', ')} with '${decision}'`,
  'route-unavailable': ({ question, rung }: Texts<'question' | 'rung'>) =>
    `question '${question}' cannot be answered with ${rung}`,
  'unknown-target': ({ question, to }: Texts<'question' | 'to'>) =>
    `question '${question}' cannot continue in '${to}'; expected a working node`,
  'missing-arguments': ({ question, call }: Texts<'question' | 'call'>) =>
    `question '${question}' needs an output with the edited arguments of ${call}`,
  'invalid-answer': ({ question, fault }: Texts<'question' | 'fault'>) =>
    `the output for question '${question}' is invalid: ${fault}`,
  'invalid-policy': ({ faults }: Lists<'faults'>) => faults.join('; '),
  'invalid-event': (of: Texts<'expected' | 'received'> & Partial<Texts<'path'>>) =>
    `${of.path === undefined ? '' : `${of.path}: `}expected ${of.expected}, received ${of.received}`,
  'unknown-field': ({ type, field, known }: Texts<'type' | 'field'> & Lists<'known'>) =>
    `${field}: unknown field of ${type}; known fields: ${list(known)}`,
  'event-not-json': ({ fault }: Texts<'fault'>) => `${fault}; an event must be JSON`,
  'event-too-large': ({ characters, limit }: Counts<'characters' | 'limit'>) =>
    `the event has ${characters} characters; the limit is ${limit}`,

  // States of a write.
  'effect-pending': () => 'is in progress',
  'effect-applied': ({ by }: { by?: keyof typeof WITNESSES }) =>
    `took effect${by === undefined ? '' : `, ${WITNESSES[by]}`}`,
  'effect-unknown': () => 'may have taken effect',
  'effect-late': () => 'took effect after the thread had given it up',
  'no-effect': () => 'had no effect',
  'undo-pending': ({ id }: Texts<'id'>) => `took effect; ${id} is undoing it`,
  undone: ({ id }: Texts<'id'>) => `undone by ${id}`,
  'undo-unknown': () => 'took effect and may have been undone',
  'undo-failed': () => 'took effect and could not be undone',

  // Questions of the runtime.
  'ask-route': () => 'The agent is stuck. How should it continue?',
  'ask-outcome': ({ call }: Texts<'call'>) =>
    `The outcome of a call of ${call} is unknown. Did it take effect?`,
  'ask-approval': ({ call, arguments: args }: Texts<'call' | 'arguments'>) =>
    `Allow the call ${call} ${args}?`,

  // Endings.
  'goal-reached': () => 'the goal is reached',
  'ended-in-failure': () => 'the graph ended in a failure state',
  'ended-as-stopped': () => 'the graph ended in a stopped state',
  cancelled: ({ text }: Partial<Texts<'text'>>) =>
    text === undefined ? 'the thread was cancelled' : `cancelled: ${text}`,
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
  'machine-failed': ({ message }: Texts<'message'>) => `the machine failed: ${message}`,
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
  if (code === undefined || message.includes(String(code))) return message
  return message === '' ? String(code) : `${message} (${code})`
}

function amount({ unit, limit }: Limit): string {
  if (unit === 'duration') return `${limit} ms`
  return unit === 'usd' ? `$${limit}` : `${limit} ${UNITS[unit] ?? unit}`
}

const UNITS: Readonly<Record<string, string>> = {
  toolCalls: 'tool calls',
  modelCalls: 'model calls',
}

function holderText({ of, scope, key }: Limit): string {
  if (of === 'scope') return ` for scope '${scope}' (${key})`
  return of === 'round' ? ' per round' : ''
}
