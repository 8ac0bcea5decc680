/** Parts of one's own that broke. It decides nothing: whoever looks at the thread is to know that one of its eyes is shut. */

/** One that broke on what it was shown, and has not seen it. */
export interface PartFailure {
  /** Its kind and its name: `detector slow`. */
  readonly part: string
  readonly why: string
}

/** Characters of why a part broke. */
export const WHY_MAX = 200

/** `since` is the seq at which it broke first, and `why` what it said then. */
export interface DetectorError {
  readonly since: number
  readonly times: number
  readonly why: string
}

/** Those that broke, by their kinds and names; no more than there are parts. */
export type DetectorErrors = Readonly<Record<string, DetectorError>>

/** With those that broke just now. */
export function addErrors(
  before: DetectorErrors | undefined,
  breakages: readonly PartFailure[],
  seq: number,
): DetectorErrors | undefined {
  if (breakages.length === 0) return before
  const after: Record<string, DetectorError> = { ...before }
  for (const { part, why } of breakages) {
    const known = Object.hasOwn(after, part) ? after[part] : undefined
    after[part] = known ? { ...known, times: known.times + 1 } : { since: seq, times: 1, why }
  }
  return after
}
