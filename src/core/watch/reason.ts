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
  'question-unanswered': { readonly question: string }

  // Failures of the runtime itself.
  'crash-loop': { readonly starts: number }
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

  // Endings.
  'goal-reached': Empty
  'ended-in-failure': Empty
  'ended-as-stopped': Empty
  cancelled: { readonly text?: string }
  interrupted: Empty
  'review-expired': Empty
  'review-stopped': Empty
  'review-rejected': Empty
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
