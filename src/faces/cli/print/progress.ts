/** How far the reading of recorded traces is, and what was skipped. */

/** Kinds that are named; all are counted. */
const NAMED_MAX = 8
const NAME_MAX = 40

export function tracesText(count: number): string {
  return count === 1 ? '1 trace' : `${count} traces`
}

/** `ms`: since it began. */
export function progressText(
  { traces, bytes }: { readonly traces: number; readonly bytes: number },
  ms: number,
): string {
  const megabytes = bytes / 1_000_000
  return `${tracesText(traces)}, ${megabytes.toFixed(0)} MB, ${((megabytes * 1000) / Math.max(ms, 1)).toFixed(0)} MB/s`
}

export function skippedText(passed: ReadonlyMap<string, number>): string {
  if (passed.size === 0) return ''
  const kinds = [...passed].toSorted(([, one], [, other]) => other - one)
  const all = kinds.reduce((sum, [, times]) => sum + times, 0)
  const named = kinds
    .slice(0, NAMED_MAX)
    .map(([kind, times]) => `${times} ${JSON.stringify(kind.slice(0, NAME_MAX))}`)
  const more = kinds.length > NAMED_MAX ? ` and ${kinds.length - NAMED_MAX} kinds more` : ''
  return `skipped ${all} of unknown kinds: ${named.join(', ')}${more}\n`
}
