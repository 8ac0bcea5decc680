/** Archives: the content for a thread, and the rejection of incomplete or damaged ones. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { systemClock } from '../../src/adapters/node/ports.ts'
import { readArchive, writeLines } from '../../src/adapters/node/files.ts'
import { archiveLines } from '../../src/runtime/store/archive.ts'
import { parseArchive } from '../../src/runtime/store/archive-parser.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { canonical, digest, hash } from '../../src/core/watch/data/json.ts'
import { NOTHING_SPENT } from '../../src/core/watch/event/call-event.ts'
import { getSource, startOf } from '../../src/runtime/store/source.ts'
import { nameOfValue } from '../../src/runtime/store/value-name.ts'
import { importThreads } from '../../src/runtime/drive/copy.ts'
import { recorder } from '../../src/index.ts'
import { watchdog } from '../../src/watchdog.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newFolders } from '../durability/folders.ts'
import { calling, driveUntil, portsOf, START } from './desk.ts'

const newFolder = newFolders()
const graph = calling(async () => 'é🙂'.repeat(20_000))
let folder = ''
let lines: readonly string[] = []
let store: Store

const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = newFolder()
  let now = 1_000_000
  // No two looks at the clock are the same: what a run knows of its time must come from its events.
  const ports = portsOf(graph, { clock: { ...systemClock, now: () => now++ } })
  store = ports.store
  await drive(ports, 't', START)
  await writeLines(at('t.gz'), archiveLines(store, 't'), { pack: true })
  lines = gunzipSync(readFileSync(at('t.gz')))
    .toString()
    .trimEnd()
    .split('\n')
})

/** Takes over what stands in a file. */
async function taken(file: string, into = memoryStore(), as?: string) {
  const machineOf = async () => graph.machine
  return importThreads(
    { store: into, owner: 'test', wall: () => 0, isOwnerDead: () => false, machineOf },
    await parseArchive(readArchive(at(file))),
    as,
  )
}

/** A file with these lines, and a hash that fits them. */
function hashed(body: readonly string[]): string {
  const text = body.map(line => `${line}\n`).join('')
  return packed(
    `${text}${JSON.stringify({ sha256: createHash('sha256').update(text).digest('hex') })}\n`,
  )
}

function packed(text: string | Uint8Array): string {
  writeFileSync(at('other.gz'), gzipSync(text))
  return 'other.gz'
}

const whole = () => lines.slice(0, -1)

const DONE = { type: 'child.done', outcome: 'success', reason: 'goal', result: null }
const NOTHING = { spent: NOTHING_SPENT, digest: digest(null), effects: 'read' }

/** The lines of a family from those of one thread: its journal starts a child for each call, with the same rows. */
function familyLines(
  [head = '', kept = '', ...rows]: readonly string[],
  calls: readonly string[],
  parent = 't',
): readonly string[] {
  const { threads, ...header } = JSON.parse(head)
  const [first = {}, ...later] = rows.map(row => JSON.parse(row))
  const links = calls.map((call, index) => {
    const of = { effect: 'A#1', region: '', call, subject: 'child', key: 'k', at: first.event.at }
    const thread = `${parent}/${call}`
    const events = [{ ...of, type: 'child.started', thread, reserved: {} }]
    return [...events, { ...of, ...DONE, ...NOTHING, thread }].map((event, next) => ({
      ...later[0],
      ...{ seq: 1 + index * 2 + next, event, edges: [] },
    }))
  })
  const moved = later.map(row => ({ ...row, seq: row.seq + calls.length * 2 }))
  const children = calls.map((call, index) => {
    const link = { thread: parent, seq: 1 + index * 2, call, key: 'k', limits: {}, depth: 1 }
    return [{ ...first, event: { ...first.event, parent: link } }, ...later]
  })
  const family = [[first, ...links.flat(), ...moved], ...children]
  const names = ['t', ...calls.map(call => `t/${call}`)]
  const listed = names.map((thread, index) => ({
    ...threads[0],
    ...{ thread, rows: family[index]?.length },
  }))
  const all = family.flat().map(row => JSON.stringify(row))
  return [JSON.stringify({ ...header, threads: listed }), kept, ...all]
}

describe('an archive', () => {
  it('copies the same rows and the same state to another store', async () => {
    const other = memoryStore()
    const { thread, run } = await taken('t.gz', other)
    expect([thread, run.ended?.outcome]).toEqual(['t', 'success'])
    expect(JSON.stringify(await other.rows('t'))).toBe(JSON.stringify(await store.rows('t')))
    expect(await other.thread('t')).toEqual(await store.thread('t'))
    await expect(taken('t.gz', other)).rejects.toMatchObject({ name: 'ThreadExists' })
  })

  it('contains the rows at its start, whatever is appended meanwhile', async () => {
    const growing = portsOf(graph)
    await drive(growing, 't', START)
    const written: string[] = []
    for await (const line of archiveLines(growing.store, 't')) {
      if (written.push(line) === 1)
        await growing.store
          .submit('t', 'c1', { type: 'message', input: {} })
          .then(() => drive(growing, 't'))
    }
    expect((await growing.store.rows('t')).length).toBeGreaterThan(written.length)
    packed(written.join(''))
    expect((await taken('other.gz')).run.round).toBe(1)
  })

  it('keeps its name while a write that may have taken effect waits for its next attempt', async () => {
    const pay = async () => {
      throw Object.assign(new Error('the line went dead'), { code: 'ECONNRESET' })
    }
    const ports = portsOf(calling(pay, 'write', { idempotent: true, retry: { attempts: 3 } }))
    await driveUntil(ports, 't', 'call.waiting')
    await writeLines(at('waiting.gz'), archiveLines(ports.store, 't'), { pack: true })
    await expect(taken('waiting.gz', memoryStore(), 'u')).rejects.toThrow(
      /cannot be renamed: a call of work is unfinished/,
    )
    expect((await taken('waiting.gz')).thread).toBe('t')
  })

  it('keeps its name while the next identical call has the key of a write', async () => {
    const pay = async () => {
      throw Object.assign(new Error('Internal Server Error'), { status: 500 })
    }
    const ports = portsOf(calling(pay, 'write', { idempotent: true, retry: { attempts: 1 } }))
    await drive(ports, 't', START)
    await writeLines(at('doubtful.gz'), archiveLines(ports.store, 't'), { pack: true })
    await expect(taken('doubtful.gz', memoryStore(), 'u')).rejects.toThrow(
      /cannot be renamed: a call of work is unfinished/,
    )
  })

  it('is refused when it is written, if no import would read it', async () => {
    const huge = { text: 'x'.repeat(17_000_000) }
    const rows: Store['rows'] = async (...of) =>
      (await store.rows(...of)).map(row => ({
        ...row,
        event: { ...row.event, input: huge } as never,
      }))
    const written = async () => {
      for await (const _ of archiveLines({ ...store, rows }, 't'));
    }
    await expect(written()).rejects.toThrow(/an archive holds at most 16777216 in a line/)
  })

  it('includes the child threads, renamed with their parent', async () => {
    const file = hashed(familyLines(whole(), ['A#1/1']))
    const other = memoryStore()
    expect((await taken(file, other, 'copy')).thread).toBe('copy')
    expect((await other.threads()).map(({ thread }) => thread).toSorted()).toEqual([
      'copy',
      'copy/A#1/1',
    ])
    const names: string[] = []
    for await (const line of archiveLines(other, 'copy'))
      if (names.length === 0)
        names.push(...JSON.parse(line).threads.map(({ thread }: { thread: string }) => thread))
    expect(names).toEqual(['copy', 'copy/A#1/1'])
  })

  describe('with a child thread', () => {
    /** The lines of an archive without its hash, with this parent in the first row of its thread. */
    const withParent = (of: readonly string[], thread: string) =>
      of.slice(0, -1).map(line => {
        const row = JSON.parse(line)
        const parent = { thread, seq: 1, call: 'A#1/1', limits: {}, depth: 1 }
        return row.seq === 0 ? JSON.stringify({ ...row, event: { ...row.event, parent } }) : line
      })

    /** The lines of a thread that has not ended. */
    const unfinished = async () => {
      const ports = portsOf(graph)
      await driveUntil(ports, 't', 'tool.called')
      const written: string[] = []
      for await (const line of archiveLines(ports.store, 't')) written.push(line.trimEnd())
      return written
    }

    const message =
      /^thread '.*' has not ended and belongs to thread 'victim', which is not the thread above it in the archive/

    it('is refused if the first thread works for one outside of the archive', async () => {
      const file = hashed(withParent(await unfinished(), 'victim'))
      const other = memoryStore()
      for (const as of [undefined, 'copy'])
        await expect(taken(file, other, as)).rejects.toMatchObject({
          code: 'bad-archive',
          message: expect.stringMatching(message),
        })
      expect(await other.threads()).toEqual([])
    })

    it('is refused if a child thread works for another thread than that above it', async () => {
      const rows = (await unfinished()).slice(0, -1)
      const family = (parent: string) => hashed(familyLines(rows, ['A#1/1'], parent))
      await expect(taken(family('victim'))).rejects.toMatchObject({
        code: 'bad-archive',
        message: expect.stringMatching(message),
      })
      expect((await taken(family('t'))).thread).toBe('t')
    })

    it('is read under another name once the thread has ended', async () => {
      expect((await taken(hashed(withParent(lines, 'victim')), memoryStore(), 'copy')).thread).toBe(
        'copy',
      )
    })
  })

  it('omits an independent thread whose name begins alike', async () => {
    const ports = portsOf(graph)
    for (const thread of ['customer', 'customer/42']) await drive(ports, thread, START)
    const written: string[] = []
    for await (const line of archiveLines(ports.store, 'customer')) written.push(line)
    const [header = ''] = written
    expect(JSON.parse(header).threads).toMatchObject([{ thread: 'customer' }])
    expect(JSON.parse(header).threads).toHaveLength(1)
  })

  it('is refused under the name of a child thread, and with a thread that is not a child of the first', async () => {
    const other = memoryStore()
    await expect(taken('t.gz', other, 'order/x#1/1')).rejects.toMatchObject({
      code: 'reserved-name',
    })
    const { threads, ...header } = JSON.parse(lines[0] ?? '')
    const rows = whole().slice(2)
    const named = (first: string, second: string) =>
      hashed([
        JSON.stringify({
          ...header,
          threads: [
            { ...threads[0], thread: first },
            { ...threads[0], thread: second },
          ],
        }),
        lines[1] ?? '',
        ...rows,
        ...rows,
      ])
    await expect(taken(named('order/x#1/1', 'order/x#1/1/y#1/1'), other)).rejects.toMatchObject({
      code: 'reserved-name',
    })
    // The names of children of `p1`, which is not in the archive: it would adopt them.
    for (const [first, second, as] of [
      ['p1/x#1', 'p1/x#1/1', undefined],
      ['q', 'q/1', 'p1/x#1'],
      ['tickets', 'tickets/p1/x#1/1', undefined],
    ] as const)
      await expect(taken(named(first, second), other, as)).rejects.toMatchObject({
        name: 'BadArchive',
      })
    for (const second of ['p1/x#1/1', 'tother', 't', 't/42', 't/x#1/1/y#1/1'])
      await expect(taken(named('t', second), other)).rejects.toMatchObject({ name: 'BadArchive' })
    expect(await other.threads()).toEqual([])
  })

  it('is refused if it lists a thread twice', async () => {
    const { threads, ...header } = JSON.parse(lines[0] ?? '')
    const child = { ...threads[0], thread: 't/x#1/1' }
    const rows = whole().slice(2)
    const listed = JSON.stringify({ ...header, threads: [...threads, child, child] })
    const file = hashed([listed, lines[1] ?? '', ...rows, ...rows, ...rows])
    await expect(taken(file)).rejects.toMatchObject({
      name: 'BadArchive',
      message: "header: lists thread 't/x#1/1' twice",
    })
  })

  it.each([
    ['a control character', 't/A\u001b[2J#1/1', 'expected `threads`, each with its name'],
    ['a line break', 't/A\nerror: forged#1/1', 'expected `threads`, each with its name'],
    ['many characters', 't'.repeat(100_000), `'${'t'.repeat(100)}`],
  ])('with %s in a name is refused on one short line', async (_, thread, shown) => {
    const { threads, ...header } = JSON.parse(lines[0] ?? '')
    const listed = JSON.stringify({ ...header, threads: [...threads, { ...threads[0], thread }] })
    const { message } = await taken(hashed([listed, ...whole().slice(1)])).then(
      () => new Error('was imported'),
      error => error,
    )
    expect(message).toContain(`header: ${shown}`)
    expect(message).not.toMatch(/\p{Cc}/u)
    expect(message.length).toBeLessThanOrEqual(501)
  })

  it.each<[string, () => string | Promise<string>, RegExp]>([
    ['is not there', () => 'nowhere.gz', /^file not found$/],
    ['is a folder', () => '.', /^is not a file$/],
    [
      'is neither packed nor an archive',
      () => {
        writeFileSync(at('text.gz'), 'hello')
        return 'text.gz'
      },
      /^is not an escapement archive: expected a header in its first line, as `escapement export --out` writes it$/,
    ],
    [
      'is not packed, and not text',
      () => {
        writeFileSync(at('bytes.gz'), new Uint8Array([0xff, 0xfe, 10]))
        return 'bytes.gz'
      },
      /^is neither gzip nor UTF-8 text/,
    ],
    [
      'has damaged gzip data',
      () => {
        const bytes = readFileSync(at('t.gz'))
        writeFileSync(at('damaged.gz'), bytes.fill(0xff, 40, 60))
        return 'damaged.gz'
      },
      /^was changed: its gzip data is damaged$/,
    ],
    ['is empty', () => packed(''), /^is empty$/],
    [
      'is something else',
      () => packed('{"a":1}\n'),
      /^is not an escapement archive: expected a header with format 'escapement', as/,
    ],
    ['is not JSON', () => packed('hello\n'), /^is not an escapement archive/],
    [
      'is not text',
      () => packed(new Uint8Array([0xff, 0xfe, 10])),
      /^is neither gzip nor UTF-8 text/,
    ],
    [
      'is of another version',
      () => hashed([(lines[0] ?? '').replace('"version":1', '"version":2')]),
      /^has format version 2; expected 1/,
    ],
    [
      'contains no thread',
      () => hashed(['{"format":"escapement","version":1,"threads":[]}']),
      /^header: expected `threads`/,
    ],
    [
      'was cut off',
      () => {
        writeFileSync(at('cut.gz'), readFileSync(at('t.gz')).subarray(0, 300))
        return 'cut.gz'
      },
      /^is truncated: expected the rest/,
    ],
    [
      'ends in the middle of a line',
      () => packed(lines.join('\n').slice(0, -20)),
      /^is truncated: its last line has no end$/,
    ],
    [
      'lacks its hash',
      () => packed(`${whole().join('\n')}\n`),
      /^is truncated: its last line, the hash, is missing$/,
    ],
    [
      'was changed',
      () => packed(`${lines.join('\n').replace('é', 'e')}\n`),
      /^was changed: its SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}$/,
    ],
    [
      'goes on after its hash',
      () => packed(`${lines.join('\n')}\n{}\n`),
      /^continues after its last line/,
    ],
    ['lacks a row', () => hashed(whole().slice(0, -1)), /^thread 't' has \d+ rows; expected \d+$/],
    [
      'has a row too many',
      () => hashed([...whole(), lines.at(-2) ?? '']),
      /^has more rows than its header lists$/,
    ],
    [
      'has its rows in another order',
      () => hashed([...whole().slice(0, 2), ...whole().slice(2).toReversed()]),
      /^thread 't': expected row 0, the thread.started event$/,
    ],
    [
      'has another graph',
      () =>
        hashed(
          whole().map(line =>
            line.startsWith('{"kept"') ? line.replace('{"kept":"', '{"kept":"x') : line,
          ),
        ),
      /is not the graph of this name$/,
    ],
    [
      'has no graph',
      () => hashed(whole().filter(line => !line.startsWith('{"kept"'))),
      /^thread 't': its graph is missing$/,
    ],
    [
      'took other edges',
      () => hashed(whole().map(line => line.replace('A:done>E', 'A:done>F'))),
      /^thread 't' cannot be replayed: event \d+ took the edges/,
    ],
    [
      'has rows without findings',
      () => hashed(whole().map(line => line.replace('"findings":[],', ''))),
      /^thread 't': row 0: findings: expected a list$/,
    ],
    [
      'has a time that no date can have',
      () => hashed(whole().map(line => line.replace(/"at":\d+/, '"at":9e15'))),
      /^thread 't': row 0: event.at: expected a time before the year 275760$/,
    ],
    [
      'has an event of no known type',
      () => hashed(whole().map(line => line.replace('"tool.done"', '"tool.ready"'))),
      /^thread 't': row \d: event.type: expected one of thread.started, /,
    ],
    [
      'has an event with a field of another type',
      () => hashed(whole().map(line => line.replace('"attempt":1', '"attempt":"1"'))),
      /^thread 't': row \d: event.attempt: expected a whole number$/,
    ],
    [
      'has an end without a reason',
      () => hashed(whole().map(line => line.replace('"because":{"code"', '"because":{"cod"'))),
      /^thread 't': row \d: ended.because: expected a reason: a code and its parameters$/,
    ],
    [
      'has a policy beyond its ranges',
      () => hashed(whole().map(line => line.replace('"within":16', '"within":1000000000'))),
      /^thread 't': row 0: policy.detect.repetition.within: expected a whole number from 2 to 64/,
    ],
    [
      'has a policy of another form',
      () =>
        hashed(whole().map(line => line.replace('"detect":{"sequence"', '"detected":{"sequence"'))),
      /^thread 't': row 0: policy.detect: expected the options of each detector$/,
    ],
    [
      'holds verdicts that are none',
      () => hashed(whole().map(line => line.replace('"kind":"continue"', '"kind":"escape"'))),
      /^thread 't': row \d: verdict.route: expected an object$/,
    ],
  ])(
    'that %s is rejected with the expectation, and nothing is imported',
    async (_, make, expected) => {
      const other = memoryStore()
      await expect(Promise.resolve(make()).then(file => taken(file, other))).rejects.toMatchObject({
        name: 'BadArchive',
        message: expect.stringMatching(expected),
      })
      expect(await other.threads()).toEqual([])
    },
  )
})

/** 65 KB that unpack to 64 MB. */
function bomb(line: string): string {
  return packed(`${lines[0]}\n${line.repeat(Math.ceil(64e6 / line.length))}`)
}

test.each(['0', `"${'0'.repeat(99)}"\n`, '{"seq":0}\n', '\n'])(
  'an archive of 65 KB with many times %j is rejected before it takes a lot of time or memory',
  { timeout: 5_000 },
  async line => {
    await expect(taken(bomb(line))).rejects.toMatchObject({ name: 'BadArchive' })
  },
)

const row = (seq: number, more: object = {}) =>
  JSON.stringify({ ...JSON.parse(lines[seq === 0 ? 2 : 3] ?? ''), seq, ...more })

/** Parses these lines after the header and the graph. Returns the error, and how many were read. */
async function readUntilRefused(rows: number, line: (nth: number) => string) {
  const { threads, ...header } = JSON.parse(lines[0] ?? '')
  let read = 0
  async function* all() {
    yield JSON.stringify({ ...header, threads: [{ ...threads[0], rows }] })
    yield lines[1] ?? ''
    for (; read < 100_000; read++) yield line(read)
  }
  const error: Error = await parseArchive(all()).then(
    () => new Error('was read'),
    error => error,
  )
  return { message: error.message, read }
}

test('an archive is refused at its first wrong line, however many rows its header promises', async () => {
  const most = Number.MAX_SAFE_INTEGER
  const bomb = `{"seq":1,"a":[${'{},'.repeat(330)}{}]}`
  expect(await readUntilRefused(most, () => bomb)).toEqual({
    message: "thread 't': expected row 0, the thread.started event",
    read: 0,
  })
  expect(await readUntilRefused(most, nth => row(nth === 5 ? 4 : nth))).toEqual({
    message: "thread 't': expected row 5",
    read: 5,
  })
  const odd = await readUntilRefused(most, nth => row(nth, nth === 7 ? { findings: 1 } : {}))
  expect(odd).toMatchObject({ message: expect.stringMatching(/row 7: findings/), read: 7 })
  expect(await readUntilRefused(3, row)).toEqual({
    message: 'has more rows than its header lists',
    read: 3,
  })
})

test('an archive may hold 20,000,000 values, also in fields that no version has', async () => {
  const zeros = Array.from({ length: 2_000_000 }, () => 0)
  const text = row(1, { zeros })
  const many = (nth: number) => (nth === 0 ? row(0) : text.replace('"seq":1', `"seq":${nth}`))
  expect(await readUntilRefused(Number.MAX_SAFE_INTEGER, many)).toEqual({
    message: 'has more than 20000000 values up to line 13',
    read: 10,
  })
})

test('a long archive lets timers run while it is read', async () => {
  const { threads, ...header } = JSON.parse(lines[0] ?? '')
  const text = 'x'.repeat(100_000)
  async function* all() {
    yield JSON.stringify({ ...header, threads: [{ ...threads[0], rows: 100 }] })
    yield lines[1] ?? ''
    for (let seq = 0; seq < 100; seq++) yield row(seq, { text })
  }
  let pauses = 0
  const pause = async () => pauses++
  await expect(parseArchive(all(), pause)).rejects.toThrow('is truncated')
  expect(pauses).toBeGreaterThan(20)
})

test('the names of 200,000 threads are checked in linear time', { timeout: 5_000 }, async () => {
  const threads = Array.from({ length: 200_000 }, (_, n) => {
    return { thread: n === 0 ? 't' : `t/x#${n}/1`, rows: 1 }
  })
  const { threads: _, ...header } = JSON.parse(lines[0] ?? '')
  async function* only() {
    yield JSON.stringify({ ...header, threads })
  }
  await expect(parseArchive(only())).rejects.toThrow(/^is truncated/)
})

test('an aborted import stops between two pages of rows, and stores nothing', async () => {
  const { threads, ...header } = JSON.parse(lines[0] ?? '')
  const [first = '', ...rest] = whole().slice(2)
  const told = {
    ...{ type: 'notified', effect: 'A#1', step: 0, notifier: 'log', ok: true, at: 1 },
    ...{ attempts: 1, detail: 'sent' },
  }
  const row = { ...JSON.parse(rest[0] ?? ''), event: told }
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ ...row, seq: index + 1 }))
  const listed = { ...header, threads: [{ ...threads[0], rows: rows.length + 1 }] }
  const text = [JSON.stringify(listed), lines[1] ?? '', first, ...rows.map(r => JSON.stringify(r))]
  const stop = new AbortController()
  const into = memoryStore()
  const archive = await parseArchive(readArchive(at(hashed(text))))
  const machineOf = async () => {
    setImmediate(() => stop.abort(new Error('stopped')))
    return graph.machine
  }
  const pause = () => new Promise(setImmediate)
  const owner = { owner: 'test', wall: () => 0, isOwnerDead: () => false }
  const ports = { ...owner, store: into, machineOf, pause }
  await expect(importThreads({ ...ports, signal: stop.signal }, archive)).rejects.toThrow('stopped')
  expect(await into.threads()).toEqual([])
})

test('the threads of an archive that run one graph share its machine, whatever version they name', async () => {
  const children = Array.from({ length: 20 }, (_, index) => `A#${index + 1}/1`)
  let index = 0
  const body = familyLines(whole(), children).map(line => {
    const row = JSON.parse(line)
    if (row.seq !== 0) return line
    row.event.versions.escapement += `-${index++}`
    return JSON.stringify(row)
  })
  const file = hashed(body)
  let machines = 0
  const machineOf = async () => {
    machines++
    return graph.machine
  }
  const owner = { owner: 'test', wall: () => 0, isOwnerDead: () => false }
  const into = memoryStore()
  await importThreads(
    { ...owner, store: into, machineOf },
    await parseArchive(readArchive(at(file))),
  )
  expect(await into.threads()).toHaveLength(21)
  expect(machines).toBe(1)
})

test('a line of more than 16 MB is refused before it is parsed', async () => {
  async function* huge() {
    yield lines[0] ?? ''
    yield `{"kept":"x","value":[${'[],'.repeat(6_000_000)}[]]}`
  }
  await expect(parseArchive(huge())).rejects.toThrow(
    /^line 2 has \d+ characters; expected at most 16777216$/,
  )
})

test('an import stores only the graphs of its threads', async () => {
  const stranger = { escapement: 1, id: 'stranger' }
  const names = [hash(canonical(stranger)), nameOfValue('graph', stranger)]
  const extra = names.map(kept => JSON.stringify({ kept, value: stranger }))
  const [header = '', own = '', ...rows] = whole()
  const other = memoryStore()
  await taken(hashed([header, ...extra, own, ...rows]), other)
  for (const name of names) expect(await other.getBlob(name)).toBeUndefined()
  expect(await other.getBlob(JSON.parse(own).kept)).toEqual(JSON.parse(own).value)
})

test('refuses the mark of a request in place of a graph', async () => {
  const mark = ['request', 'order-17']
  const line = JSON.stringify({ kept: hash(canonical(mark)), value: mark })
  const [header = '', ...rest] = whole()
  await expect(taken(hashed([header, line, ...rest]))).rejects.toThrow('is not the graph')
})

test('a graph stored under a short hash replaces no graph of a later thread', async () => {
  const other = memoryStore()
  // A second value with the same short hash is found in seconds.
  await other.putBlob(hash(canonical(graph.source)), { id: 'forged' })
  await drive(portsOf(graph, { store: other }), 't', START)
  const { started } = await startOf(other, 't')
  expect(await getSource(other, 't', started)).toEqual(graph.source)
})

test('graphs of many characters are refused', async () => {
  const [header = '', ...rest] = whole()
  const value = { id: 'x'.repeat(1_500_000) }
  const line = JSON.stringify({ kept: nameOfValue('graph', value), value })
  const many = async function* () {
    yield* [header, line, line, line, ...rest]
  }
  await expect(parseArchive(many())).rejects.toThrow(
    'has graphs of more than 4194304 characters up to line 4',
  )
})

test('an import that fails leaves no thread, and can be repeated', async () => {
  const file = hashed(familyLines(whole(), ['A#1/1']))
  const other = memoryStore()
  let appends = 0
  const failing: Store = {
    ...other,
    append: async (...batches) => {
      if (appends++ === 0) throw new Error('killed')
      return other.append(...batches)
    },
  }
  const source = JSON.parse(lines[1] ?? '').kept
  await expect(taken(file, failing)).rejects.toThrow('killed')
  expect(await other.threads()).toEqual([])
  expect(await other.getBlob(source)).toBeUndefined()
  expect((await taken(file, failing)).thread).toBe('t')
  expect(appends).toBe(2)
  expect(await other.getBlob(source)).toBeDefined()
  expect(await other.threads()).toHaveLength(2)
})

test('a graph that was changed in the store is not exported', async () => {
  const damaged: Store = {
    ...store,
    getBlob: async hash => ({ ...((await store.getBlob(hash)) as object), id: 'tRial' }),
  }
  await expect(writeLines(at('damaged.gz'), archiveLines(damaged, 't'), {})).rejects.toMatchObject({
    name: 'StoreUnavailable',
    message: expect.stringMatching(/^the graph stored as graph-\w+ is damaged/),
  })
})

test('a thread whose graph or first event was lost is not exported, and is named', async () => {
  const withoutGraph: Store = { ...store, getBlob: async () => undefined }
  await expect(
    writeLines(at('lost.gz'), archiveLines(withoutGraph, 't'), {}),
  ).rejects.toMatchObject({
    name: 'StoreUnavailable',
    message: expect.stringMatching(/^the graph graph-\w+ of thread 't' is missing/),
  })
  const withoutStart: Store = {
    ...store,
    rows: async (thread, ...of) => (thread === 't' ? [] : store.rows(thread, ...of)),
  }
  await expect(
    writeLines(at('lost.gz'), archiveLines(withoutStart, 't'), {}),
  ).rejects.toMatchObject({
    name: 'StoreUnavailable',
    message: "thread 't' is damaged: its first event is missing; restore the store from a backup",
  })
})

test('a thread of a wrapped agent is not exported, and the reason is its agent', async () => {
  const wrapped = memoryStore()
  const { record, flush } = recorder(wrapped)
  watchdog({ record, thread: 'rec' }).userMessage('hello', 1)
  await flush()
  await expect(writeLines(at('rec.gz'), archiveLines(wrapped, 'rec'), {})).rejects.toMatchObject({
    name: 'WrappedThread',
  })
})
