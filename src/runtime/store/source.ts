/** The source of a graph, kept beside the journals of its threads by its hash. */
import type { Json } from '../../core/watch/json.ts'
import { canonical, hash } from '../../core/watch/signature.ts'
import type { Store } from './store.ts'

/** What a store holds already: of a graph that is run a thousand times the source is looked at once. */
const KEPT = new WeakMap<Store, WeakMap<object, string>>()

/** Keeps a source; returns its hash. */
export async function keptSource(store: Store, source: Json): Promise<string> {
  const kept = KEPT.get(store) ?? new WeakMap<object, string>()
  const known = isObject(source) ? kept.get(source) : undefined
  if (known !== undefined) return known
  const name = hash(canonical(source))
  await store.keep(name, source)
  if (isObject(source)) KEPT.set(store, kept.set(source, name))
  return name
}

function isObject(source: Json): source is Extract<Json, object> {
  return typeof source === 'object' && source !== null
}
