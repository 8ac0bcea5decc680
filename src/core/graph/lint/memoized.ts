/** Computes each value once. */
export function memoized<K, T>(compute: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>()
  return key => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key) as T
  }
}
