import type { Json } from '../watch/data/json.ts'
import { digest } from '../watch/data/signature.ts'

/** Remembers the hash of the latest value under each name, so that the hash of a state costs what changed since the last. */
export function hasher(): (name: string, value: Json) => string {
  const latest = new Map<string, { value: Json; hash: string }>()
  return (name, value) => {
    const known = latest.get(name)
    if (known?.value === value) return known.hash
    const { hash } = digest(value)
    latest.set(name, { value, hash })
    return hash
  }
}
