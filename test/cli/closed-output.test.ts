/** The reader of the output ends before the command: `escapement … | head`, a log without a reader, a full disk. */
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { escapementIn, type Running } from '../durability/process.ts'
import { KEY, serveIn } from '../http/serving.ts'
import { type Desk, GOOD, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

/** A tool that returns if the file `go` exists. Otherwise it writes the file `begun`, and runs until it is aborted. */
const TOOL = `import { existsSync, writeFileSync } from 'node:fs'
export const stay = { name: 'stay', description: '', parameters: {}, effects: 'read', idempotent: true, timeout: 600000, parse: args => args,
  execute: ({ go }, { signal }) => existsSync(go) || new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    writeFileSync('begun', '')
  }) }
`
/** Has more rows than one page of an export. */
const ROUND = spec(`
channels: { n: { type: integer, default: 0 } }
limits: { steps: 600 }
nodes:
  A: { use: pass, when: { over: n > 5 }, on: { done: A, done.over: E } }
  E: { final: success }
`)
const staying = (go: string) =>
  spec(`
nodes:
  A: { use: tool, tool: stay, args: { go: ${go} }, on: { done: E } }
  E: { final: success }
tools: { stay: { use: ./stay.mjs#stay } }
`)

/** Closes the reading end of an output, and waits until it is closed. */
async function close(running: Pick<Running, 'child'>, output: 'stdout' | 'stderr'): Promise<void> {
  const stream = running.child[output]
  const closed = stream && once(stream, 'close')
  stream?.destroy()
  await closed
}

async function eventsOf({ folder }: Desk, thread: string): Promise<readonly string[]> {
  const store = sqliteStore({ file: join(folder, 'threads.db') })
  const rows = await store.rows(thread)
  await store.close()
  return rows.map(({ event }) => event.type)
}

describe('a log without a reader', () => {
  it('does not end a run', async () => {
    const desk = newDesk()
    const file = desk.file('good.yaml', GOOD)
    const running = desk.start('run', file, '--thread', 't', '--progress', 'always')
    await close(running, 'stderr')
    expect(await running.ended).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^✓ t: success/),
    })
  })

  it('does not end a service: it goes on, and drains at SIGTERM', async () => {
    const desk = newDesk()
    desk.file('good.yaml', GOOD)
    const serving = serveIn(desk.folder, ['--graphs', 'good.yaml', '--store', 'threads.db'])
    const { url } = await serving.ready
    await close(serving, 'stderr')
    for (const thread of ['one', 'two', 'three']) {
      const body = JSON.stringify({ graph: 'trial', thread })
      const { status } = await fetch(`${url}/v1/threads`, { method: 'POST', headers: KEY, body })
      expect(status).toBe(201)
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    serving.child.kill('SIGTERM')
    expect((await serving.exit).code).toBe(0)
  })

  it.skipIf(!existsSync('/dev/full'))('does not change an exit code', async () => {
    const { folder } = newDesk()
    const lint = await escapementIn('exec 2>/dev/full;', ['lint', 'gone.yaml'], { cwd: folder })
    expect(lint.code).toBe(2)
  })
})

describe('results without a reader', () => {
  it('do not change the exit code of a run that has ended', async () => {
    const desk = newDesk()
    const failing = desk.file('bad.yaml', GOOD.replace('final: success', 'final: failure'))
    const running = desk.start('run', failing, '--thread', 't')
    await close(running, 'stdout')
    expect(await running.ended).toMatchObject({ code: 1, err: '' })
  })

  it('make a tick leave the thread in progress as SIGTERM does', async () => {
    const desk = newDesk()
    const { folder } = desk
    desk.file('stay.mjs', TOOL)
    const store = ['--store', 'threads.db']
    for (const thread of ['first', 'second']) {
      const file = desk.file(`${thread}.yaml`, staying(`go-${thread}`))
      const run = desk.start('run', file, '--thread', thread, ...store)
      while (!existsSync(join(folder, 'begun'))) await pause(20)
      run.child.kill('SIGTERM')
      expect((await run.ended).code).toBe(143)
      rmSync(join(folder, 'begun'))
    }
    desk.file('go-first', '')
    const started = await eventsOf(desk, 'second')
    const tick = desk.start('tick', ...store)
    await close(tick, 'stdout')
    expect(await tick.ended).toMatchObject({ code: 143, err: expect.stringContaining('resume') })
    expect((await eventsOf(desk, 'first')).at(-1)).toBe('node.done')
    expect(await eventsOf(desk, 'second')).toEqual(started)
    desk.file('go-second', '')
    expect(await desk.type('tick', ...store)).toMatchObject({ code: 0, err: '' })
  })

  it('end a long export with exit code 0', async () => {
    const desk = newDesk()
    const file = desk.file('round.yaml', ROUND)
    await desk.type('run', file, '--thread', 't')
    const exporting = desk.start('export', 't')
    await close(exporting, 'stdout')
    expect(await exporting.ended).toMatchObject({ code: 0, err: '' })
  })

  it.skipIf(!existsSync('/dev/full'))('are an error if the disk is full', async () => {
    const desk = newDesk()
    const file = desk.file('good.yaml', GOOD)
    const run = ['run', file, '--thread', 't']
    const { code, err } = await escapementIn('exec 1>/dev/full;', run, { cwd: desk.folder })
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^escapement: the output cannot be written: ENOSPC.*\n$/),
    })
  })
})
