/** `docs/reference/codes.md`: each code with its params, an example of its sentence, and what to do. */
import {
  explain,
  type Code,
  type Reason,
  type ReasonParams,
} from '../../src/core/watch/reason/reason.ts'

/** Example params of a code, and what to do. */
type Entry<C extends Code> = readonly [params: ReasonParams[C], advice: string]

const NOTHING = 'Nothing.'
const READ_TOOL = 'Fix the call or the external system that the cause names.'
const OPEN = 'Run `escapement show THREAD` for the open questions.'

export const ENTRIES: { readonly [C in Code]: Entry<C> } = {
  custom: [{ text: 'three drafts and no message' }, 'See the custom part that gave the text.'],
  text: [{ text: 'search 3 times over' }, 'Stored by version 0.1.0.'],

  error: [
    { message: 'the FAQ answered 401', class: 'persistent', status: 401 },
    'Fix the external system, its credentials or the arguments.',
  ],
  'call-failed': [{ call: 'search_faq', times: 3 }, READ_TOOL],

  'repeated-sequence': [
    { calls: ['search', 'read'], times: 3 },
    'Name an `alternative` edge, or give the model other tools. Tune `detect.sequence` where the repetition is intended.',
  ],
  'repeated-call': [
    { call: 'search', times: 4, arguments: 'similar', result: 'nothing-new' },
    'As for `repeated-sequence`; tune `detect.repetition`.',
  ],
  'repeated-state': [
    { states: ['plan', 'act'], times: 3 },
    'Write progress to a channel, or name an `alternative` edge. Tune `detect.recurrence`.',
  ],
  'frequent-state': [{ state: 'plan', times: 8, seconds: 60 }, 'Tune `detect.visits`.'],
  'repeated-text': [
    { speakers: ['writer', 'critic'], times: 3 },
    'Change the prompt, or tune `detect.repeatedText`.',
  ],
  'repeated-paragraph': [
    { speakers: ['fast'], times: 3 },
    'As for `repeated-text`; calls may stand in between.',
  ],
  'degenerate-output': [
    { speaker: 'fast', times: 12, characters: 400, text: 'I will do it now. ' },
    'Use another model or sampling settings; tune `detect.degenerateOutput`.',
  ],
  'repeated-answer': [
    { call: 'search', times: 12 },
    'Give the agent another source; declare `page` or `writes`, or tune `detect.sameAnswer`.',
  ],
  'repeated-error': [{ call: 'search', times: 3 }, READ_TOOL],
  'no-new-information': [
    { calls: ['read', 'grep'], rounds: 6 },
    'Give the agent another source, or tune `detect.stale`.',
  ],
  'failed-rounds': [{ calls: ['read', 'grep'], rounds: 3 }, READ_TOOL],
  'no-tool-call': [{ model: 'fast', times: 2 }, 'Change the prompt; tune `detect.noToolCall`.'],
  'agent-stuck': [{ text: 'the page needs a login' }, 'Give the agent what it misses.'],
  'limit-reached': [
    { unit: 'toolCalls', limit: 25, of: 'thread' },
    'Raise the limit under `limits`, or name an edge for `budget`.',
  ],
  deadlock: [
    { threads: ['order-8', 'order-7', 'order-8'] },
    'Nothing, if the youngest thread found a way out. Name an edge for `deadlock` where it should go on without the other thread.',
  ],
  'scope-held': [
    { scope: 'job', key: 'nightly', thread: 't1', effect: 'review#1' },
    'Answer that question, or release the scope: `escapement scopes --release`.',
  ],
  'node-failed': [{ node: 'act' }, 'Name an edge for `error`, or fix the cause.'],
  'no-edge': [{ state: 'act', outcome: 'done.partial' }, 'Name an edge for the outcome.'],
  'dead-end': [{ state: 'act' }, 'Add an edge, or make the state final.'],
  'rollback-failed': [{}, 'Check the external system by hand: `escapement effects THREAD`.'],
  'question-unanswered': [{}, 'Raise the deadline, or add people under `escape.review.escalate`.'],
  'question-answered': [
    { decision: 'rejected' },
    'The edge of this answer leads to a failure state. Name another state if that is not intended.',
  ],

  'crash-loop': [{ starts: 2 }, 'Find out why the process dies in this node.'],
  'no-answer': [{ ms: 30_000 }, 'Raise `timeout` of the tool or model.'],
  'circuit-open': [{ call: 'search', seconds: 30 }, 'Wait, or name a `substitute`.'],
  'concurrency-limit': [{ call: 'search' }, 'Raise `concurrency` of the tool or model.'],
  'may-still-run': [
    { call: 'pay' },
    'Answer whether it took effect, or let `reconcile` return `fenced: true`.',
  ],
  'reconcile-failed': [
    { call: 'pay', message: 'the token has expired' },
    'Fix `reconcile` of the tool, and answer whether the call took effect.',
  ],
  'reconcile-invalid': [
    { call: 'pay', received: '"applied"' },
    'Return an object with `answer` from `reconcile`, and answer whether the call took effect.',
  ],
  'process-ended': [{ call: 'pay' }, 'Answer whether it took effect, or define `reconcile`.'],
  'never-applied': [{ call: 'pay', attempts: 3 }, READ_TOOL],
  'write-in-fork': [{ call: 'pay' }, 'Fork with `--effects live` to allow writes.'],
  'started-before-fork': [{ call: 'worker' }, 'Fork at an earlier event.'],
  'retries-spent': [
    { call: 'search', retries: 5 },
    'Fix the external system, or raise `retry.total`.',
  ],
  'node-call-limit': [{ node: 'act', limit: 100 }, 'Raise `limits.nodeCalls`.'],
  'not-json': [{ path: 'search.result', fault: 'when is a function' }, 'Return plain data.'],
  'too-large': [
    { path: 'search.result', characters: 2_000_000, limit: 1_048_576 },
    'Return less, or a reference.',
  ],
  'call-rejected': [{ call: 'pay', note: 'too much' }, NOTHING],
  'approval-expired': [{ call: 'pay' }, 'Raise `escape.review.deadline`.'],
  'restricted-call': [{ call: 'pay' }, 'Answer the question of restricted mode with `approved`.'],
  'approval-required': [{}, 'Answer the open question.'],
  'unknown-name': [{ kind: 'tool', name: 'serach', known: ['search'] }, 'Correct the name.'],
  'call-changed': [
    { id: 'act#1/1', was: 'search', call: 'read' },
    'Derive the calls of a node from its input alone.',
  ],
  'substitute-changed': [{ call: 'search', by: 'mirror' }, 'Restore the substitute.'],
  'invalid-reply': [{ path: 'text', expected: 'string' }, 'Fix the model adapter.'],
  'cannot-compensate': [{ call: 'book', id: 'act#1/1' }, 'Define `compensate` of the tool.'],
  'no-implementation': [{ node: 'act', bound: ['plan'] }, 'Bind the node.'],
  'node-timeout': [{ ms: 60_000 }, 'Raise `timeout` of the node.'],
  'invalid-output': [
    { node: 'act', path: 'total', fault: 'expected number, received string' },
    'Correct the output of the node, or the channel.',
  ],
  'invalid-input': [{ fault: 'input.goal is missing' }, 'Correct the input.'],
  'recursive-graph': [{ graphs: ['stock', 'price', 'stock'] }, 'Change the input at each depth.'],
  'foreign-child': [
    { thread: 'order-7/check#1/1' },
    'Start threads with other names; child names are reserved.',
  ],
  'nesting-limit': [{ graph: 'stock' }, 'Raise `limits.depth`.'],
  'graph-failed': [
    { graph: 'stock', outcome: 'stopped', thread: 't/ask#1/1' },
    'Run `escapement show` on that thread.',
  ],
  'result-too-large': [
    { graph: 'stock', characters: 2_000_000 },
    'Read the result from its thread.',
  ],
  'map-failed': [
    { graph: 'stock', wanted: 3, succeeded: 1, of: 4 },
    'Lower `join`, or fix the items.',
  ],
  'not-verified': [
    { node: 'check', attempts: 3, why: 'priced: `total > 0` does not hold' },
    'Correct the agent or the check, or raise `attempts`.',
  ],
  'no-verdict': [{ node: 'check', judge: 'smart' }, 'Correct the answer of the judge.'],
  'not-a-list': [{ input: 'items', value: '{"a":1}' }, 'Give a list.'],
  'call-limit': [{ limit: 64 }, 'The model asks for the rest in the next round.'],
  'no-result': [{}, NOTHING],
  'no-call-requested': [{}, 'Correct the edges of the graph.'],

  'rung-passed': [{}, 'Progress starts the ladder again.'],
  'observe-only': [{}, 'Set `mode: act`.'],
  'rung-budget-spent': [{ times: 1, of: 'finding', earlier: 0 }, 'Raise `escape.budget`.'],
  'met-by-scope': [{ scope: 'job', threads: 3 }, 'Answer the question of the scope.'],
  'not-applicable': [{ rung: 'rethink', finding: 'budget' }, NOTHING],
  'no-smarter-model': [
    { state: 'act' },
    'Declare a second model, and name it as `smarter` of the first: `fast: { id: …, smarter: smart }`. In `createAgent`, set `smarter`.',
  ],
  'no-alternative-edge': [{}, 'Add the node to `escape.alternatives` or `escape.explore`.'],
  'no-reviewer': [{}, 'Set `escape.review`.'],
  'no-savepoint': [{}, 'Declare `progress`, or tag a phase.'],
  'call-unresolved': [{ call: 'pay' }, 'Answer whether the call took effect.'],
  'child-unresolved': [{ graph: 'stock' }, 'Wait for the graph.'],
  'irreversible-write': [{ tool: 'mail' }, 'Define `compensate`, or accept the write.'],
  'unknown-rung': [{ rung: 'handover' }, 'Load the part that defines it.'],
  'rung-broke': [{ message: 'x is not a function' }, 'Fix the custom rung.'],
  'invalid-rung-result': [{}, 'Fix the custom rung.'],
  'escape-by-person': [{}, NOTHING],
  'already-restricted': [{}, 'Answer the question of restricted mode.'],
  'cannot-restrict': [{}, NOTHING],
  'no-finding': [{}, 'Answer with a decision.'],

  'thread-ended': [{ reason: 'goal' }, 'Send a message to start another round.'],
  'child-ended': [{ reason: 'goal', parent: 'order-7' }, 'Send the message to the parent.'],
  'thread-busy': [{ round: 1 }, 'Wait for the end of the round.'],
  'question-open': [{ question: 'ask#1' }, 'Answer the question, then send the message.'],
  'queue-full': [{ limit: 16 }, 'Wait for the end of the round.'],
  'already-paused': [{}, 'Run `escapement resume THREAD` or `escapement step THREAD`.'],
  'not-paused': [{}, NOTHING],
  'already-migrated': [{ graph: 'desk' }, NOTHING],
  'no-migration': [{ graph: 'desk' }, 'Define `migrate`, or run the version of the thread.'],
  'migration-declined': [
    { graph: 'desk', node: 'ask' },
    'Return a destination, or run the version of the thread.',
  ],
  'invalid-migration': [
    { faults: ["node: unknown node 'send'; nodes: think, ask"] },
    'Fix the result of `migrate`.',
  ],
  'child-migration': [{ parent: 'news' }, 'Cancel the parent, or run its version.'],
  'node-in-progress': [{ node: 'act' }, 'Run the version of the thread until it waits.'],
  'node-has-written': [{ node: 'act' }, 'Run the version of the thread until the node ends.'],
  'unknown-finding': [{}, 'Run `escapement show THREAD` for the findings.'],
  'not-waiting': [{ thread: 't/ask#1/1' }, NOTHING],
  'unknown-question': [{ question: 'ask#7', open: ['ask#1'] }, OPEN],
  'question-closed': [{ question: 'ask#1', open: [] }, OPEN],
  'question-expired': [{ question: 'ask#1' }, 'Raise the deadline.'],
  'wrong-decision': [
    { question: 'ask#1', expected: ['approved', 'rejected'] },
    'Give one of these.',
  ],
  'only-decision': [
    { question: 'ask#1', decision: 'approved', unused: ['to'] },
    'Leave out these parts of the answer, or give another decision.',
  ],
  'route-unavailable': [{ question: 'review#1', rung: 'rollback' }, 'Choose another answer.'],
  'unknown-target': [{ question: 'review#1', to: 'nowhere' }, 'Name a node of the graph.'],
  'missing-arguments': [{ question: 'act#1/1?', call: 'pay' }, 'Give `output`.'],
  'invalid-answer': [{ question: 'ask#1', fault: 'total expected number' }, 'Correct `output`.'],
  'invalid-result': [
    { name: 'search', fault: 'search: result: expected array' },
    'Correct `result`.',
  ],
  'invalid-policy': [{ faults: ['limits.usd: expected number to be >0'] }, 'Correct the change.'],
  'invalid-event': [
    { path: 'type', expected: 'one of resume, cancel', received: "'stop'" },
    'Correct the event.',
  ],
  'unknown-state': [
    { state: 'nowhere', known: ['plan', 'act'] },
    'Name a state of the graph, `escapement draw` shows them.',
  ],
  'unknown-field': [
    { type: 'cancel', field: 'why', known: ['reason', 'at'] },
    'Correct the name of the field.',
  ],
  'event-not-json': [{ fault: 'output.when is a function' }, 'Send plain data.'],
  'command-failed': [
    { error: 'RangeError: Invalid time value' },
    'Correct the command, or the check that threw.',
  ],
  'event-too-large': [{ characters: 2_000_000, limit: 1_048_576 }, 'Send less.'],

  'effect-pending': [{}, 'Wait for the answer of the call.'],
  'effect-applied': [{ by: 'person' }, NOTHING],
  'effect-unknown': [{}, 'Check the external system, and answer the question.'],
  'effect-late': [{}, 'Check whether the thread made the call again.'],
  'no-effect': [{}, NOTHING],
  'undo-pending': [{ id: 'rollback#1/act#1/1' }, 'Wait for the answer of the call.'],
  undone: [{ id: 'rollback#1/act#1/1' }, NOTHING],
  'undo-unknown': [{}, 'Check the external system.'],
  'undo-failed': [{}, 'Undo it by hand.'],

  'orphaned-thread': [
    { parent: 'order-7' },
    'Nothing: the worker cancels the thread. If it recurs, look for a process that was killed.',
  ],
  'lost-wake-up': [
    { child: 'order-7/quote#1/1' },
    'Nothing: the worker continues the thread. If it recurs, look for a process that was killed.',
  ],
  'overdue-thread': [
    { seconds: 90 },
    'Read the errors of the worker. Raise `concurrency` of `work`, or start another process.',
  ],

  'ask-route': [{}, 'Answer with `escapement resume THREAD`.'],
  'ask-outcome': [{ call: 'pay' }, 'Check the external system; answer `applied` or `not-applied`.'],
  'ask-restricted': [{}, 'Answer `approved`, or `stop`.'],
  'ask-approval': [
    { call: 'pay', arguments: '{"amount":500}' },
    'Answer `approved`, `edited` or `rejected`.',
  ],

  'goal-reached': [{}, NOTHING],
  'ended-in-failure': [{}, 'See the last findings: `escapement show THREAD`.'],
  'ended-as-stopped': [{}, 'See the last findings: `escapement show THREAD`.'],
  cancelled: [{ text: 'enough' }, NOTHING],
  interrupted: [{}, NOTHING],
  'review-expired': [{}, 'Raise `escape.review.deadline`, or set `otherwise: continue`.'],
  'review-stopped': [{}, NOTHING],
  'review-rejected': [{}, NOTHING],
  'parent-ended': [{}, NOTHING],
  'parent-continued': [{}, NOTHING],
  'node-left': [{}, NOTHING],
  'enough-succeeded': [{}, NOTHING],
  'too-many-failed': [{}, NOTHING],
  'not-started': [{}, NOTHING],
  'not-ended': [{}, NOTHING],
  'machine-failed': [{ message: 'x is not a function' }, 'Fix the guard or the assignment.'],
}

/** Each section begins with this code, in the order of the catalog. */
const SECTIONS: Partial<Record<Code, string>> = {
  custom: 'Texts and causes',
  'repeated-sequence': 'Findings',
  'crash-loop': 'Failures of the runtime',
  'rung-passed': 'Considered rungs',
  'thread-ended': 'Refused commands',
  'effect-pending': 'Effects',
  'orphaned-thread': 'Threads that no event would continue',
  'ask-route': 'Questions',
  'goal-reached': 'Endings',
}

const HEAD = `# Codes

Findings, considered rungs, failures, refusals and endings are stored as \`{ code, params, cause? }\`. \`explain(reason)\` renders one sentence. This page is
made from the catalog. The sentences may change between versions; the codes and their params stay.
`

export function codesPage(codes: readonly Code[]): string {
  return `${[HEAD, ...codes.flatMap(code => [...headOf(code), rowOf(code)])].join('\n')}\n`
}

function headOf(code: Code): readonly string[] {
  const title = SECTIONS[code]
  if (title === undefined) return []
  const table = ['| code | params | sentence (example) | what to do |', '|---|---|---|---|']
  return code === 'custom' ? [`## ${title}\n`, ...table] : [`\n## ${title}\n`, ...table]
}

function rowOf(code: Code): string {
  const [params, advice] = ENTRIES[code]
  const names = Object.keys(params).map(name => `\`${name}\``)
  const cells = [`\`${code}\``, names.join(', ') || '–', exampleOf(code), advice]
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** The sentence of a code with its example params. */
export function exampleOf(code: Code): string {
  return explain({ code, params: ENTRIES[code][0] } as Reason)
}
