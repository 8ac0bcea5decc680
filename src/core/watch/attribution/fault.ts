/** The kinds of faults that an attribution names. */

/** The kinds of faults, and how each shows. */
export const FAULT_KINDS = {
  error: 'a call failed',
  timeout: 'a call did not answer in time',
  slow: 'a call took much longer than the others',
  'lost-reply': 'the connection was lost while the call was open',
  duplicate: 'a write took effect twice',
  'no-effect': 'a call reported success and returned nothing else',
  empty: 'an answer was empty',
  truncated: 'an answer was cut off',
  wrong: 'an answer contradicts another one, or a check',
  repeats: 'the model repeated a request that was answered',
  'malformed-call': 'the arguments of a request were not valid',
  'unknown-tool': 'the model requested a tool that does not exist',
  'early-stop': 'the model ended before the work was done',
  crash: 'a process stopped, and another one continued',
} as const

/** What a run met first. */
export type FaultKind = keyof typeof FAULT_KINDS

/** What began it. */
export interface Attribution {
  readonly kind: FaultKind
  /** The number of the event: of the call that the fault hit. */
  readonly at: number
  /** The tool or the model; empty for a process. */
  readonly subject: string
  /** From 0 to 1. */
  readonly confidence: number
}
