/** Graphs for tests of the host: a tool, a question and an end; a model that streams; a parent with a child. */
import { z } from 'zod'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Calling, Graph, Model } from '../../src/runtime/ports.ts'
import { specOf } from '../graph/linted.ts'

type Work = (call: Calling) => Promise<unknown>

/** Works, asks whether to go on, and ends with what the work returned. */
export function asking(work: Work = async () => 'worked', more: object = {}): Graph {
  return bound(
    specOf({
      id: 'asking',
      start: 'work',
      channels: { goal: { type: 'string' }, found: { type: 'string' } },
      input: ['goal'],
      output: ['found'],
      nodes: {
        work: { use: 'tool', tool: 'work', args: {}, out: ['found'], on: { done: 'ask' } },
        ask: {
          use: 'human',
          question: 'Go on?',
          deadline: '1h',
          on: { 'human.approved': 'end', 'human.rejected': 'no', 'human.expired': 'late' },
        },
        end: { final: 'success' },
        no: { final: 'failure' },
        late: { final: 'failure' },
      },
      tools: { work: { use: './work.ts#work' } },
      ...more,
    }),
    work,
  )
}

/** Runs `asking` as a child. */
export function parentOf(child: Graph): Graph {
  return bindGraph(
    specOf({
      id: 'parent',
      start: 'child',
      nodes: {
        child: { use: 'graph', graph: 'child', in: { goal: 'goal' }, on: { done: 'end' } },
        end: { final: 'success' },
      },
      channels: { goal: { type: 'string' } },
      input: ['goal'],
      graphs: { child: child.source },
    }),
    { workspace: '.', model: () => ({}) as never, graphs: { child } },
  )
}

/** Asks its model once, with a retry. */
export function answering(ask: Model['ask']): Graph {
  const model: Model = { id: 'mine', timeout: 60_000, ask }
  return bindGraph(
    specOf({
      id: 'answering',
      start: 'think',
      channels: { goal: { type: 'string' }, messages: { reducer: 'append' } },
      input: ['goal'],
      nodes: {
        think: { use: 'model', model: 'mine', prompt: 'Answer.', on: { done: 'end' } },
        end: { final: 'success' },
      },
      models: { mine: { id: 'mine' } },
      retry: { attempts: 2, base: '1ms' },
    }),
    { workspace: '.', model: () => model },
  )
}

function bound(spec: Spec, work: Work): Graph {
  return bindGraph(spec, {
    workspace: '.',
    model: () => ({}) as never,
    tools: {
      work: tool({
        name: 'work',
        description: 'Works.',
        inputSchema: z.looseObject({}),
        effects: 'read',
        timeout: 60_000,
        execute: async (_, call) => ({ found: await work(call) }),
      }),
    },
  })
}
