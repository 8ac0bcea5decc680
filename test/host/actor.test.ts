/** `escapement/xstate`: threads as XState actors. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { assign, createActor, matchesState, sendTo, setup, toPromise, waitFor } from 'xstate'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { loadGraph } from '../../src/host/drive/load.ts'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import type { ThreadResult } from '../../src/host/thread/result.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { threadLogic } from '../../src/xstate.ts'
import { newFolders } from '../durability/folders.ts'
import { here, type Running, start } from '../durability/process.ts'
import { asking } from './graphs.ts'

const newFolder = newFolders()
const open: (Runtime | Store)[] = []
const running: Running[] = []

afterEach(async () => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
  for (const one of open.splice(0).reverse()) await one.close()
})

function runtimeOf(graph: Graph, store: Store = memoryStore()): Runtime {
  const runtime = createRuntime({ store, graphs: [graph] })
  open.push(runtime)
  return runtime
}

const INPUT = { thread: 't', input: { goal: 'x' } }
const approval = (decision: 'approved' | 'rejected') =>
  ({ type: 'resume', effect: 'ask#1', decision }) as const
const hasQuestion = ({ questions }: { readonly questions: readonly unknown[] }) =>
  questions.length > 0

/** Asks with this deadline. */
const askingFor = (deadline: string) => {
  const { spec } = asking() as Graph & { spec: { nodes: Record<string, object> } }
  const ask = { ...spec.nodes.ask, deadline }
  return asking(async () => 'worked', { nodes: { ...spec.nodes, ask } })
}

describe('an actor of a thread', () => {
  it('shows each event, the states, the channels and the questions, and ends with the result', async () => {
    const [graph, store] = [asking(), memoryStore()]
    const inspected: string[] = []
    const actor = createActor(threadLogic(runtimeOf(graph, store), graph), {
      input: INPUT,
      inspect: event => {
        if (event.type === '@xstate.event') inspected.push(event.event.type)
      },
    })
    const values: unknown[] = []
    actor.subscribe(({ value }) => values.push(value))
    actor.start()
    const asked = await waitFor(actor, hasQuestion)
    expect(asked.context).toMatchObject({ goal: 'x', found: 'worked' })
    expect(asked.questions[0]).toMatchObject({ id: 'ask#1' })
    expect(matchesState('working.ask', asked.value as never)).toBe(true)
    actor.send(approval('approved'))
    const result = await toPromise(actor)
    expect(result).toMatchObject({ outcome: 'success', output: { found: 'worked' } })
    const rows = await store.rows('t')
    expect(inspected.filter(type => type.startsWith('escapement.'))).toEqual(
      rows.map(({ event }) => `escapement.${event.type}`),
    )
    expect(inspected).toContain('resume')
    expect(actor.getSnapshot().run).toEqual(await replay(graph.machine, store, 't'))
    expect(values).toContainEqual({ working: 'work' })
    expect(values.at(-1)).toBe('end')
  })

  it('reports a command that the thread refuses, and continues', async () => {
    const graph = asking()
    const actor = createActor(threadLogic(runtimeOf(graph), graph), { input: INPUT })
    const rejected = new Promise(resolve => actor.on('rejected', resolve))
    actor.start()
    await waitFor(actor, hasQuestion)
    actor.send({ type: 'resume', effect: 'other#1', decision: 'approved' })
    expect(await rejected).toMatchObject({
      command: { effect: 'other#1' },
      code: 'unknown-question',
    })
    actor.send({ type: 'nonsense' } as never)
    actor.send(approval('rejected'))
    expect(await toPromise(actor)).toMatchObject({ outcome: 'failure' })
  })

  it('delivers commands that are sent before the thread exists', async () => {
    const graph = asking()
    const actor = createActor(threadLogic(runtimeOf(graph), graph), { input: INPUT }).start()
    actor.send({ type: 'cancel', reason: 'not needed' })
    expect(await toPromise(actor)).toMatchObject({ outcome: 'cancelled' })
  })

  it('opens a thread with its current state, and shows only later events', async () => {
    const graph = asking()
    const runtime = runtimeOf(graph)
    const thread = await runtime.start(graph, { goal: 'x' }, { thread: 't' })
    for await (const _ of thread.events({ until: 'waiting' }));
    const types: string[] = []
    const actor = createActor(threadLogic(runtime, graph), {
      input: { thread: 't' },
      inspect: event => {
        if (event.type === '@xstate.event') types.push(event.event.type)
      },
    }).start()
    await waitFor(actor, hasQuestion)
    expect(types).toContain('escapement.opened')
    expect(types).not.toContain('escapement.thread.started')
    actor.send(approval('approved'))
    await toPromise(actor)
  })

  it('fails if the thread does not exist and the input does not start it', async () => {
    const graph = asking()
    const actor = createActor(threadLogic(runtimeOf(graph), graph), { input: { thread: 't' } })
    actor.subscribe({ error: () => {} })
    actor.start()
    await expect(toPromise(actor)).rejects.toThrow("thread 't' does not exist")
    expect(actor.getSnapshot().status).toBe('error')
  })

  it('names the path of a persisted snapshot that belongs to another actor', () => {
    const graph = asking()
    const logic = threadLogic(runtimeOf(graph), graph)
    const snapshot = { status: 'active', output: undefined, error: undefined } as never
    const { error } = createActor(logic, { snapshot }).getSnapshot()
    expect(String(error)).toContain('snapshot.thread: expected the name of a thread')
    expect(() => threadLogic({} as never, graph)).toThrow('expected a runtime')
  })

  it('runs the hand-written parallel statechart machines/incident.ts unchanged', async () => {
    const graph = await loadGraph('graphs/incident.yaml')
    const run = async (by: (runtime: Runtime) => Promise<unknown>) => {
      const store = memoryStore()
      const runtime = createRuntime({ store, graphs: [graph], clock: virtualClock(0) })
      open.push(runtime)
      await by(runtime)
      return (await store.rows('t')).map(({ event, edges }) => [event.type, edges])
    }
    const values = new Set<string>()
    const rows = await run(async runtime => {
      const input = { thread: 't', input: {}, seed: 4 }
      const actor = createActor(threadLogic(runtime, graph), { input })
      actor.subscribe(({ value }) => void values.add(JSON.stringify(value)))
      await waitFor(actor.start(), of => of.status === 'done' || of.questions.length > 0)
      actor.stop()
    })
    expect([...values].some(value => value.includes('"investigate"'))).toBe(true)
    const driven = await run(async runtime => {
      const thread = await runtime.start(graph, {}, { thread: 't', seed: 4 })
      for await (const _ of thread.events({ until: 'waiting' }));
    })
    expect(rows).toEqual(driven)
  })
})

describe('an actor inside another machine', () => {
  const appOf = (graph: Graph, runtime: Runtime) =>
    setup({
      types: {} as { context: { outcome?: string }; events: { type: 'LEAVE' } },
      actors: { agent: threadLogic(runtime, graph) },
      guards: {
        succeeded: ({ event }) =>
          (event as unknown as { output: ThreadResult }).output.outcome === 'success',
      },
    }).createMachine({
      context: {},
      initial: 'working',
      states: {
        working: {
          invoke: {
            id: 'agent',
            src: 'agent',
            input: INPUT as never,
            onDone: [
              {
                guard: 'succeeded',
                target: 'published',
                actions: assign({ outcome: ({ event }) => event.output.outcome }),
              },
              { target: 'discarded' },
            ],
          },
          on: {
            LEAVE: { actions: sendTo('agent', { type: 'cancel', reason: 'left' }) },
          },
        },
        published: { type: 'final' },
        discarded: {},
      },
    })

  it('takes onDone with the result, and a persisted parent continues its thread', async () => {
    const [graph, store] = [asking(), memoryStore()]
    const first = runtimeOf(graph, store)
    const app = createActor(appOf(graph, first)).start()
    const agent = app.getSnapshot().children.agent as never
    await waitFor(agent, hasQuestion as never)
    const kept = JSON.parse(JSON.stringify(app.getPersistedSnapshot()))
    expect(JSON.stringify(kept)).not.toContain('turn.started')
    app.stop()
    await first.close()
    const again = createActor(appOf(graph, runtimeOf(graph, store)), { snapshot: kept }).start()
    again.getSnapshot().children.agent?.send(approval('approved') as never)
    expect((await waitFor(again, ({ status }) => status === 'done')).context).toEqual({
      outcome: 'success',
    })
  })

  it('cancels its thread by a command, and takes onDone', async () => {
    const graph = asking()
    const app = createActor(appOf(graph, runtimeOf(graph))).start()
    await waitFor(app.getSnapshot().children.agent as never, hasQuestion as never)
    app.send({ type: 'LEAVE' })
    await waitFor(app, ({ value }) => value === 'discarded')
  })

  it('leaves the thread to the runtime when it stops', async () => {
    const graph = asking()
    const runtime = runtimeOf(graph)
    const app = createActor(appOf(graph, runtime)).start()
    await waitFor(app.getSnapshot().children.agent as never, hasQuestion as never)
    app.stop()
    const thread = runtime.thread('t')
    expect((await thread.state()).status).toBe('waiting')
    await thread.answer('ask#1', 'approved')
    expect((await thread.result()).outcome).toBe('success')
  })
})

describe('after a crash', () => {
  it('a killed program continues from the persisted snapshot, and repeats no step that is stored', async () => {
    const folder = newFolder()
    const fixture = here('../host/fixture/actor-process.ts')
    const killed = start([fixture, folder])
    running.push(killed)
    await killed.line('{"working":"s4"} active')
    killed.child.kill('SIGKILL')
    await killed.ended
    const kept = JSON.parse(readFileSync(join(folder, 'snapshot.json'), 'utf8'))
    // It may have gone on before it was killed.
    const value = { working: expect.stringMatching(/^s[4-9]$/) }
    expect(kept).toMatchObject({ thread: 't', status: 'active', value })
    const second = start([fixture, folder])
    running.push(second)
    expect(await second.ended).toMatchObject({ code: 0, err: '' })
    expect(second.lines().at(-1)).toBe('"end" done')
    expect(second.lines().join('\n')).not.toContain('"s2"')
    const store = sqliteStore({ file: join(folder, 'threads.db') })
    open.push(store)
    const rows = await store.rows('t')
    const done = rows.flatMap(({ event }) => (event.type === 'tool.done' ? [event.effect] : []))
    expect(done).toEqual(Array.from({ length: 10 }, (_, nth) => `s${nth}#1`))
    const keys = readFileSync(join(folder, 'ledger'), 'utf8').trim().split('\n')
    expect(new Set(keys).size).toBe(10)
    // At most the call that the kill interrupted was made twice, with the same key.
    expect(keys.length).toBeLessThanOrEqual(11)
  })

  it('starts a thread that the killed program had not stored', async () => {
    const graph = asking()
    const runtime = runtimeOf(graph)
    const logic = threadLogic(runtime, graph)
    const kept = JSON.parse(
      JSON.stringify(createActor(logic, { input: INPUT }).getPersistedSnapshot()),
    )
    expect((await runtime.threads()).threads).toEqual([])
    const actor = createActor(logic, { snapshot: kept }).start()
    await waitFor(actor, hasQuestion)
    expect(actor.getSnapshot().context).toMatchObject({ goal: 'x' })
  })

  it('a deadline that passed while no program ran is taken at once', async () => {
    const [graph, store] = [askingFor('20ms'), memoryStore()]
    const first = runtimeOf(graph, store)
    const actor = createActor(threadLogic(first, graph), { input: INPUT }).start()
    await waitFor(actor, hasQuestion)
    const kept = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()))
    actor.stop()
    await first.close()
    const again = createActor(threadLogic(runtimeOf(graph, store), graph), { snapshot: kept })
    expect(await toPromise(again.start())).toMatchObject({ outcome: 'failure' })
    const end = (await store.rows('t')).at(-1)
    expect(end?.edges.join()).toContain('human.expired')
  })

  it('a deadline of a live actor needs no worker', async () => {
    const graph = askingFor('20ms')
    const actor = createActor(threadLogic(runtimeOf(graph), graph), { input: INPUT }).start()
    expect(await toPromise(actor)).toMatchObject({ outcome: 'failure' })
  })
})
