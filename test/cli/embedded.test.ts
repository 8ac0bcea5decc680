/** Threads with a graph that a program has bound, at the command line. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { asking } from '../host/graphs.ts'
import { type Desk, expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()
const STORE = ['--store', 'own.db']
const GRAPHS = fileURLToPath(new URL('../host/graphs.ts', import.meta.url))

/** A desk with the thread `ticket` of a program, which asks a person. */
async function withTicket(): Promise<{ readonly desk: Desk; readonly again: () => Promise<void> }> {
  const desk = newDesk()
  desk.file(
    'agent.ts',
    `import { asking } from '${GRAPHS}'\nexport const support = asking()\nexport const other = asking(undefined, { output: ['goal', 'found'] })\nexport const number = 7\n`,
  )
  const drive = async () => {
    const store = sqliteStore({ file: join(desk.folder, 'own.db') })
    const graph = asking()
    const runtime = createRuntime({ store, graphs: [graph] })
    if (await store.thread('ticket')) await runtime.thread('ticket').resume()
    else {
      const thread = await runtime.start(graph, { goal: 'x' }, { thread: 'ticket' })
      await thread.resume()
    }
    await runtime.close()
    await store.close()
  }
  await drive()
  return { desk, again: drive }
}

describe('a graph that a module exports', () => {
  it('is drawn, printed as a spec and checked', async () => {
    const { desk } = await withTicket()
    const file = './agent.ts#support'
    expect(await desk.type('draw', file)).toMatchObject({ code: 0, err: '' })
    expect((await desk.type('draw', file, '--as', 'spec')).out).toContain('id: asking')
    const { code, out } = await desk.type('lint', file, '--json')
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { file, bound: { toolCalls: expect.anything() } },
    ])
    expect((await desk.type('lint', file, '--max', 'steps=1')).code).toBe(2)
  })

  it('is not changed by --set, and must be a graph', async () => {
    const { desk } = await withTicket()
    for (const command of ['draw', 'lint']) {
      const set = [command, './agent.ts#support', '--set', 'limits.steps=3']
      expectRefused(await desk.type(...set), /--set changes a spec; .* is a module/)
      expectRefused(await desk.type(command, './agent.ts#number'), /expected a graph/)
    }
  })
})

const MACHINE = "hash: 'abc', id: 'x', policy: {}, chart: { states: [], edges: [] }"

describe('an export that only looks like a graph', () => {
  it.each([
    "{ machine: { hash: 'abc' }, spec: {} }",
    "{ machine: { hash: 'abc' }, spec: null }",
    "{ machine: { hash: 'abc', id: 'x' }, spec: { id: 'x', nodes: {}, channels: {} }, models: null }",
    `{ machine: { ${MACHINE} }, spec: { nodes: {} }, nodes: {}, tools: {}, models: {} }`,
    '[]',
  ])('is refused: %s', async value => {
    const desk = newDesk()
    desk.file('fake.mjs', `export default ${value}\n`)
    for (const command of [
      ['draw', 'fake.mjs'],
      ['lint', 'fake.mjs'],
      ['run', 'fake.mjs'],
      ['migrate', '--all-stale', '--graph', 'fake.mjs'],
    ])
      expectRefused(
        await desk.type(...command),
        /^error: fake.mjs: 'default' in '.\/fake.mjs' has the type object; expected a graph, as /,
      )
  })
})

describe('a thread with a graph that a program has bound', () => {
  it('is shown by its spec, and commands wait for that program', async () => {
    const { desk, again } = await withTicket()
    expect(await desk.type('show', 'ticket', ...STORE)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Go on?'),
    })
    const next = 'escapement resume ticket --decision approved --store own.db --graph FILE#NAME'
    expect((await desk.type('show', 'ticket', ...STORE)).out).toContain(next)
    expectRefused(
      await desk.type('resume', 'ticket', ...STORE),
      /was bound by a program.*--graph FILE#NAME/,
    )
    const kept = await desk.type('resume', 'ticket', '--decision', 'approved', ...STORE)
    expect(kept).toMatchObject({
      code: 5,
      err: expect.stringMatching(
        /queued for 'ticket': a process that holds its graph 'asking'.*if it refuses it, the question stays open/,
      ),
    })
    expect(await desk.type('tick', ...STORE)).toMatchObject({ code: 0, out: '', err: '' })
    await again()
    expect((await desk.type('show', 'ticket', ...STORE)).out).toContain('success (goal)')
  })

  it('continues with the graph that a module exports, checked by its identity', async () => {
    const { desk } = await withTicket()
    const resume = ['resume', 'ticket', '--decision', 'approved', ...STORE]
    expectRefused(await desk.type(...resume, '--graph', './agent.ts#number'), /expected a graph/)
    expectRefused(
      await desk.type(...resume, '--graph', './agent.ts#none'),
      /^error: \.\/agent\.ts: '\.\/agent\.ts' exports no 'none'; .*\n +→ name one of its exports, .*#NAME/,
    )
    desk.file('program.ts', 'const shop = 1\n')
    expectRefused(
      await desk.type(...resume, '--graph', './program.ts'),
      /'\.\/program\.ts' exports no 'default'; it exports: \(nothing\)\n +→ export the graph, .*`export default agent`/,
    )
    expect(
      await desk.type('resume', 'ticket', ...STORE, '--graph', './agent.ts#other'),
    ).toMatchObject({
      code: 2,
      err: expect.stringMatching(/runs the graph 'asking' \(\w+\); held here: 'asking' \(\w+\)/),
    })
    expect(await desk.type(...resume, '--graph', './agent.ts#support')).toMatchObject({
      code: 0,
      out: expect.stringContaining('ticket: success (goal)'),
    })
  })

  it('is refused with another version or graph by every command, and nothing is queued', async () => {
    const { desk } = await withTicket()
    for (const command of [
      ['resume', 'ticket', '--decision', 'approved'],
      ['answer', 'ticket', '--decision', 'approved'],
      ['send', 'ticket', '--input', '{"goal":"y"}'],
      ['cancel', 'ticket'],
      ['stop', 'ticket'],
      ['pause', 'ticket'],
      ['policy', 'ticket', '--set', 'limits.steps=9'],
    ])
      expectRefused(
        await desk.type(...command, ...STORE, '--graph', './agent.ts#other'),
        /^error: thread 'ticket' runs the graph 'asking' \(\w+\); held here: 'asking' \(\w+\)/,
      )
    const { out } = await desk.type('resume', 'ticket', ...STORE, '--graph', './agent.ts#support')
    expect(out).toContain('waiting for a person')
  })

  it('is named by a tick that has only another version of its graph', async () => {
    const { desk } = await withTicket()
    const tick = (name: string) => desk.type('tick', ...STORE, '--graph', `./agent.ts#${name}`)
    expect(await tick('other')).toMatchObject({
      ...{ code: 0, out: '' },
      err: expect.stringMatching(
        /^nothing is due for --graph: thread 'ticket' runs the graph 'asking' \(\w+\); held here: 'asking' \(\w+\)\n$/,
      ),
    })
    expect(await tick('support')).toMatchObject({ code: 0, err: '' })
    const run = ['run', './agent.ts#other', '--input', '{"goal":"x"}', ...STORE]
    await desk.type(...run, '--thread', 'young')
    // Its own threads wait, too, and the older one is not due.
    expect(await tick('other')).toMatchObject({ code: 0, err: '' })
    await desk.type('resume', 'ticket', '--decision', 'approved', ...STORE)
    expect((await tick('other')).err).toContain("nothing is due for --graph: thread 'ticket'")
    expect((await tick('support')).out).toContain('ticket: success (goal)')
  })

  it('continues when the same answer is given again, with its graph', async () => {
    const { desk } = await withTicket()
    const resume = ['resume', 'ticket', '--decision', 'approved', ...STORE]
    expect((await desk.type(...resume)).code).toBe(5)
    expect(await desk.type(...resume, '--graph', './agent.ts#support')).toMatchObject({
      code: 0,
      out: expect.stringContaining('ticket: success (goal)'),
      err: expect.stringContaining("applied the answer that was queued for 'ticket' before"),
    })
  })

  it('refuses another answer than the one that was queued', async () => {
    const { desk } = await withTicket()
    const resume = ['resume', 'ticket', ...STORE, '--decision']
    expect((await desk.type(...resume, 'approved')).code).toBe(5)
    expectRefused(
      await desk.type(...resume, 'rejected', '--graph', './agent.ts#support'),
      /the thread has ended/,
    )
  })

  it('answers with the command answer, and prints the reason of a cancelled thread once', async () => {
    const { desk } = await withTicket()
    const graph = [...STORE, '--graph', './agent.ts#support']
    const { out } = await desk.type('cancel', 'ticket', ...graph)
    expect(out).toContain('ticket: cancelled: by hand\n')
    const answer = ['answer', 'ticket', '--decision', 'approved', ...graph]
    expectRefused(await desk.type(...answer), 'this thread has no open question')
  })

  it('is started and ticked with the module', async () => {
    const { desk } = await withTicket()
    const run = ['run', './agent.ts#support', '--input', '{"goal":"x"}', ...STORE]
    const mine = await desk.type(...run, '--thread', 'mine')
    expect(mine).toMatchObject({
      code: 3,
      out: expect.stringContaining('mine: waiting for a person'),
    })
    const next = 'escapement resume mine --decision approved --store own.db'
    expect(mine.out).toContain(`${next} --graph ./agent.ts#support`)
    expectRefused(await desk.type(...run, '--set', 'limits.steps=5'), /is a module/)
    await desk.type('resume', 'mine', '--decision', 'approved', ...STORE)
    expect(await desk.type('tick', ...STORE, '--graph', './agent.ts#support')).toMatchObject({
      code: 0,
      out: expect.stringContaining('mine: success (goal)'),
    })
  })
})

it('a thread of an older version is listed apart, and can be cancelled without its graph', async () => {
  const { desk } = await withTicket()
  const store = sqliteStore({ file: join(desk.folder, 'own.db') })
  const young = asking(undefined, { output: ['goal', 'found'] })
  const runtime = createRuntime({ store, graphs: [young] })
  await (await runtime.start(young, { goal: 'x' }, { thread: 'newer' })).resume()
  await runtime.close()
  await store.close()
  const { out } = await desk.type('threads', ...STORE)
  expect(out).toMatch(/newer[\s\S]*graph of these threads has changed[\s\S]*ticket/)
  const listed = JSON.parse((await desk.type('threads', '--json', ...STORE)).out)
  expect(listed).toMatchObject([{ thread: 'ticket', unreachable: true }, { thread: 'newer' }])
  expect(listed[1].unreachable).toBeUndefined()
  expect(await desk.type('cancel', 'ticket', ...STORE)).toMatchObject({ code: 130 })
  expect((await desk.type('show', 'ticket', ...STORE)).out).toContain('cancelled')
  expect((await desk.type('threads', ...STORE)).out).not.toContain('has changed')
})
