/** Reasons as data: every finding, considered rung, refusal and ending is a code with params. `catalog.ts` renders them. */

/** All codes, each with its params. Texts of users and of external systems are params. */
export interface ReasonParams {
  // Texts that are not ours: of custom parts, of people, of journals written by 0.1.0.
  custom: { readonly text: string }
  text: { readonly text: string }

  // Causes.
  error: {
    readonly message: string
    readonly class?: string
    readonly status?: number
    readonly code?: string
  }
  'call-failed': { readonly call: string; readonly times: number }

  // Findings.
  'repeated-sequence': { readonly calls: readonly string[]; readonly times: number }
  'repeated-call': {
    readonly call: string
    readonly times: number
    readonly arguments: 'same' | 'similar'
    readonly result: 'nothing-new' | 'same-words' | 'unknown'
  }
  'repeated-state': { readonly states: readonly string[]; readonly times: number }
  'frequent-state': { readonly state: string; readonly times: number; readonly seconds: number }
  'repeated-text': { readonly speakers: readonly string[]; readonly times: number }
  'degenerate-output': {
    readonly speaker: string
    readonly times: number
    readonly characters: number
    readonly text: string
  }
  'repeated-error': { readonly call: string; readonly times: number }
  'no-new-information': { readonly calls: readonly string[]; readonly rounds: number }
  'failed-rounds': { readonly calls: readonly string[]; readonly rounds: number }
  'no-tool-call': { readonly model: string; readonly times: number }
  'agent-stuck': { readonly text: string }
  'limit-reached': {
    readonly unit: string
    readonly limit: number
    readonly of: 'thread' | 'round' | 'scope'
    readonly scope?: string
    readonly key?: string
  }
  'scope-held': {
    readonly scope: string
    readonly key: string
    readonly thread: string
    readonly effect: string
  }
  'node-failed': { readonly node: string }
  'no-edge': { readonly state: string; readonly outcome: string }
  'dead-end': { readonly state: string }
  'rollback-failed': Empty
  'question-unanswered': Empty

  // Failures of the runtime itself.
  'crash-loop': { readonly starts: number }
  'no-answer': { readonly ms: number }
  'circuit-open': { readonly call: string; readonly seconds: number }
  'concurrency-limit': { readonly call: string }
  'process-ended': { readonly call: string }
  'never-applied': { readonly call: string; readonly attempts: number }
  'write-in-fork': { readonly call: string }
  'started-before-fork': { readonly call: string }
  'retries-spent': { readonly call: string; readonly retries: number }
  'node-call-limit': { readonly node: string; readonly limit: number }
  'not-json': { readonly path: string; readonly fault: string }
  'too-large': { readonly path: string; readonly characters: number; readonly limit: number }
  'call-rejected': { readonly call: string; readonly note?: string }
  'approval-expired': { readonly call: string }
  'approval-required': Empty
  'unknown-name': {
    readonly kind: string
    readonly name: string
    readonly known: readonly string[]
  }
  'call-changed': { readonly id: string; readonly was: string; readonly call: string }
  'substitute-changed': { readonly call: string; readonly by: string }
  'invalid-reply': { readonly path: string; readonly expected: string }
  'cannot-compensate': { readonly call: string; readonly id: string }
  'no-implementation': { readonly node: string; readonly bound: readonly string[] }
  'invalid-input': { readonly fault: string }
  'recursive-graph': { readonly graphs: readonly string[] }
  'nesting-limit': { readonly graph: string }
  'graph-failed': { readonly graph: string; readonly outcome: string; readonly thread?: string }
  'result-too-large': { readonly graph: string; readonly characters: number }
  'map-failed': {
    readonly graph: string
    readonly wanted: number
    readonly succeeded: number
    readonly of: number
  }
  'not-a-list': { readonly input: string; readonly value: string }
  'call-limit': { readonly limit: number }
  'no-result': Empty
  'no-call-requested': Empty
  'node-timeout': { readonly ms: number }
  'invalid-output': { readonly node: string; readonly path: string; readonly fault: string }

  // Considered rungs, and ways out that a person chose and that cannot be taken.
  'rung-passed': Empty
  'observe-only': Empty
  'rung-budget-spent': {
    readonly times: number
    readonly of: 'thread' | 'finding'
    readonly earlier: number
  }
  'met-by-scope': { readonly scope: string; readonly threads: number }
  'not-applicable': { readonly rung: string; readonly finding: string }
  'no-smarter-model': { readonly state?: string }
  'no-alternative-edge': { readonly to?: string }
  'no-reviewer': Empty
  'no-savepoint': Empty
  'call-unresolved': { readonly call: string }
  'child-unresolved': { readonly graph: string }
  'irreversible-write': { readonly tool: string }
  'unknown-rung': { readonly rung: string }
  'rung-broke': { readonly message: string }
  'invalid-rung-result': Empty
  'no-finding': Empty

  // Refusals of what people and programs submit to a thread.
  'thread-ended': { readonly reason: string }
  'thread-busy': { readonly round: number }
  'queue-full': { readonly limit: number }
  'not-waiting': { readonly thread: string }
  'unknown-question': { readonly question: string; readonly open: readonly string[] }
  'question-closed': { readonly question: string; readonly open: readonly string[] }
  'question-expired': { readonly question: string }
  'wrong-decision': { readonly question: string; readonly expected: readonly string[] }
  'only-decision': { readonly question: string }
  'route-unavailable': { readonly question: string; readonly rung: string }
  'unknown-target': { readonly question: string; readonly to: string }
  'missing-arguments': { readonly question: string; readonly call: string }
  'invalid-answer': { readonly question: string; readonly fault: string }
  'invalid-policy': { readonly faults: readonly string[] }
  'invalid-event': {
    readonly path?: string
    readonly expected: string
    readonly received: string
  }
  'unknown-field': {
    readonly type: string
    readonly field: string
    readonly known: readonly string[]
  }
  'event-not-json': { readonly fault: string }
  'event-too-large': { readonly characters: number; readonly limit: number }

  // What became of a write.
  'effect-pending': Empty
  'effect-applied': { readonly by?: 'tool' | 'person' | 'late' }
  'effect-unknown': Empty
  'effect-late': Empty
  'no-effect': Empty
  'undo-pending': { readonly id: string }
  undone: { readonly id: string }
  'undo-unknown': Empty
  'undo-failed': Empty

  // Questions of the runtime.
  'ask-route': Empty
  'ask-outcome': { readonly call: string }
  'ask-approval': { readonly call: string; readonly arguments: string }

  // Endings.
  'goal-reached': Empty
  'ended-in-failure': Empty
  'ended-as-stopped': Empty
  cancelled: { readonly text?: string }
  interrupted: Empty
  'review-expired': Empty
  'review-stopped': Empty
  'review-rejected': Empty
  'parent-ended': Empty
  'parent-continued': Empty
  'node-left': Empty
  'enough-succeeded': Empty
  'too-many-failed': Empty
  'not-started': Empty
  'not-ended': Empty
  'machine-failed': { readonly message: string }
}

// biome-ignore lint/complexity/noBannedTypes: a code without params.
type Empty = {}

/** The code of a reason. */
export type Code = keyof ReasonParams

/** Why something happened. `cause`: the reason behind it. */
export type Reason<C extends Code = Code> = {
  readonly [K in C]: { readonly code: K; readonly cause?: Reason } & (Empty extends ReasonParams[K]
    ? { readonly params?: ReasonParams[K] }
    : { readonly params: ReasonParams[K] })
}[C]

/** Characters of a text of users or of external systems that a reason keeps. */
const TEXT_MAX = 300

export function excerptOf(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text
}

/** A text that a custom detector or rung gives. */
export function customReason(text: unknown): Reason<'custom'> {
  return { code: 'custom', params: { text: excerptOf(String(text)) } }
}

/** The reason of an end that has no other. */
export const STOPPED: Reason = { code: 'ended-as-stopped' }

const CANCELLATIONS = [
  'parent-ended',
  'parent-continued',
  'node-left',
  'enough-succeeded',
  'too-many-failed',
] as const

/** Why a thread was cancelled: by the runtime, whose events say so with a code, or by a person. */
export function cancelReasonOf(text: string): Reason {
  const code = CANCELLATIONS.find(each => each === text)
  return code ? { code } : { code: 'cancelled', params: { text: excerptOf(text) } }
}
