/** Sets of items by key. */

/** Adds an item to the set of a key. Returns a function that removes it. */
export function addTo<T>(sets: Map<string, Set<T>>, key: string, item: T): () => void {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(item))
  return () => {
    set.delete(item)
    if (set.size === 0 && sets.get(key) === set) sets.delete(key)
  }
}
