/** Existing LangGraph graphs, read and watched. */
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { Annotation, Command, END, MemorySaver, MessagesAnnotation } from '@langchain/langgraph'
import { START, StateGraph } from '@langchain/langgraph'
import { describe, expect, test } from 'vitest'
import { drawMermaid } from '../../src/core/graph/draw/mermaid.ts'
import type { Row } from '../../src/core/run/run.ts'
import { lint } from '../../src/index.ts'
import { fromLangGraph, watched } from '../../src/langgraph.ts'

const State = Annotation.Root({ found: Annotation<string>(), laps: Annotation<number> })

/** Searches until something is found, and it never is. `ask` is the other way out. */
const search = (does: string[]) => (node: string) => (state: typeof State.State) => {
  does.push(node)
  return { found: 'nothing', laps: state.laps }
}

function searching(does: string[] = []) {
  const work = search(does)
  return new StateGraph(State)
    .addNode('search', work('search'))
    .addNode('check', work('check'))
    .addNode('ask', work('ask'))
    .addEdge(START, 'search')
    .addEdge('search', 'check')
    .addConditionalEdges('check', () => 'again', { again: 'search', other: 'ask', stop: END })
    .addEdge('ask', END)
    .compile({ checkpointer: new MemorySaver() })
}

const THREAD = { configurable: { thread_id: 'one' } }

describe('fromLangGraph', () => {
  test('reads nodes, edges and the targets of routers', () => {
    const { machine, spec } = fromLangGraph(searching())
    expect(spec.nodes.check).toMatchObject({
      on: { 'done.search': 'search', 'done.ask': 'ask', 'done.end': 'end' },
    })
    expect(drawMermaid(machine.chart)).toContain('check --> search : done.search')
  })

  test('lint finds a cycle without a way out', () => {
    const endless = new StateGraph(State)
      .addNode('a', () => ({}))
      .addNode('b', () => ({}))
      .addEdge(START, 'a')
      .addEdge('a', 'b')
      .addEdge('b', 'a')
      .compile()
    const findings = lint(fromLangGraph(endless).spec)
    expect(findings.map(({ severity, message }) => [severity, message])).toContainEqual([
      'error',
      expect.stringContaining('end'),
    ])
  })

  test('lists what the graph does not declare', () => {
    const loose = new StateGraph(State)
      .addNode('a', () => ({}))
      .addNode('b', () => ({}))
      .addNode('c', () => ({}))
      .addEdge(START, 'a')
      .addConditionalEdges('a', () => 'b')
      .addEdge('b', 'c')
      .addEdge('b', END)
      .compile()
    const { unseen } = fromLangGraph(loose)
    expect(unseen).toEqual(
      expect.arrayContaining([
        "'a': its router lists no targets, and may lead to any node",
        "'b': its edges start several nodes at once, drawn as a choice",
        'Targets of Command and Send that `ends` does not list',
      ]),
    )
  })

  test('names the nodes of LangGraph in the characters of a spec', () => {
    const named = new StateGraph(State)
      .addNode('look up', () => ({}))
      .addNode('review', () => ({}))
      .addEdge(START, 'look up')
      .addEdge('look up', 'review')
      .addEdge('review', END)
      .compile()
    const { spec, stateOf } = fromLangGraph(named)
    expect([stateOf('look up'), stateOf('review')]).toEqual(['look_up', 'review_2'])
    expect(spec.start).toBe('look_up')
  })
})

describe('watched', () => {
  test('a loop of a router leaves by another target of the router', async () => {
    const [bare, does] = [[], []] as [string[], string[]]
    await expect(searching(bare).invoke({}, { ...THREAD, recursionLimit: 60 })).rejects.toThrow(
      'Recursion limit',
    )
    const rows: Row[] = []
    const agent = watched(searching(does), { onRow: row => rows.push(row) })
    const state = await agent.invoke({ laps: 1 }, { ...THREAD, recursionLimit: 60 })
    expect(does.at(-1)).toBe('ask')
    expect(does.length).toBeLessThan(20)
    expect(state.found).toBe('nothing')
    const [escape] = rows.flatMap(({ verdict }) => (verdict.kind === 'escape' ? [verdict] : []))
    expect(escape?.route).toMatchObject({ rung: 'alternative', from: 'check', to: 'ask' })
  })

  test('a graph that makes progress is left alone', async () => {
    const counting = new StateGraph(Annotation.Root({ n: Annotation<number> }))
      .addNode('count', ({ n = 0 }) => ({ n: n + 1 }))
      .addEdge(START, 'count')
      .addConditionalEdges('count', ({ n }) => (n < 30 ? 'count' : END), ['count', END])
      .compile()
    const state = await watched(counting).invoke({}, { recursionLimit: 60 })
    expect(state.n).toBe(30)
  })

  test('a conversation that gets new answers is left alone, and one that repeats itself is not', async () => {
    const chatting = (answer: (turn: number) => string) => {
      let turn = 0
      return new StateGraph(MessagesAnnotation)
        .addNode('model', () => ({ messages: [new AIMessage(answer(turn++))] }))
        .addEdge(START, 'model')
        .addConditionalEdges('model', () => (turn < 12 ? 'model' : END), ['model', END])
        .compile()
    }
    const input = { messages: [new HumanMessage('Look it up.')] }
    const options = { recursionLimit: 60 }
    const fresh = await watched(chatting(turn => `page ${turn}`)).invoke(input, options)
    expect(fresh.messages).toHaveLength(13)
    const stuck = await watched(chatting(() => 'I look it up.')).invoke(input, options)
    expect(stuck.messages.length).toBeLessThan(8)
  })

  test('a loop of Commands leaves by another of the declared ends', async () => {
    const does: string[] = []
    const graph = new StateGraph(State)
      .addNode(
        'search',
        () => {
          does.push('search')
          return new Command({ goto: 'search', update: { found: 'nothing' } })
        },
        { ends: ['search', 'ask'] },
      )
      .addNode('ask', () => {
        does.push('ask')
        return {}
      })
      .addEdge(START, 'search')
      .addEdge('ask', END)
      .compile()
    await watched(graph).invoke({}, { recursionLimit: 60 })
    expect(does.at(-1)).toBe('ask')
    expect(does.length).toBeLessThan(12)
  })

  test('each invocation has a watch of its own', async () => {
    const agent = watched(searching())
    const rows: Row[] = []
    const own = watched(searching(), { onRow: row => rows.push(row) })
    await Promise.all([
      agent.invoke({}, THREAD),
      own.invoke({}, { configurable: { thread_id: 'two' } }),
    ])
    expect(rows.filter(({ event }) => event.type === 'thread.started')).toHaveLength(1)
  })
})
