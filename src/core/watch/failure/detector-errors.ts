/** Custom parts that broke. Such a part decides nothing, and everyone who inspects the thread sees its error. */

/** `part` is its kind and name: `detector slow`. */
export interface PartFailure {
  readonly part: string
  readonly why: string
}

/** Characters of `why`. */
export const WHY_MAX = 200

/** The errors of each part: the seq and text of the first, and the number of all. */
export type DetectorErrors = Readonly<
  Record<string, { readonly since: number; readonly times: number; readonly why: string }>
>

export function addErrors(
  before: DetectorErrors | undefined,
  breakages: readonly PartFailure[],
  seq: number,
): DetectorErrors | undefined {
  if (breakages.length === 0) return before
  const after = new Map(Object.entries(before ?? {}))
  for (const { part, why } of breakages) {
    const { since, times, why: first } = after.get(part) ?? { since: seq, times: 0, why }
    after.set(part, { since, times: times + 1, why: first })
  }
  return Object.fromEntries(after)
}
