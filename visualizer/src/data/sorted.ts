/** Lists in the order of their events. */

/** The number of items whose event is `seq` or before it. Takes the time of a binary search. */
export function countUntil<T>(
  items: readonly T[],
  seq: number,
  seqOf: (item: T) => number,
): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (seqOf(items[middle] as T) <= seq) low = middle + 1
    else high = middle
  }
  return low
}

/** The number of seqs that are `seq` or before it. */
export const countSeqsUntil = (seqs: readonly number[], seq: number): number =>
  countUntil(seqs, seq, each => each)
