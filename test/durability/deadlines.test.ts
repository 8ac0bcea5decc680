/** A question that expires while no process runs: its default applies once, and later answers are rejected. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { newFolders } from './folders.ts'
import { escapement, here } from './process.ts'
import { externalSystemIn } from './external-system.ts'

const newFolder = newFolders()
const SPEC = here('fixture/review.yaml')

interface Asked {
  readonly folder: string
  command(...args: readonly string[]): ReturnType<typeof escapement>
}

/** The thread `t` has asked, and its process has gone. */
async function asked(deadline: string): Promise<Asked> {
  const folder = newFolder()
  const command = (...args: readonly string[]) =>
    escapement([...args, '--store', join(folder, 'threads.db')], { env: { WORLD: folder } })
  expect(
    await command('run', SPEC, '--thread', 't', '--set', `nodes.ask.deadline=${deadline}`),
  ).toMatchObject({ code: 3, err: '' })
  return { folder, command }
}

/** The same, and its time has run out since. */
async function expired(): Promise<Asked> {
  const thread = await asked('1s')
  await pause(1_000)
  return thread
}

async function typesIn(folder: string): Promise<readonly string[]> {
  const store = sqliteStore({ file: join(folder, 'threads.db') })
  const rows = await store.rows('t')
  await store.close()
  return rows.map(({ event }) => event.type)
}

async function expectDefaultOnce({ folder }: Asked): Promise<void> {
  const types = await typesIn(folder)
  expect(types.filter(type => type === 'tick')).toHaveLength(1)
  expect(types.at(-1)).toBe('node.done')
  expect(externalSystemIn(folder).ledger()).toHaveLength(1)
}

describe('a question whose deadline has passed', () => {
  it.each([
    ['tick', ['tick'], 0],
    ['resume', ['resume', 't'], 1],
    ['run', ['run', SPEC, '--thread', 't', '--set', 'nodes.ask.deadline=1s'], 1],
  ] as const)('takes its default at the next %s, and once only', async (_, args, code) => {
    const thread = await expired()
    expect(await thread.command(...args)).toMatchObject({
      code,
      err: '',
      out: expect.stringContaining('t: failure'),
    })
    await expectDefaultOnce(thread)
    expect(await thread.command('tick')).toEqual({ code: 0, signal: null, out: '', err: '' })
    await thread.command(...args)
    await expectDefaultOnce(thread)
  })

  it('applies its default once with two simultaneous processes', async () => {
    const thread = await expired()
    const codes = (await Promise.all([thread.command('tick'), thread.command('tick')])).map(
      ({ code }) => code,
    )
    expect(codes).toEqual([0, 0])
    await expectDefaultOnce(thread)
  })

  it.each([
    [
      'before any process looks',
      false,
      "error: refused: question 'ask#1' has expired; the thread continues without its answer\n",
    ],
    ['after its default applied', true, 'error: this thread has no open question\n'],
  ])('rejects an answer after the deadline, %s', async (_, looked, expected) => {
    const thread = await expired()
    if (looked) await thread.command('tick')
    expect(await thread.command('resume', 't', '--decision', 'approved')).toMatchObject({
      code: 2,
      out: '',
      err: expected,
    })
    expect(await typesIn(thread.folder)).not.toContain('resume')
    await expectDefaultOnce(thread)
  })

  it('is not due before its deadline', async () => {
    const thread = await asked('1h')
    expect(await thread.command('tick')).toMatchObject({ code: 0, out: '', err: '' })
    expect(await thread.command('resume', 't', '--decision', 'approved')).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await typesIn(thread.folder)).not.toContain('tick')
    expect(externalSystemIn(thread.folder).ledger()).toEqual([])
  })
})
