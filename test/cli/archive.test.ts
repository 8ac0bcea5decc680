/** `escapement export --out` and `escapement import`: a thread in one file, from store to store. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nameOfValue } from '../../src/runtime/store/value-name.ts'
import { type Desk, expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const TALK = spec(`
input: [ask]
channels: { ask: { type: string }, asked: { reducer: append } }
output: [asked]
nodes:
  A: { use: ./tools.mjs#read, out: { asked: . }, on: { done: B } }
  B: { use: human, question: Fine?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E } }
  E: { final: success }
`)

const FILE = 't.escapement.gz'

/** A desk with a thread that waits for an answer, and the file it was exported to. */
async function exported(): Promise<Desk> {
  const desk = newDesk()
  desk.file('talk.yaml', TALK)
  desk.file(
    'tools.mjs',
    "export const read = async task => task.input.ask + ' ' + 'é🙂'.repeat(2_000)\n",
  )
  expect(
    (await desk.type('run', 'talk.yaml', '--thread', 't', '--input', '{"ask":"one"}')).code,
  ).toBe(3)
  expect(await desk.type('export', 't', '--out', FILE)).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining(FILE),
  })
  return desk
}

interface StoredGraph {
  file: string
  workspace: string
  spec: { channels: { ask: { reducer?: string } } }
}

/** Writes `forged.gz`: the file with another graph, under its right name and digest. */
function forge(desk: Desk, change: (graph: StoredGraph) => void): void {
  const text = gunzipSync(readFileSync(join(desk.folder, FILE))).toString()
  const lines = text.trim().split('\n').slice(0, -1)
  const kept = lines.map(line => JSON.parse(line)).find(({ kept }) => kept)
  const value = structuredClone(kept.value)
  change(value)
  const [source, changed] = [JSON.stringify(kept.value), JSON.stringify(value)]
  const name = nameOfValue('graph', value)
  const body = lines
    .map(line => `${line.replace(source, () => changed).replaceAll(kept.kept, name)}\n`)
    .join('')
  const sha256 = createHash('sha256').update(body).digest('hex')
  desk.file('forged.gz', gzipSync(`${body}${JSON.stringify({ sha256 })}\n`))
}

const elsewhere = ['--store', 'elsewhere.db'] as const

describe('an archive', () => {
  it.each(['', '-wal', '-shm'])('never replaces the store (threads.db%s)', async suffix => {
    const desk = await exported()
    const store = ['--store', 'threads.db']
    await desk.type('import', FILE, ...store)
    const args = ['export', 't', ...store, '--out', `threads.db${suffix}`]
    expectRefused(await desk.type(...args), /threads\.db.*: is also read; expected another file/)
    expect((await desk.type('show', 't', ...store)).code).toBe(0)
  })

  it('is read without gzip too, as a service exports it', async () => {
    const desk = await exported()
    const text = gunzipSync(readFileSync(join(desk.folder, FILE))).toString()
    for (const [name, content] of [
      ['plain.jsonl', text],
      ['unended.jsonl', text.trimEnd()],
    ] as const) {
      desk.file(name, content)
      expect((await desk.type('import', name, '--as', name, ...elsewhere)).code).toBe(0)
    }
    desk.file('rows.jsonl', (await desk.type('export', 't')).out)
    expectRefused(
      await desk.type('import', 'rows.jsonl', ...elsewhere),
      /rows\.jsonl: is not an escapement archive: expected a header with format 'escapement', as `escapement export --out` writes it/,
    )
  })

  it('is readable for its owner only', async () => {
    const desk = await exported()
    expect(lstatSync(join(desk.folder, FILE)).mode & 0o777).toBe(0o600)
  })

  it('goes through a link to its file, as into a pipe', async () => {
    const desk = await exported()
    symlinkSync(join(desk.folder, 'target.gz'), join(desk.folder, 'link.gz'))
    expect((await desk.type('export', 't', '--out', 'link.gz')).code).toBe(0)
    expect(lstatSync(join(desk.folder, 'link.gz')).isSymbolicLink()).toBe(true)
    expect((await desk.type('import', 'target.gz', ...elsewhere)).code).toBe(0)
  })

  it('is not imported or forked under a name with control characters', async () => {
    const desk = await exported()
    const message = /the name 'y\\nimported' has control characters/
    expectRefused(await desk.type('import', FILE, ...elsewhere, '--as', 'y\nimported'), message)
    const fork = await desk.type('fork', 't', '--effects', 'recorded', '--as', 'y\nimported')
    expectRefused(fork, message)
  })

  it('copies a thread to another store row by row, where it can be shown, forked and continued', async () => {
    const desk = await exported()
    const { code, out, err } = await desk.type('import', FILE, ...elsewhere, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      thread: 't',
      status: 'waiting',
      questions: [{ id: 'B#1' }],
    })
    expect(err).toContain(`its tools are confined to ${desk.folder}`)
    expect((await desk.type('export', 't', ...elsewhere)).out).toBe(
      (await desk.type('export', 't')).out,
    )
    const shown = (await desk.type('show', 't')).out
    const shownElsewhere = (await desk.type('show', 't', ...elsewhere)).out
    expect(shownElsewhere.replace(` ${elsewhere.join(' ')}`, '')).toBe(shown)
    expect(
      (await desk.type('fork', 't', '--at', '0', '--effects', 'live', '--as', 'u', ...elsewhere))
        .code,
    ).toBe(0)
    expect((await desk.type('resume', 't', '--decision', 'approved', ...elsewhere)).code).toBe(0)
    expect((await desk.type('show', 't')).out).toBe(shown)
  })

  it('has the same bytes each time, is readable by its owner only, and leaves no other file', async () => {
    const desk = await exported()
    const first = readFileSync(join(desk.folder, FILE))
    await desk.type('export', 't', '--out', FILE)
    expect(readFileSync(join(desk.folder, FILE)).equals(first)).toBe(true)
    expect(readdirSync(desk.folder).filter(name => name.includes('part'))).toEqual([])
  })

  it('is rejected if the thread exists, or if a write of it is active under another name', async () => {
    const desk = await exported()
    expectRefused(await desk.type('import', FILE), /thread 't' already exists/)
    const before = JSON.parse((await desk.type('threads', '--json')).out)
    expect(before).toHaveLength(1)
    desk.file(
      'pay.yaml',
      spec(
        'nodes:\n  A: { use: tool, tool: pay, on: { done: E } }\n  E: { final: success }\ntools: { pay: { use: ./pay.mjs#pay, effects: write } }\n',
      ),
    )
    desk.file(
      'pay.mjs',
      "export const pay = { name: 'pay', description: '', parameters: {}, effects: 'write', idempotent: false, timeout: 100, parse: args => args, execute: () => new Promise(() => {}) }\n",
    )
    expect((await desk.type('run', 'pay.yaml', '--thread', 'p')).code).toBe(3)
    await desk.type('export', 'p', '--out', 'p.gz')
    expectRefused(
      await desk.type('import', 'p.gz', '--as', 'q', ...elsewhere),
      /cannot be renamed: a call of pay is unfinished and tied to the name of its thread; import it as 'p'/,
    )
    expect((await desk.type('import', 'p.gz', ...elsewhere)).code).toBe(0)
  })

  it('with a forged graph is rejected with its name, and nothing is stored', async () => {
    const desk = await exported()
    forge(desk, graph => {
      graph.spec.channels.ask.reducer = 'constructor'
    })
    expectRefused(
      await desk.type('import', 'forged.gz', ...elsewhere),
      /^error: forged\.gz: thread 't' cannot be replayed/,
    )
    const db = new DatabaseSync(join(desk.folder, 'elsewhere.db'))
    expect(db.prepare('SELECT count(*) AS kept FROM kept').get()).toEqual({ kept: 0 })
    db.close()
  })

  it('forges no line of a message with the paths of its graph', async () => {
    const desk = await exported()
    forge(desk, graph => {
      graph.file = '/srv/a.yaml\nsigned by ops'
      graph.workspace = '/srv\r\n\u202ewarning: none'
    })
    const { code, err } = await desk.type('import', 'forged.gz', ...elsewhere)
    expect({ code, err }).toEqual({
      code: 0,
      err: String.raw`imported 't'; its graph is /srv/a.yaml\nsigned by ops, and its tools are confined to /srv\u000d\n\u202ewarning: none${'\n'}`,
    })
  })

  it('that is invalid or changed is rejected with its name, and nothing is imported', async () => {
    const desk = await exported()
    const text = gunzipSync(readFileSync(join(desk.folder, FILE))).toString()
    desk.file('changed.gz', gzipSync(text.replace('"ask":"one"', '"ask":"two"')))
    expectRefused(
      await desk.type('import', 'changed.gz', ...elsewhere),
      /^error: changed\.gz: was changed: its SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}\n/,
    )
    expectRefused(
      await desk.type('import', 'talk.yaml', ...elsewhere),
      /^error: talk\.yaml: is not an escapement archive: expected a header/,
    )
    expect(JSON.parse((await desk.type('threads', '--json', ...elsewhere)).out)).toEqual([])
  })

  it('rejects an unknown thread or a missing folder and writes nothing', async () => {
    const desk = await exported()
    expectRefused(
      await desk.type('export', 'missing', '--out', 'missing.gz'),
      /thread 'missing' does not exist/,
    )
    expectRefused(
      await desk.type('export', 't', '--out', 'nowhere/t.gz'),
      /nowhere\/t\.gz: cannot be written/,
    )
    if (existsSync('/dev/full'))
      expectRefused(
        await desk.type('export', 't', '--out', '/dev/full'),
        /\/dev\/full: cannot be written \(ENOSPC\)/,
      )
    expect(readdirSync(desk.folder).filter(name => name.startsWith('missing'))).toEqual([])
  })
})
