/** Notes to the model, from one request to the next, about tools with open breakers. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { tool } from '../../src/kit/tool.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Model, ModelRequest } from '../../src/runtime/ports.ts'
import { replay } from '../../src/runtime/store/replay.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { START } from './desk.ts'

/** A model that calls `search`, waits, calls it again, and is done. */
function talkative(requests: ModelRequest[]): Model {
  const says = ['search', 'nap', 'search', 'nap', undefined]
  return {
    id: 'm',
    timeout: 1_000,
    async ask(request, { idempotencyKey: key }) {
      const wanted = says[requests.push(request) - 1]
      return {
        text: wanted ? '' : 'Done.',
        calls: wanted
          ? [{ id: key.replace(/\W/g, '-'), tool: wanted, args: { n: requests.length } }]
          : [],
      }
    },
  }
}

async function asked(substitutes: readonly string[]) {
  const requests: ModelRequest[] = []
  const read = readSpec({
    escapement: 1,
    id: 'agent',
    start: 'plan',
    channels: { messages: { type: 'object', reducer: 'append' } },
    nodes: {
      plan: {
        use: 'model',
        model: 'm',
        tools: ['search', 'nap'],
        in: ['messages'],
        out: { messages: 'message' },
        on: { 'done.command': 'act', 'done.answer': 'end' },
      },
      act: { use: 'tools', in: ['messages'], out: ['messages'], on: { done: 'plan' } },
      end: { final: 'success' },
    },
    tools: {
      search: { use: './t.ts#search', substitutes },
      mirror: { use: './t.ts#mirror' },
      nap: { use: './t.ts#nap' },
    },
    models: { m: { id: 'm' } },
    breaker: { threshold: 1, reset: '30s' },
    retry: { attempts: 1 },
  })
  if (!read.spec) throw new Error(JSON.stringify(read.faults))
  const made = (name: string, run: Parameters<typeof tool>[0]['execute']) =>
    tool({ name, description: name, inputSchema: z.looseObject({}), effects: 'read', execute: run })
  const tools = {
    search: made('search', async () =>
      Promise.reject(Object.assign(new Error('down'), { status: 503 })),
    ),
    mirror: made('mirror', async () => 'mirrored'),
    nap: made('nap', async (_, { sleep }) => sleep(20_000)),
  }
  const graph = bindGraph(read.spec, {
    workspace: '.',
    tools,
    nodes: {},
    model: () => talkative(requests),
  })
  const store = memoryStore()
  const run = await drive(
    { ...nodePorts({ graph, store, gate: createGate() }), clock: virtualClock(1_000_000) },
    't',
    START,
  )
  expect(run.ended?.outcome).toBe('success')
  expect(await replay(graph.machine, store, 't')).toEqual(run)
  const lines = requests.map(({ system }) =>
    system.split('\n').filter(line => line.startsWith('- search')),
  )
  return { offered: requests.map(({ tools }) => tools.map(({ name }) => name).join(' ')), lines }
}

test('omits a tool without a substitute until its breaker allows a probe', async () => {
  const { offered, lines } = await asked([])
  expect(offered).toEqual(['search nap', 'nap', 'nap', 'nap', 'search nap'])
  expect(lines[1]).toEqual([
    '- search: not among your tools before 1970-01-01T00:17:10.000Z; use another approach',
  ])
  expect(lines[4]).toEqual([])
})

test('keeps a tool with a substitute, and names the substitute to the model', async () => {
  const { offered, lines } = await asked(['mirror'])
  expect(new Set(offered)).toEqual(new Set(['search nap']))
  expect(lines.map(({ length }) => length)).toEqual([0, 1, 1, 1, 0])
  expect(lines[1]).toEqual([
    '- search, until 1970-01-01T00:17:10.000Z: call it as usual, mirror answers in its place',
  ])
})
