/** Graphs and ports for tests of the driver: a real process, the store in memory, and a tool the test writes itself. */
import { expect } from 'vitest'
import { z } from 'zod'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import type { AgentEvent } from '../../src/core/watch/event/event.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { tool } from '../../src/kit/tool.ts'
import type { ToolOptions } from '../../src/kit/tool-options.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import type { Calling, Graph, Live, Ports } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'

type Run = (call: Calling) => Promise<unknown>

/** Calls its one tool, and is done. */
export function calling(
  run: Run,
  effects: 'read' | 'write' = 'read',
  more: Partial<
    Pick<
      ToolOptions<z.ZodType<object>>,
      'reconcile' | 'timeout' | 'retry' | 'idempotent' | 'confirm'
    >
  > = {},
): Graph {
  const read = readSpec({
    escapement: 1,
    id: 'calling',
    start: 'A',
    nodes: {
      A: { use: 'tool', tool: 'work', args: {}, on: { done: 'E' } },
      E: { final: 'success' },
    },
    tools: { work: { use: './work.ts#work' } },
  })
  if (!read.spec) throw new Error(JSON.stringify(read.faults))
  const work = tool({
    name: 'work',
    description: 'Works.',
    inputSchema: z.looseObject({}),
    effects,
    timeout: 60_000,
    execute: (_, call) => run(call),
    ...more,
  })
  return bindGraph(read.spec, {
    workspace: '.',
    tools: { work },
    nodes: {},
    model: () => Promise.reject(new Error('no model')) as never,
  })
}

export function portsOf(graph: Graph, more: Partial<Ports> = {}): Ports {
  return { ...nodePorts({ graph, store: memoryStore(), gate: createGate() }), ...more }
}

/** A promise, and the way to keep it. */
export function webhookServer(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}

export const START = { start: { input: {}, seed: 1 } }

/** Drives a new thread until its journal has an event of this type, and leaves it there. */
export async function driveUntil(ports: Ports, thread: string, type: AgentEvent['type']) {
  const leave = new AbortController()
  const live = (update: Live) => {
    const rows = update.kind === 'rows' ? update.items : []
    if (rows.some(({ row }) => row.event.type === type)) leave.abort('left')
  }
  await expect(drive({ ...ports, live }, thread, { ...START, leave: leave.signal })).rejects.toBe(
    'left',
  )
}
