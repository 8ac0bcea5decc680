/** A store that records each write as soon as the inner store has acknowledged it. The record survives a kill. */
import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from '../../../src/core/run/run.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'
import { canonical, hash } from '../../../src/core/watch/data/json.ts'
import type { Store } from '../../../src/runtime/store/store.ts'

/** A write that the store has acknowledged. */
export type Acknowledged =
  | { readonly kind: 'rows'; readonly thread: string; readonly rows: readonly Digest[] }
  | { readonly kind: 'command'; readonly thread: string; readonly command: string }
  | { readonly kind: 'blob'; readonly hash: string }

type Digest = readonly [seq: number, digest: string]

export function digestOf(row: Row): string {
  return hash(canonical(row as unknown as Json))
}

const ENDING = '.acknowledged'

export function witnessed(store: Store, folder: string, process: string): Store {
  const file = openSync(join(folder, `${process}${ENDING}`), 'a')
  const record = (all: readonly Acknowledged[]) =>
    void writeSync(file, all.map(each => `${JSON.stringify(each)}\n`).join(''))
  return {
    ...store,
    async append(...batches) {
      await store.append(...batches)
      record(
        batches.map(({ lease: { thread }, rows }) => {
          return { kind: 'rows', thread, rows: rows.map(row => [row.seq, digestOf(row)]) }
        }),
      )
    },
    async submit(thread, command, event) {
      await store.submit(thread, command, event)
      record([{ kind: 'command', thread, command }])
    },
    async putBlob(hash, value) {
      await store.putBlob(hash, value)
      record([{ kind: 'blob', hash }])
    },
  }
}

/** All acknowledged writes of all processes. A line that a kill has cut was not acknowledged. */
export function acknowledgedIn(folder: string): readonly Acknowledged[] {
  const files = readdirSync(folder).filter(name => name.endsWith(ENDING))
  return files.flatMap(name => {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1)
    return lines.map(line => JSON.parse(line) as Acknowledged)
  })
}
