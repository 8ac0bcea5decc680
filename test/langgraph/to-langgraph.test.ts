/** A graph of escapement as a LangGraph graph: its drawing, interrupts, streams, history, forks, and its place in a bigger graph. */
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { Annotation, Command, END, type Interrupt, INTERRUPT } from '@langchain/langgraph'
import { type BaseCheckpointSaver, MemorySaver, START, StateGraph } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import {
  defineGraph,
  type Graph,
  memoryStore,
  node,
  replay,
  scriptedModel,
} from '../../src/index.ts'
import { tool, virtualClock } from '../../src/index.ts'
import { newSchema, npmPostgres } from '../fixture/postgres.ts'
import { langchainModel } from '../../src/langchain.ts'
import {
  type Asking,
  isNeedsStore,
  type LangGraphOptions,
  toLangGraph,
} from '../../src/langgraph.ts'
import { foldRows } from '../../src/runtime/store/replay.ts'
import type { Row } from '../../src/core/run/run.ts'

/** Drafts a letter, has a person approve it, and sends it. `does` counts what is really done. */
function letters(
  does: string[] = [],
  settings: { idempotent?: boolean; busy?: 'reject' | 'queue' } = {},
) {
  const send = tool({
    name: 'send',
    description: 'Sends a letter.',
    effects: 'write',
    idempotent: settings.idempotent ?? true,
    inputSchema: z.object({ text: z.string() }),
    execute: ({ text }) => {
      does.push(`send ${text}`)
      return 'sent'
    },
  })
  return defineGraph({
    id: 'letters',
    start: 'draft',
    rounds: { busy: settings.busy ?? 'reject' },
    input: z.object({ topic: z.string() }),
    channels: { text: z.string() },
    output: ['text'],
    nodes: {
      draft: {
        use: node({ input: z.object({ topic: z.string() }) }, async ({ input }) => {
          does.push(`draft ${input.topic}`)
          return { text: `On ${input.topic}` }
        }),
        in: ['topic'],
        out: ['text'],
        on: { done: 'ask' },
      },
      ask: {
        use: 'human',
        question: 'Send it?',
        deadline: '1h',
        on: { 'human.approved': 'deliver', 'human.rejected': 'draft', 'human.expired': 'late' },
      },
      deliver: {
        use: node(
          { input: z.object({ text: z.string() }), tools: { send } },
          async ({ input, call }) => call.send({ text: input.text }),
        ),
        in: ['text'],
        on: { done: 'end' },
      },
      end: { final: 'success' },
      late: { final: 'failure' },
    },
  })
}

const THREAD = { configurable: { thread_id: 'letter-1' } }
const INPUT = { input: { topic: 'clocks' } }

function openedBy(state: object): Asking {
  const [interrupt] = (state as Record<string, Interrupt<Asking>[]>)[INTERRUPT] ?? []
  if (!interrupt?.value) throw new Error('the graph asks no person')
  return interrupt.value
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('the drawing', () => {
  test('has a node for each state with effects, and an edge for each arrow', async () => {
    const drawing = await toLangGraph(letters()).getGraphAsync()
    const edges = drawing.edges.map(({ source, target }) => `${source} ${target}`)
    expect(edges.toSorted()).toEqual([
      '__start__ begin',
      'ask __end__',
      'ask deliver',
      'ask draft',
      'begin draft',
      'deliver __end__',
      'draft __end__',
      'draft ask',
    ])
  })

  test('contains failures, escapes and regions', async () => {
    const failing = defineGraph({
      id: 'failing',
      start: 'work',
      nodes: {
        work: {
          use: node(async () => ({})),
          on: { done: 'both', 'error.transient': 'repair', loop: 'other' },
        },
        repair: { use: 'pass', on: { done: 'work' } },
        other: { use: 'pass', on: { done: 'end' } },
        both: {
          regions: {
            left: {
              start: 'l',
              nodes: { l: { use: 'pass', on: { done: 'lEnd' } }, lEnd: { final: 'success' } },
            },
            right: {
              start: 'r',
              nodes: { r: { use: 'pass', on: { done: 'rEnd' } }, rEnd: { final: 'success' } },
            },
          },
          on: { done: 'end' },
        },
        end: { final: 'success' },
      },
    })
    const drawing = await toLangGraph(failing as Graph).getGraphAsync()
    const from = (name: string) =>
      drawing.edges.flatMap(({ source, target }) => (source === name ? [target] : [])).toSorted()
    expect(from('work')).toEqual(['__end__', 'l', 'other', 'r', 'repair'])
    expect(from('l')).toEqual(['__end__'])
  })

  test('renames a node that has the name of a channel of the state, and refuses a name that LangGraph reserves', async () => {
    const named = (name: string) =>
      defineGraph({
        id: 'n',
        start: name,
        nodes: { [name]: { use: 'pass', on: { done: 'end' } }, end: { final: 'success' } },
      } as never) as Graph
    const nodes = Object.keys((await toLangGraph(named('output')).getGraphAsync()).nodes)
    expect(nodes).toContain('output (node)')
    expect((await toLangGraph(named('output')).invoke({ input: {} })).escapement.outcome).toBe(
      'success',
    )
  })
})

/** Not imported by name: without the package, these tests alone fail. */
const POSTGRES_SAVER: string = '@langchain/langgraph-checkpoint-postgres'

const SAVERS: readonly (readonly [string, () => Promise<BaseCheckpointSaver>])[] = [
  ['MemorySaver', async () => new MemorySaver()],
  ['SqliteSaver', async () => SqliteSaver.fromConnString(':memory:')],
  [
    'PostgresSaver',
    async () => {
      const { PostgresSaver } = await import(POSTGRES_SAVER)
      const saver = PostgresSaver.fromConnString(await npmPostgres(), { schema: newSchema() })
      onTestFinished(() => saver.end())
      await saver.setup()
      return saver
    },
  ],
]

describe.each(SAVERS)('with %s', (_, saver) => {
  describe.each(['a store', 'no store'])('and %s', kind => {
    const opened = async (does: string[] = [], options: LangGraphOptions = {}) => {
      const store = kind === 'a store' ? { store: memoryStore() } : {}
      return toLangGraph(letters(does), { ...store, checkpointer: await saver(), ...options })
    }

    test('interrupts for a person, and resumes without doing again what was done', async () => {
      const does: string[] = []
      const graph = await opened(does)
      const asking = openedBy(await graph.invoke(INPUT, THREAD))
      expect(asking.questions.map(({ id, question }) => [id, question])).toEqual([
        ['ask#1', 'Send it?'],
      ])
      const rejected = await graph.invoke(new Command({ resume: 'perhaps' }), THREAD)
      expect(openedBy(rejected).rejected).toContain("received 'perhaps'")
      expect(
        openedBy(await graph.invoke(new Command({ resume: 'rejected' }), THREAD)).questions[0]?.id,
      ).toBe('ask#2')
      const state = await graph.invoke(
        new Command({ resume: { decision: 'approved', question: 'ask#2' } }),
        THREAD,
      )
      expect(state.escapement).toMatchObject({ status: 'ended', outcome: 'success' })
      expect(state.output).toEqual({ text: 'On clocks' })
      expect(does).toEqual(['draft clocks', 'draft clocks', 'send On clocks'])
    })

    test('takes commands as answers, and starts another round with another input', async () => {
      const graph = await opened()
      await graph.invoke(INPUT, THREAD)
      const cancelled = await graph.invoke(
        new Command({ resume: { type: 'cancel', reason: 'no longer needed' } }),
        THREAD,
      )
      expect(cancelled.escapement).toMatchObject({ outcome: 'cancelled' })
      await graph.invoke({ input: { topic: 'watches' } }, THREAD)
      const again = await graph.invoke(new Command({ resume: 'approved' }), THREAD)
      expect([again.escapement.outcome, again.output]).toEqual(['success', { text: 'On watches' }])
    })

    test('a new round has no output until it ends, and its input is not repeated', async () => {
      const graph = await opened()
      await graph.invoke(INPUT, THREAD)
      const first = await graph.invoke(new Command({ resume: 'approved' }), THREAD)
      expect(first.output).toEqual({ text: 'On clocks' })
      const second = await graph.invoke({ input: { topic: 'watches' } }, THREAD)
      expect(openedBy(second).questions).toHaveLength(1)
      const { values } = await graph.getState(THREAD)
      expect([values.output, values.input]).toEqual([null, null])
    })

    test('rejects an input while a person is asked, and asks again', async () => {
      const graph = await opened()
      await graph.invoke(INPUT, THREAD)
      const state = await graph.invoke({ input: { topic: 'watches' } }, THREAD)
      expect(openedBy(state).rejected).toContain('ask#1')
    })

    test('an unanswered question expires at its deadline', async () => {
      const clock = virtualClock()
      const graph = await opened([], { clock })
      await graph.invoke(INPUT, THREAD)
      await clock.sleep(3_600_000)
      const state = await graph.invoke(null, THREAD)
      expect(state.escapement.outcome).toBe('failure')
    })
  })
})

describe('streams', () => {
  const talking = () =>
    defineGraph({
      id: 'talking',
      start: 'talk',
      input: z.object({ goal: z.string() }),
      channels: { answer: z.string() },
      models: { fast: scriptedModel({ id: 'fast' }, [{ say: 'Three clocks.' }]) },
      nodes: {
        talk: {
          use: 'model',
          model: 'fast',
          in: ['goal'],
          out: { answer: 'text' },
          on: { 'done.answer': 'end' },
        },
        end: { final: 'success' },
      },
    }) as Graph

  test('updates and values show the thread, the context and the output', async () => {
    const graph = toLangGraph(talking())
    const updates = await all(
      await graph.stream({ input: { goal: 'Count.' } }, { streamMode: 'updates' }),
    )
    expect(updates.map(update => Object.keys(update as object)[0])).toEqual(['begin', 'talk'])
    expect(updates[1]).toMatchObject({
      talk: { escapement: { performed: ['talk'] }, context: { answer: 'Three clocks.' } },
    })
    const values = await all(
      await graph.stream({ input: { goal: 'Count.' } }, { streamMode: 'values' }),
    )
    expect(values.at(-1)).toMatchObject({
      escapement: { outcome: 'success' },
      output: { answer: 'Three clocks.' },
    })
  })

  test('with a store, the first superstep gives each channel a value, and the others write only what they change', async () => {
    const graph = toLangGraph(talking(), { store: memoryStore() })
    const updates = (await all(
      await graph.stream({ input: { goal: 'Count.' } }, { ...THREAD, streamMode: 'updates' }),
    )) as Record<string, object>[]
    expect(updates.flatMap(update => Object.entries(update))).toEqual([
      [
        'begin',
        {
          ...{ input: null, output: null },
          ...{ escapement: expect.anything(), context: expect.anything() },
        },
      ],
      [
        'talk',
        {
          escapement: expect.anything(),
          context: expect.anything(),
          output: expect.objectContaining({ answer: 'Three clocks.' }),
        },
      ],
    ])
  })

  test('messages are the text of the models, once, in pieces and with the node', async () => {
    const graph = toLangGraph(talking())
    const parts = await all(
      await graph.stream({ input: { goal: 'Count.' } }, { streamMode: 'messages' }),
    )
    const texts = parts.map(part => (part as [{ content: string }, object])[0].content)
    expect(texts.join('')).toBe('Three clocks.')
    expect(parts[0]?.[1]).toMatchObject({ langgraph_node: 'talk' })
  })

  test('messages of a chat model of LangChain come once', async () => {
    const model = langchainModel(new FakeListChatModel({ responses: ['Four clocks.'] }), {
      id: 'fake',
    })
    const { spec, ...graph } = talking() as Graph & { spec: unknown }
    const own = { ...graph, spec, models: { fast: model } } as Graph
    const parts = await all(
      await toLangGraph(own).stream({ input: { goal: 'Count.' } }, { streamMode: 'messages' }),
    )
    expect(parts.map(part => (part as [{ content: string }, object])[0].content).join('')).toBe(
      'Four clocks.',
    )
  })

  test('custom holds each row of the journal as an event', async () => {
    const events = await all(
      await toLangGraph(talking()).stream({ input: { goal: 'Count.' } }, { streamMode: 'custom' }),
    )
    const rows = (events as { type: string; row: Row }[]).filter(({ type }) => type !== 'token')
    expect(rows.map(({ row }) => row.seq)).toEqual(rows.map((_, index) => index))
    expect(rows.at(-1)).toMatchObject({ type: 'ended', outcome: 'success' })
  })
})

describe('history and forks', () => {
  test('the history names the event of each superstep', async () => {
    const graph = toLangGraph(letters(), { store: memoryStore(), checkpointer: new MemorySaver() })
    await graph.invoke(INPUT, THREAD)
    const history = await all(graph.getStateHistory(THREAD))
    expect(history.map(({ next, values }) => [next[0], values.escapement?.seq])).toEqual([
      ['ask', 2],
      ['draft', 0],
      ['begin', undefined],
      ['__start__', undefined],
    ])
  })

  test('an earlier checkpoint is a fork in the store, under the terms of `forks`', async () => {
    const does: string[] = []
    const store = memoryStore()
    const checkpointer = new MemorySaver()
    const graph = toLangGraph(letters(does), { store, checkpointer, forks: 'recorded' })
    await graph.invoke(INPUT, THREAD)
    await graph.invoke(new Command({ resume: 'approved' }), THREAD)
    const asked = (await all(graph.getStateHistory(THREAD))).find(({ next }) => next[0] === 'ask')
    // LangGraph keeps the answer of an interrupt with its checkpoint, and a fork without an answer asks again.
    expect(openedBy(await graph.invoke(null, asked?.config ?? {})).thread).toMatch(/^letter-1~/)
    const forked = await graph.invoke(new Command({ resume: 'rejected' }), THREAD)
    expect((await store.threads()).map(({ status }) => status)).toEqual(['ended', 'waiting'])
    expect(does).toEqual(['draft clocks', 'send On clocks', 'draft clocks'])
    const ended = await graph.invoke(new Command({ resume: 'approved' }), THREAD)
    // Writes are off in this fork.
    expect(ended.escapement).toMatchObject({ thread: forked.escapement.thread, status: 'ended' })
    expect(does.filter(each => each.startsWith('send'))).toHaveLength(1)
  })

  test('without `forks`, an earlier checkpoint is refused and nothing is performed', async () => {
    const does: string[] = []
    const graph = toLangGraph(letters(does), {
      store: memoryStore(),
      checkpointer: new MemorySaver(),
    })
    await graph.invoke(INPUT, THREAD)
    await graph.invoke(new Command({ resume: 'approved' }), THREAD)
    const asked = (await all(graph.getStateHistory(THREAD))).find(({ next }) => next[0] === 'ask')
    await expect(graph.invoke(null, asked?.config ?? {})).rejects.toThrow(
      "the checkpoint is of event 2, and thread 'letter-1' has continued to event 7; to fork it, pass `forks: 'refuse'`",
    )
    expect(does).toEqual(['draft clocks', 'send On clocks'])
  })

  test.each(['__start__', 'begin'])(
    'the checkpoint before %s is one, too: the thread gets no other round',
    async before => {
      const does: string[] = []
      const store = memoryStore()
      const checkpointer = new MemorySaver()
      const open = (options: object) =>
        toLangGraph(letters(does, { busy: 'queue' }), { store, checkpointer, ...options })
      await open({}).invoke(INPUT, THREAD)
      await open({}).invoke(new Command({ resume: 'approved' }), THREAD)
      const rows = await store.rows('letter-1')
      const first = (await all(open({}).getStateHistory(THREAD))).find(
        ({ next }) => next[0] === before,
      )
      await expect(open({}).invoke(null, first?.config ?? {})).rejects.toThrow(
        'the checkpoint is of event 0',
      )
      const forked = await open({ forks: 'refuse' }).invoke(null, first?.config ?? {})
      expect(openedBy(forked).thread).toMatch(/^letter-1~/)
      expect(await store.rows('letter-1')).toEqual(rows)
      expect(does.filter(each => each.startsWith('send'))).toHaveLength(1)

      const changed = await open({ forks: 'refuse' }).invoke(
        { input: { topic: 'bells' } },
        first?.config ?? {},
      )
      const { thread } = openedBy(changed)
      await open({ forks: 'refuse' }).invoke(new Command({ resume: 'approved' }), THREAD)
      const events = (await store.rows(thread)).map(({ event }) => event)
      expect(events[0]).toMatchObject({ input: { topic: 'bells' } })
      expect(events.filter(({ type }) => type === 'message')).toEqual([])
    },
  )

  test('without a store, LangGraph forks the journal in its state', async () => {
    const graph = toLangGraph(letters(), { checkpointer: new MemorySaver() })
    await graph.invoke(INPUT, THREAD)
    await graph.invoke(new Command({ resume: 'approved' }), THREAD)
    const asked = (await all(graph.getStateHistory(THREAD))).find(({ next }) => next[0] === 'ask')
    await graph.invoke(null, asked?.config ?? {})
    const forked = await graph.invoke(new Command({ resume: 'rejected' }), THREAD)
    expect(openedBy(forked).questions[0]?.id).toBe('ask#2')
    expect(forked.journal?.map(({ event }) => event.type)).not.toContain('tool.called')
  })
})

describe('crashes', () => {
  test('on resume the store wins: a committed turn is not performed again', async () => {
    const does: string[] = []
    const store = memoryStore()
    const checkpointer = new MemorySaver()
    await toLangGraph(letters(does), { store, checkpointer }).invoke(INPUT, THREAD)
    // LangGraph loses the checkpoints after the start, as in a crash before they were stored.
    const graph = toLangGraph(letters(does), { store, checkpointer: new MemorySaver() })
    const asking = openedBy(await graph.invoke({ input: null }, THREAD))
    expect(asking.questions[0]?.id).toBe('ask#1')
    expect(does).toEqual(['draft clocks'])
  })

  test('an answer that came by another way continues the graph', async () => {
    const store = memoryStore()
    const graph = toLangGraph(letters(), { store, checkpointer: new MemorySaver() })
    await graph.invoke(INPUT, THREAD)
    await store.submit('letter-1', 'by-mail', {
      type: 'resume',
      effect: 'ask#1',
      decision: 'approved',
    })
    expect((await graph.invoke(null, THREAD)).escapement.outcome).toBe('success')
  })
})

describe('without a store', () => {
  test('a write that is not idempotent is refused', () => {
    expect(() => toLangGraph(letters([], { idempotent: false }))).toThrow(
      "graph 'letters': tools.send can write and is not idempotent, and without a store LangGraph repeats a node after a crash; pass a store, or declare `idempotent: true`",
    )
    try {
      toLangGraph(letters([], { idempotent: false }))
    } catch (error) {
      expect(isNeedsStore(error)).toBe(true)
    }
  })

  test('checkpoints that are not written at each step are refused', async () => {
    const graph = toLangGraph(letters(), { checkpointer: new MemorySaver() })
    await expect(graph.invoke(INPUT, { ...THREAD, durability: 'exit' })).rejects.toThrow(
      "durability: expected 'sync', not 'exit'",
    )
  })

  test('the journal in the state folds to the thread, and each checkpoint holds the rows of its superstep', async () => {
    const checkpointer = new MemorySaver()
    const graph = toLangGraph(letters(), { checkpointer })
    await graph.invoke(INPUT, THREAD)
    const { values } = await graph.getState(THREAD)
    const run = foldRows(letters().machine, undefined, values.journal ?? [])
    expect([run?.seq, run?.pending[0]?.id]).toEqual([values.escapement.seq, 'ask#1'])
  })
})

describe('in a bigger graph', () => {
  test('a subgraph has a thread of its own for each call, and its questions interrupt the whole', async () => {
    const store = memoryStore()
    const Outer = Annotation.Root({
      input: Annotation<unknown>,
      output: Annotation<unknown>,
      turns: Annotation<number>,
    })
    const graph = new StateGraph(Outer)
      .addNode('prepare', ({ turns = 0 }) => ({
        input: { topic: `clock ${turns}` },
        turns: turns + 1,
      }))
      .addNode('letters', toLangGraph(letters(), { store }))
      .addEdge(START, 'prepare')
      .addEdge('prepare', 'letters')
      .addConditionalEdges('letters', ({ turns }) => (turns < 2 ? 'prepare' : END))
      .compile({ checkpointer: new MemorySaver() })
    await graph.invoke({}, THREAD)
    await graph.invoke(new Command({ resume: 'approved' }), THREAD)
    const ended = await graph.invoke(new Command({ resume: 'approved' }), THREAD)
    expect(ended).toMatchObject({ output: { text: 'On clock 1' }, turns: 2 })
    const threads = await store.threads()
    expect(threads.map(({ status, outcome }) => [status, outcome])).toEqual([
      ['ended', 'success'],
      ['ended', 'success'],
    ])
    for (const { thread } of threads) {
      expect(thread).toMatch(/^letter-1 letters:/)
      expect((await replay(letters().machine, store, thread))?.ended?.outcome).toBe('success')
    }
  })
})

test('the recursion limit is the worst case of the graph, not the default of LangGraph', async () => {
  const ring = (steps: number) =>
    defineGraph({
      id: 'ring',
      start: 'A',
      channels: { n: z.number() },
      nodes: {
        A: {
          use: node(async ({ input }) => ({ n: Number(input.n ?? 0) + 1 })),
          out: ['n'],
          on: { done: 'B' },
        },
        B: { use: 'pass', on: { done: 'A' } },
        end: { final: 'success' },
      },
      limits: { steps },
      detect: { visits: false },
      progress: 'n',
    } as never) as Graph
  const graph = toLangGraph(ring(200))
  expect(graph.config?.recursionLimit).toBeGreaterThan(200)
  const { escapement } = await graph.invoke({ input: {} })
  expect(escapement).toMatchObject({ outcome: 'stopped', reason: 'budget.steps' })
})
