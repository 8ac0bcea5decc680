/** The source of a graph, stored under its hash beside the journals of its threads. */
import { type Json, canonical, hash } from '../../core/watch/data/json.ts'
import type { Started } from '../../core/run.ts'
import { type Store, StoreUnavailable } from './store.ts'
import { upcastSource } from './upcast.ts'

/** Hashes of the sources that a store holds: a graph that runs a thousand times is hashed once. */
const STORED = new WeakMap<Store, WeakMap<object, string>>()

/** Stores a source and returns its hash. */
export async function putSource(store: Store, source: Json): Promise<string> {
  const hashes = STORED.get(store) ?? new WeakMap<object, string>()
  const isObject = typeof source === 'object' && source !== null
  const known = isObject ? hashes.get(source) : undefined
  if (known !== undefined) return known
  const name = hash(canonical(source))
  await store.putBlob(name, source)
  if (isObject) STORED.set(store, hashes.set(source, name))
  return name
}

/** The source of the graph of a thread. @throws StoreUnavailable when it is missing or damaged. */
export async function getSource(
  store: Store,
  thread: string,
  { source, specHash, versions }: Started,
): Promise<Json> {
  const name = source ?? specHash
  const stored = await store.getBlob(name)
  if (stored === undefined)
    throw new StoreUnavailable(
      `the store does not hold the graph of '${thread}' (${name}), which is required to read the thread`,
    )
  // In threads of the first version, `specHash` is not the hash of the stored source.
  if (source !== undefined && hash(canonical(stored)) !== source)
    throw new StoreUnavailable(
      `the graph of '${thread}' is damaged in the store: the value stored as ${name} has another hash; restore the store from a backup, or start the thread again`,
    )
  return upcastSource(versions.escapement, stored)
}
