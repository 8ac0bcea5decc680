/** `items` with one more, the oldest left out once there are more than `max`. One copy of the list: detectors remember at every event. */
export function remember<T>(items: readonly T[], item: T, max: number): readonly T[] {
  const gone = Math.max(0, items.length + 1 - max)
  const next = new Array<T>(items.length + 1 - gone)
  for (let index = gone; index < items.length; index++) next[index - gone] = items[index] as T
  next[items.length - gone] = item
  return next
}
