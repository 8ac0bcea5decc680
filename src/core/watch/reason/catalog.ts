/** The catalog of reasons: each code with its sentence in American English, without a period. Only faces, prompts and errors render it. */

type Texts<K extends string> = Readonly<Record<K, string>>
type Counts<K extends string> = Readonly<Record<K, number>>
type Lists<K extends string> = Readonly<Record<K, readonly string[]>>

type Comparison = { arguments: 'same' | 'similar'; result: keyof typeof RESULTS }
type Limit = Texts<'unit'> &
  Counts<'limit'> &
  Partial<Texts<'scope' | 'key'> & Counts<'reserved'>> &
  Holder
type Holder = { of: 'thread' | 'round' | 'scope' }

export const CATALOG = {
  // Texts from users and from journals written by 0.1.0.
  custom: '{text}',
  text: '{text}',

  // Causes.
  error: (of: Texts<'message'> & Partial<Texts<'class' | 'code'> & Counts<'status'>>) =>
    errorText(of.message, of.status ?? of.code),
  'call-failed': ({ call, times }: Texts<'call'> & Counts<'times'>) =>
    `${call} failed${times > 1 ? ` ${count(times)}` : ''}`,

  // Findings.
  'repeated-sequence':
    '{calls:path} ran {times:count} with the same arguments and the same results',
  'repeated-call': (of: Texts<'call'> & Counts<'times'> & Comparison) =>
    `${of.call} ran ${count(of.times)} with ${of.arguments} arguments and ${RESULTS[of.result]}`,
  'repeated-state': '{states:path} repeated {times:count} without a change of state',
  'frequent-state': "state '{state}' was entered {times:count} within {seconds:n} s",
  'repeated-text': '{speakers:and} repeated the same text {times:count} without calling a tool',
  'repeated-paragraph': '{speakers:and} repeated the same paragraph {times:count}',
  'degenerate-output': (of: Texts<'speaker' | 'text'> & Counts<'times' | 'characters'>) =>
    `${of.speaker || 'the agent'} repeated "${of.text}" ${count(of.times)} within ${of.characters} characters`,
  'repeated-error': '{call} failed {times:count} with the same error',
  'repeated-answer': '{call} gave the same answer {times:count}',
  'no-new-information': '{rounds:n} rounds of {calls:list} returned almost no new information',
  'failed-rounds': 'all calls failed in {rounds:n} consecutive rounds ({calls:list})',
  'no-tool-call': '{model} answered {times:count} without a tool call',
  'agent-stuck': 'the agent reported that it is stuck: {text}',
  'limit-reached': (of: Limit) =>
    `the limit of ${amount(of)}${holderText(of)} is reached${reservedText(of)}`,
  deadlock: 'threads wait for each other: {threads:path}',
  'scope-held': "thread '{thread}' of scope '{scope}' ({key}) waits for an answer to {effect}",
  'node-failed': "node '{node}' failed",
  'no-edge': "state '{state}' has no edge for outcome '{outcome}'",
  'dead-end': "state '{state}' has nothing left to do and is not a final state",
  'rollback-failed': 'rollback failed',
  'question-unanswered': 'the question expired without an answer',
  'question-answered': "the question was answered '{decision}'",

  // Failures of the runtime itself.
  'crash-loop': 'the process crashed in each of {starts:n} attempts before it returned anything',
  'no-answer': 'no answer within {ms:n} ms',
  'circuit-open': 'the circuit breaker of {call} is open; retry in {seconds:n} s',
  'concurrency-limit': 'the concurrency limit of {call} is reached',
  'may-still-run':
    'an earlier attempt of {call} may still take effect: the process that made it is not known to have ended',
  'reconcile-failed': '`reconcile` of {call} failed ({message}) after a call in doubt',
  // Not a template: it would take the braces of the form for a param.
  'reconcile-invalid': ({ call, received }: Texts<'call' | 'received'>) =>
    `\`reconcile\` of ${call} returned ${received} instead of { answer: 'applied' | 'not-applied' | 'unknown' } after a call in doubt`,
  'process-ended': 'the process ended during a call of {call}',
  'never-applied': 'each of {attempts:n} calls of {call} ended without an answer and had no effect',
  'write-in-fork': '{call} writes, and writes are disabled in this fork',
  'started-before-fork':
    '{call} was running when the fork began, and its effects are unknown; fork before its start to run it again',
  'retries-spent':
    'the retry budget of {call} is exhausted: {retries:n} retries since its last success',
  'node-call-limit': "node '{node}' reached its limit of {limit:n} calls (limits.nodeCalls)",
  'not-json': '{path} is not JSON: {fault}',
  'too-large': '{path} has {characters:n} characters; the limit is {limit:n}',
  'call-rejected': ({ call, note }: Texts<'call'> & Partial<Texts<'note'>>) =>
    `a person rejected this call of ${call}${note === undefined ? '' : `: ${note}`}`,
  'approval-expired': 'the approval of this call of {call} expired',
  'restricted-call':
    '{call} was not called: the thread is in restricted mode, and only tools that read run until a person lifts it',
  'approval-required': 'this call needs the approval of a person',
  'unknown-name': "unknown {kind} '{name}'; known {kind}s: {known:list}",
  'call-changed':
    'call {id} was {was} in the journal and is {call} with other arguments now; make the node deterministic',
  'substitute-changed': '{by} replaced {call} in the journal and does not accept the call now',
  'invalid-reply': 'the model returned an invalid reply: {path}: expected {expected}',
  'cannot-compensate': '{call} cannot undo {id}; define compensate',
  'no-implementation': "no implementation is bound to node '{node}'; bound nodes: {bound:list}",
  'invalid-input': 'the input is invalid: {fault}',
  'recursive-graph': ({ graphs }: Lists<'graphs'>) =>
    `${path(graphs)} would start ${graphs.at(-1)} inside itself with the same input`,
  'foreign-child':
    "thread '{thread}' has the name of the child, but this call with this input did not start it",
  'nesting-limit': "graph '{graph}' was not started: the nesting limit is reached (limits.depth)",
  'graph-failed': (of: Texts<'graph' | 'outcome'> & Partial<Texts<'thread'>>) =>
    `graph '${of.graph}' ended with ${of.outcome}${of.thread === undefined ? '' : ` (thread ${of.thread})`}`,
  'result-too-large':
    "the result of graph '{graph}' has {characters:n} characters, too many to return",
  'map-failed':
    "graph '{graph}' succeeded for {succeeded:n} of {of:n} items; {wanted:n} are required",
  'not-verified': "the result did not pass '{node}' in {attempts:n} attempts: {why}",
  'no-verdict': "'{judge}' gave no verdict to '{node}': expected a boolean, or passed and reason",
  'not-a-list': "input '{input}' is {value}; a map needs a list",
  'call-limit': 'at most {limit:n} calls run in one round',
  'no-result': 'the call has no result',
  'no-call-requested':
    'the last message requests no call; lead to a tools node by the edge done.command of a model node',
  'node-timeout': 'the node did not finish within {ms:n} ms',
  'invalid-output': "node '{node}' returned an invalid output: {path} {fault}",

  // Skipped rungs, and chosen routes that are unavailable.
  'rung-passed': 'the ladder is already past this rung',
  'observe-only': 'observe mode takes no action',
  'rung-budget-spent': (uses: Counts<'times' | 'earlier'> & { of: 'thread' | 'finding' }) =>
    `already taken ${count(uses.times)} ${uses.of === 'thread' ? 'in this thread' : 'for this finding'}${uses.earlier > 0 ? `, ${uses.earlier} of them by earlier threads` : ''}`,
  'met-by-scope': "{threads:n} earlier threads of scope '{scope}' had the same finding",
  'not-applicable': ({ rung, finding }: Texts<'rung' | 'finding'>) =>
    `not applicable: ${rung} cannot fix ${KINDS[finding] ?? finding}`,
  'no-smarter-model': ({ state }: Partial<Texts<'state'>>) =>
    `no smarter model is available${state === undefined ? '' : ` in state '${state}'`}; name another model as smarter of its model (models.fast.smarter: smart), or of createAgent`,
  'no-alternative-edge': ({ to }: Partial<Texts<'to'>>) =>
    to === undefined ? 'no alternative edge is available' : `no alternative edge leads to '${to}'`,
  'no-reviewer': 'no reviewer is configured; set escape.review',
  'no-savepoint': 'no savepoint is available; a savepoint needs progress',
  'call-unresolved': 'the outcome of a call of {call} is unknown',
  'child-unresolved': "graph '{graph}' is still running",
  'irreversible-write':
    'a write of {tool} cannot be undone; list it in escape.rollback.accept to keep it',
  'unknown-rung': "rung '{rung}' is not defined",
  'rung-broke': 'the rung threw an error: {message}',
  'invalid-rung-result': 'the rung returned no valid route',
  'escape-by-person': 'a person chose another way',
  'already-restricted': 'the thread is in restricted mode already',
  'cannot-restrict': 'the calls of this agent cannot be restricted',
  'no-finding': 'only a question of the watchdog offers routes',

  // Rejected commands and events.
  'thread-ended': 'the thread has ended ({reason})',
  'child-ended': "the thread has ended ({reason}), and its parent '{parent}' has its result",
  'thread-busy':
    'the thread is busy with round {round:n}; set rounds.busy to accept messages meanwhile',
  'question-open':
    "question '{question}' is open: answer it first, or set rounds.busy to queue messages",
  'queue-full': '{limit:n} messages are queued already',
  'already-paused': 'the thread is paused already',
  'already-migrated': "the thread runs this version of graph '{graph}' already",
  'no-migration': "graph '{graph}' cannot take over threads of other versions; define migrate",
  'migration-declined': "migrate of graph '{graph}' returned no destination for node '{node}'",
  'invalid-migration': ({ faults }: Lists<'faults'>) => faults.join('; '),
  'child-migration': "a child thread cannot migrate alone; its parent is '{parent}'",
  'node-in-progress': "node '{node}' is in progress; a thread migrates while it waits",
  'node-has-written': "node '{node}' has written, and its restart would repeat the write",
  'not-paused': 'the thread is not paused',
  'unknown-finding': 'the thread has no such finding',
  'not-waiting': "the thread does not wait for '{thread}'",
  'unknown-question': "unknown question '{question}'; open questions: {open:list}",
  'question-closed': "question '{question}' is closed; open questions: {open:list}",
  'question-expired': "question '{question}' has expired; the thread continues without its answer",
  'wrong-decision': "question '{question}' expects one of: {expected:list}",
  'only-decision': "question '{question}' does not take {unused:list} with '{decision}'",
  'route-unavailable': "question '{question}' cannot be answered with {rung}",
  'unknown-target': "question '{question}' cannot continue in '{to}'; expected a working node",
  'missing-arguments': "question '{question}' needs an output with the edited arguments of {call}",
  'invalid-answer': "the output for question '{question}' is invalid: {fault}",
  'invalid-result': "the result for '{name}' is not valid: {fault}",
  'invalid-policy': ({ faults }: Lists<'faults'>) => faults.join('; '),
  'invalid-event': (of: Texts<'expected' | 'received'> & Partial<Texts<'path'>>) =>
    `${of.path === undefined ? '' : `${of.path}: `}expected ${of.expected}, received ${of.received}`,
  'unknown-state': "the graph has no state '{state}'; its states: {known:list}",
  'unknown-field': '{field}: unknown field of {type}; known fields: {known:list}',
  'event-not-json': '{fault}; an event must be JSON',
  'command-failed': 'the command cannot be read: {error}',
  'event-too-large': 'the event has {characters:n} characters; the limit is {limit:n}',

  // States of a write.
  'effect-pending': 'is in progress',
  'effect-applied': ({ by }: { by?: keyof typeof WITNESSES }) =>
    `took effect${by === undefined ? '' : `, ${WITNESSES[by]}`}`,
  'effect-unknown': 'may have taken effect',
  'effect-late': 'took effect after the thread had given it up',
  'no-effect': 'had no effect',
  'undo-pending': 'took effect; {id} is undoing it',
  undone: 'undone by {id}',
  'undo-unknown': 'took effect and may have been undone',
  'undo-failed': 'took effect and could not be undone',

  // Threads that no event would continue.
  'orphaned-thread': "the thread still waits, and its parent '{parent}' has ended",
  'lost-wake-up': "the thread still waits for its child '{child}', which has ended",
  'overdue-thread':
    'the thread was due {seconds:n} s ago, and no process has driven it for a minute',

  // Questions of the runtime.
  'ask-route': 'The agent is stuck. How should it continue?',
  'ask-outcome': 'The outcome of a call of {call} is unknown. Did it take effect?',
  'ask-restricted': 'The agent continues with reads only. May it write again?',
  'ask-approval': 'Allow the call {call} {arguments}?',

  // Endings.
  'goal-reached': 'the goal is reached',
  'ended-in-failure': 'the graph ended in a failure state',
  'ended-as-stopped': 'the graph ended in a stopped state',
  cancelled: ({ text }: Partial<Texts<'text'>>) =>
    text === undefined ? 'the thread was cancelled' : `cancelled: ${text}`,
  interrupted: 'a new message interrupted the round',
  'review-expired': 'the review expired without an answer',
  'review-stopped': 'the reviewer stopped the thread',
  'review-rejected': 'the reviewer rejected the proposal',
  'parent-ended': 'the thread that started it ended',
  'parent-continued': 'the thread that started it continues without it',
  'node-left': 'its node was left',
  'enough-succeeded': 'enough other items succeeded',
  'too-many-failed': 'too many other items failed',
  'not-started': 'the thread did not start',
  'not-ended': 'the thread has not ended',
  'machine-failed': 'the machine failed: {message}',
} as const

const RESULTS = {
  'nothing-new': 'no new result',
  'same-words': 'the same words in each result',
  unknown: 'an unknown result',
} as const

const WITNESSES = {
  tool: 'according to the tool',
  person: 'according to a person',
  parent: 'according to the journal of the parent',
  late: 'according to its late answer',
} as const

const KINDS: Readonly<Record<string, string>> = {
  budget: 'a spent budget',
  failure: 'a failure',
  circuit: 'an open circuit breaker',
  noToolCall: 'a missing tool call',
  degenerateOutput: 'degenerate output',
}

const count = (times: number): string => (times === 1 ? 'once' : `${times} times`)

const path = (names: readonly string[]): string => names.join(' → ')

/** How a template shows a param: `{call}` is a text, `{limit:n}` a number, `{times:count}` reads `3 times`. */
const FORMATS = {
  n: String as (value: number) => string,
  count,
  path,
  list: (names: readonly string[]) => names.join(', ') || '(none)',
  and: (names: readonly string[]) => names.join(' and '),
} as const

type Param<P extends string> = P extends `${infer N}:${infer F extends keyof typeof FORMATS}`
  ? Readonly<Record<N, Parameters<(typeof FORMATS)[F]>[0]>>
  : Readonly<Record<P, string>>

/** The params that a template names. */
export type ParamsIn<T> = T extends `${string}{${infer P}}${infer Rest}`
  ? Param<P> & ParamsIn<Rest>
  : unknown

export function fillTemplate(template: string, params: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format = 'n') =>
    (FORMATS[format as keyof typeof FORMATS] as (value: unknown) => string)(params[name]),
  )
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

function reservedText({ unit, reserved }: Limit): string {
  if (reserved === undefined) return ''
  return `, of which ${unit === 'usd' ? `$${reserved}` : reserved} are reserved for children`
}

function holderText({ of, scope, key }: Limit): string {
  if (of === 'scope') return ` for scope '${scope}' (${key})`
  return of === 'round' ? ' per round' : ''
}
