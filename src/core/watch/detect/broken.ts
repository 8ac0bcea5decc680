/** Detectors of one's own that broke. It decides nothing: whoever looks at the thread is to know that one of its eyes is shut. */

/** One that broke on what it was shown, and has not seen it. */
export interface Breakage {
  readonly detector: string
  readonly why: string
}

/** `since` is the seq at which it broke first, and `why` what it said then. */
export interface Broken {
  readonly since: number
  readonly times: number
  readonly why: string
}

/** Those that broke, by their names; no more than there are detectors. */
export type BrokenDetectors = Readonly<Record<string, Broken>>

/** With those that broke just now. */
export function brokenAfter(before: BrokenDetectors | undefined, breakages: readonly Breakage[], seq: number): BrokenDetectors | undefined {
  if (breakages.length === 0) return before
  const after: Record<string, Broken> = { ...before }
  for (const { detector, why } of breakages) {
    const known = Object.hasOwn(after, detector) ? after[detector] : undefined
    after[detector] = known ? { ...known, times: known.times + 1 } : { since: seq, times: 1, why }
  }
  return after
}
