/** The graphs of the attacked threads, bound to the shop in a folder. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqliteStore } from '../../../src/adapters/store/sqlite/sqlite-store.ts'
import { loadGraph } from '../../../src/host/drive/load.ts'
import type { Graph } from '../../../src/runtime/ports.ts'
import type { Store } from '../../../src/runtime/store/store.ts'

export const ORDER = fileURLToPath(new URL('fixture/order.yaml', import.meta.url))

export async function orderGraph(): Promise<Graph> {
  return loadGraph(ORDER)
}

export function storeIn(folder: string): Store {
  return sqliteStore({ file: join(folder, 'threads.db') })
}
