/** Counts in a list whose numbers ascend, by halves: a trace has a number for each of its events. */

/** How many numbers a condition holds for that holds for none after the first one that fails. */
export function countWhile(
  numbers: readonly number[],
  holds: (number: number, index: number) => boolean,
): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(numbers[middle] as number, middle)) low = middle + 1
    else high = middle
  }
  return low
}
