/** A chain of three nodes whose threads tests pause and step. */
import { afterEach } from 'vitest'
import { z } from 'zod'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import type { ThreadHandle } from '../../src/host/thread/thread.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { tool } from '../../src/kit/tool.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { specOf } from '../graph/linted.ts'

type Execute = (args: Readonly<Record<string, unknown>>) => Promise<unknown>

export const NODES = {
  a: { use: 'tool', tool: 'a', args: {}, on: { done: 'b', loop: 'aside' } },
  b: { use: 'tool', tool: 'b', args: {}, on: { done: 'c' } },
  c: { use: 'tool', tool: 'c', args: {}, on: { done: 'end' } },
  aside: { use: 'tool', tool: 'c', args: {}, on: { done: 'end' } },
  end: { final: 'success' },
}

/** a → b → c → end. Each node calls the tool of its name. */
export function chain(of: Readonly<Record<string, Execute>> = {}, more: object = {}) {
  const names = ['a', 'b', 'c']
  const spec = specOf({
    id: 'chain',
    start: 'a',
    nodes: NODES,
    tools: Object.fromEntries(names.map(name => [name, { use: `./tools.ts#${name}` }])),
    retry: { attempts: 2, base: '1ms' },
    ...more,
  })
  const toolOf = (name: string) =>
    tool({
      name,
      description: name,
      inputSchema: z.looseObject({}),
      effects: 'read',
      execute: of[name] ?? (async () => name),
    })
  const tools = Object.fromEntries(names.map(name => [name, toolOf(name)]))
  return bindGraph(spec, { workspace: '.', model: () => ({}) as never, tools })
}

/** The runtimes of a test file, which close after each test. */
export function chains() {
  const open: Runtime[] = []
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })
  const runtimeOf = (graph: ReturnType<typeof chain>, store: Store = memoryStore()) => {
    const runtime = createRuntime({ store, graphs: [graph] })
    open.push(runtime)
    return runtime
  }
  return { open, runtimeOf }
}

/** A promise that a test resolves. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}

/** The state of the thread once it is paused. */
export async function paused(thread: ThreadHandle) {
  for (;;) {
    const state = await thread.state()
    if (state.paused && state.status === 'waiting') return state
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

/** The state that a thread works in. */
export const nodeIn = ({ state }: { readonly state: unknown }) =>
  typeof state === 'string' ? state : Object.values(state as object)[0]
