import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/core/watch/data/json.ts'
import type { Store } from '../../../src/runtime/store/store.ts'
import { batch, begun, row, rowsBetween, seqs, terms } from '../batches.ts'

export function reading(fresh: () => Store): void {
  describe('rows', () => readingRows(fresh))
  describe('load: the nearest checkpoint and the rows after it', () => loading(fresh))
}

const STRANGE: Json = {
  text: 'Zürich 東京 🕰 "quoted" \\ \n\u0000 end',
  half: '\ud83d',
  numbers: [0, -1.5, 1e308, 5e-324, Number.MAX_SAFE_INTEGER, 0.1],
  nothing: null,
  empty: [{}, [], ''],
  "it's; DROP TABLE threads": true,
}

function readingRows(fresh: () => Store): void {
  it('are restored unchanged, with any content', async () => {
    const store = fresh()
    const lease = await store.lease('t', terms())
    const rows = [row(0, STRANGE), row(1, 'x'.repeat(100_000))]
    await store.append(batch(lease, rows))
    expect(await store.rows('t')).toEqual(rows)
  })

  it('are plain objects with `__proto__` as an ordinary key', async () => {
    const store = fresh()
    const lease = await store.lease('t', terms())
    await store.append(
      batch(lease, [
        row(
          0,
          JSON.parse(
            '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
          ) as Json,
        ),
      ]),
    )
    const [read] = await store.rows('t')
    const output = read?.event.type === 'node.done' ? read.event.output : undefined
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype)
    expect(Object.keys(output ?? {})).toEqual(['__proto__', 'constructor'])
    expect('polluted' in {}).toBe(false)
  })

  it('can be read after a given row, with a limit', async () => {
    const store = fresh()
    await begun(store, 't', 5)
    expect(await store.rows('t', 3)).toEqual(rowsBetween(4, 5))
    expect(await store.rows('t', -1, 2)).toEqual(rowsBetween(0, 1))
    expect(await store.rows('t', 1, 2)).toEqual(rowsBetween(2, 3))
    expect(await store.rows('t', 1, 0)).toEqual([])
    expect(await store.rows('t', 5)).toEqual([])
    expect(await store.rows('t', -9)).toHaveLength(6)
  })

  it('of an unknown thread are empty', async () => {
    expect(await fresh().rows('t')).toEqual([])
  })

  it('do not change after later appends', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    const [rows, loaded] = [await store.rows('t'), await store.load('t')]
    await store.append(batch(lease, [row(1)]))
    expect(rows).toHaveLength(1)
    expect(loaded?.rows).toHaveLength(1)
  })

  it('of different threads do not mix, with any names', async () => {
    const store = fresh()
    const names = [
      't',
      'T',
      't ',
      "t'; --",
      '%',
      '',
      'ünï/東京',
      '__proto__',
      'constructor',
      'x'.repeat(2_000),
    ]
    for (const [index, name] of names.entries()) await begun(store, name, index)
    for (const [index, name] of names.entries())
      expect(await seqs(store, name)).toEqual(rowsBetween(0, index).map(({ seq }) => seq))
    expect((await store.threads()).map(({ thread }) => thread)).toEqual(names)
  })
}

/** Rows 0 to 9 with checkpoints of rows 3 and 6. */
async function checkpointed(store: Store): Promise<void> {
  const lease = await begun(store, 't', 3, {
    checkpoint: { seq: 3, run: { at: 3 }, chunks: new Map([['a', ['first']]]) },
  })
  const chunks = new Map<string, Json>([
    ['a', ['first']],
    ['b', { deep: [1, null] }],
  ])
  await store.append(
    batch(lease, rowsBetween(4, 7), { checkpoint: { seq: 6, run: { at: 6 }, chunks } }),
  )
  await store.append(batch(lease, rowsBetween(8, 9)))
}

function loading(fresh: () => Store): void {
  it('nothing of an unknown thread', async () => {
    expect(await fresh().load('t')).toBeUndefined()
  })

  it('nothing of a leased thread without a row', async () => {
    const store = fresh()
    await store.lease('t', terms())
    expect(await store.load('t')).toBeUndefined()
  })

  it('all rows without a checkpoint', async () => {
    const store = fresh()
    await begun(store, 't', 4)
    expect(await store.load('t')).toEqual({ rows: rowsBetween(0, 4) })
    expect(await store.load('t', 2)).toEqual({ rows: rowsBetween(0, 2) })
  })

  it('the latest checkpoint and the rows after it, by default', async () => {
    const store = fresh()
    await checkpointed(store)
    expect(await store.load('t')).toEqual({
      checkpoint: { seq: 6, run: { at: 6 } },
      rows: rowsBetween(7, 9),
    })
  })

  it.each([
    [2, undefined, rowsBetween(0, 2)],
    [3, 3, []],
    [5, 3, rowsBetween(4, 5)],
    [6, 6, []],
    [8, 6, rowsBetween(7, 8)],
    [99, 6, rowsBetween(7, 9)],
    [-1, undefined, []],
  ])('up to row %i: checkpoint %s', async (seq, checkpoint, rows) => {
    const store = fresh()
    await checkpointed(store)
    expect(await store.load('t', seq)).toEqual(
      checkpoint === undefined
        ? { rows }
        : { checkpoint: { seq: checkpoint, run: { at: checkpoint } }, rows },
    )
  })

  it('finds chunks of all checkpoints by their hash, and omits unknown ones', async () => {
    const store = fresh()
    await checkpointed(store)
    expect(await store.chunks(['b', 'a', 'a', 'z'])).toEqual(
      new Map<string, Json>([
        ['b', { deep: [1, null] }],
        ['a', ['first']],
      ]),
    )
    expect(await store.chunks([])).toEqual(new Map())
  })

  it('a second checkpoint of a row replaces the first', async () => {
    const store = fresh()
    const lease = await begun(store, 't', 3, {
      checkpoint: { seq: 3, run: 'old', chunks: new Map() },
    })
    await store.append(
      batch(lease, [], {
        summary: { seq: 3 },
        checkpoint: { seq: 3, run: 'new', chunks: new Map() },
      }),
    )
    expect(await store.load('t')).toEqual({ checkpoint: { seq: 3, run: 'new' }, rows: [] })
  })
}
