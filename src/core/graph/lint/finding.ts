/** What lint says of a graph. */
export type LintRule =
  | 'unreachable'
  | 'dead-end'
  | 'cycle-without-exit'
  | 'alternative-in-loop'
  | 'human-without-deadline'
  | 'irreversible-tool-on-retried-edge'
  | 'when-without-edge'
  | 'endless-region'
  | 'shared-channel'
  | 'smarter-is-the-same'
  | 'told-to-nobody'
  | 'unbounded-recursion'
  | 'unused'

export interface LintFinding {
  readonly rule: LintRule
  readonly severity: 'error' | 'warning'
  /** The place in the spec, as `nodes.B.on.done`. */
  readonly path: string
  /** What is wrong, and what would mend it. */
  readonly message: string
  /** Meant so: the spec names it under `accept`. It stays visible and counts for nothing. */
  readonly accepted: boolean
}

/** A finding before it is known whether the spec accepts it. */
export type Remark = Omit<LintFinding, 'accepted'>
