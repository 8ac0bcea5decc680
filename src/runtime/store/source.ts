/** The source of a graph, kept beside the journals of its threads by its hash. */
import type { Json } from '../../core/watch/data/json.ts'
import { canonical, hash } from '../../core/watch/data/signature.ts'
import type { Started } from '../../core/run.ts'
import { type Store, StoreUnavailable } from './store.ts'
import { upcastSource } from './upcast.ts'

/** What a store holds already: of a graph that is run a thousand times the source is looked at once. */
const SOURCE_REF = new WeakMap<Store, WeakMap<object, string>>()

/** Keeps a source; returns its hash. */
export async function putSource(store: Store, source: Json): Promise<string> {
  const kept = SOURCE_REF.get(store) ?? new WeakMap<object, string>()
  const known = isObject(source) ? kept.get(source) : undefined
  if (known !== undefined) return known
  const name = hash(canonical(source))
  await store.putBlob(name, source)
  if (isObject(source)) SOURCE_REF.set(store, kept.set(source, name))
  return name
}

/**
 * What was kept of the graph of a thread, which began so.
 *
 * @throws StoreUnavailable where it is gone, or is no longer what was kept
 */
export async function getSource(
  store: Store,
  thread: string,
  { source, specHash, versions }: Started,
): Promise<Json> {
  const name = source ?? specHash
  const kept = await store.getBlob(name)
  if (kept === undefined)
    throw new StoreUnavailable(
      `the store does not hold the graph of '${thread}' (${name}), and without it nobody can follow the thread`,
    )
  // Threads of the first version name their graph by the hash of something else.
  if (source !== undefined && hash(canonical(kept)) !== source)
    throw new StoreUnavailable(
      `the graph of '${thread}' is damaged in the store: what is kept as ${name} has another hash; take the store from a backup, or start the thread anew`,
    )
  return upcastSource(versions.escapement, kept)
}

function isObject(source: Json): source is Extract<Json, object> {
  return typeof source === 'object' && source !== null
}
