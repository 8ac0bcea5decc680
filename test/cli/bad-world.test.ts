/** Failing external systems: results that are too large or not JSON, a full disk. The run continues where possible, and nothing is lost. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import type { Row } from '../../src/core/run/run.ts'
import { escapementIn, here } from '../durability/process.ts'
import { type Desk, expectRefused, GOOD, newDesks } from './desk.ts'

const newDesk = newDesks()

function fixture(name: string): string {
  return here(`../cli/fixture/${name}`)
}

async function rowsIn({ folder }: Desk): Promise<readonly Row[]> {
  const store = sqliteStore({ file: join(folder, 'threads.db') })
  const rows = await store.rows('t')
  await store.close()
  return rows
}

const IN_STORE = ['--thread', 't', '--store', 'threads.db']

describe('a result of a tool', { timeout: 180_000 }, () => {
  it('of 100 MB is cut to its head and its tail, and the cut is recorded', async () => {
    const desk = newDesk()
    expect(await desk.type('run', fixture('flood.yaml'), ...IN_STORE)).toMatchObject({
      code: 0,
      err: '',
    })
    const rows = await rowsIn(desk)
    const done = rows.map(({ event }) => event).find(event => event.type === 'tool.done')
    expect(done).toMatchObject({ cut: 104_857_600, digest: { length: 104_857_600 } })
    expect(done?.type === 'tool.done' && done.result).toMatch(
      /^first\.{40000,}\n… \[104792064 of 104857600 characters left out\] …\n\.+last$/,
    )
    expect(JSON.stringify(rows).length).toBeLessThan(200_000)
  })

  it('that is not JSON fails the call with its path', async () => {
    const desk = newDesk()
    const { code, out, err } = await desk.type('run', fixture('odd.yaml'), ...IN_STORE)
    expect({ code, err }).toEqual({ code: 4, err: '' })
    expect(out).toContain('odd.result is not JSON: rows[1].seen is a Map')
    expect((await rowsIn(desk)).map(({ event }) => event.type)).toContain('tool.failed')
  })
})

describe('an output of a node', () => {
  it('that is not JSON fails the node with its path', async () => {
    const { code, out, err } = await newDesk().type('run', fixture('odd-output.yaml'))
    expect({ code, err }).toEqual({ code: 4, err: '' })
    expect(out).toContain('output is not JSON: totals.sum is a function')
  })
})

/** A disk of 1 MB in a separate mount namespace, or files of at most 1 MB if that is not available. */
const DISK = 'mount -t tmpfs -o size=1m none disk'
const CAN_MOUNT =
  spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0

describe('a disk', () => {
  it.skipIf(!CAN_MOUNT)(
    'that is full stops the command with a message; stored data is intact, and the thread can continue',
    async () => {
      const desk = newDesk()
      mkdirSync(join(desk.folder, 'disk'))
      const inside = ['run', fixture('hoard.yaml'), '--thread', 't', '--store', 'disk/threads.db']
      const shell = `exec unshare -Urm bash -c '${DISK} && { "$0" "$@"; code=$?; cp disk/threads.db* .; exit $code; }' "$0" "$@";`
      expectRefused(
        await escapementIn(shell, inside, { cwd: desk.folder }),
        /^error: the disk is full: no space left for disk\/threads.db/,
      )
      await expectGoneOnWith(desk)
    },
  )

  it.skipIf(!CAN_MOUNT)('that is read-only is reported by every command', async () => {
    const desk = newDesk()
    mkdirSync(join(desk.folder, 'disk'))
    await desk.type(
      'run',
      desk.file('spec.yaml', GOOD),
      '--thread',
      't',
      '--store',
      'disk/threads.db',
    )
    const shell = `exec unshare -Urm bash -c 'mount --bind disk disk && mount -o remount,ro,bind disk && exec "$0" "$@"' "$0" "$@";`
    for (const command of [['show', 't'], ['threads'], ['resume', 't'], ['run', 'spec.yaml']]) {
      const expected =
        'disk/threads.db cannot be opened; expected a file in a folder with write permission'
      expectRefused(
        await escapementIn(shell, [...command, '--store', 'disk/threads.db'], { cwd: desk.folder }),
        expected,
      )
    }
  })

  it('that rejects writes does the same', async () => {
    const desk = newDesk()
    expectRefused(
      await escapementIn('ulimit -f 1000;', ['run', fixture('hoard.yaml'), ...IN_STORE], {
        cwd: desk.folder,
      }),
      /^error: threads.db cannot be (read or )?written/,
    )
    await expectGoneOnWith(desk)
  })
})

async function expectGoneOnWith(desk: Desk): Promise<void> {
  const before = await rowsIn(desk)
  expect(before.length).toBeGreaterThan(10)
  expect(before.at(-1)?.ended).toBeUndefined()
  const { code, out } = await desk.type('resume', 't', '--store', 'threads.db', '--json')
  expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({
    code: 0,
    outcome: 'success',
    result: { made: 40 },
  })
  const after = await rowsIn(desk)
  expect(after.slice(0, before.length)).toEqual(before)
  const answered = after.flatMap(({ event }) => (event.type === 'tool.done' ? [event.call] : []))
  expect(answered).toEqual([...new Set(answered)])
}
