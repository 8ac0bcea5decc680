/** The graphs of a storm. Each pays for its goal once: in a node, beside another call, in children, or by a model. */
import { defineGraph, node } from '../../../src/index.ts'
import type { Graph } from '../../../src/runtime/ports.ts'
import { agentOf } from './agent.ts'
import type { lookOf, payOf } from './tools.ts'
import type { World } from './world.ts'

export type Tools = {
  readonly pay: ReturnType<typeof payOf>
  readonly look: ReturnType<typeof lookOf>
}

interface Calls {
  readonly pay: (args: { purpose: string }) => Promise<unknown>
  readonly look: (args: Record<string, never>) => Promise<unknown>
}

/** What a node does. `goal`: the message of the round. */
type Body = (call: Calls, goal: string, world: World) => Promise<unknown>

const BODIES = {
  one: (call, goal) => call.pay({ purpose: `${goal} a` }),
  async two(call, goal) {
    await call.pay({ purpose: `${goal} a` })
    await call.look({})
    await call.pay({ purpose: `${goal} b` })
  },
  pair: (call, goal) =>
    Promise.allSettled([call.pay({ purpose: `${goal} a` }), call.pay({ purpose: `${goal} b` })]),
  race: (call, goal, { clock }) =>
    Promise.race([call.pay({ purpose: `${goal} a` }), clock.sleep(1_000)]),
} satisfies Readonly<Record<string, Body>>

const ENDS = { end: { final: 'success' }, bad: { final: 'failure' } } as const
const COMMON = { input: ['goal'], channels: { goal: {} }, limits: { steps: 60 } } as const

export const KINDS = [
  ...(['one', 'two', 'pair', 'race'] as const),
  ...(['child', 'grandchild', 'children', 'regions', 'agent', 'agent below'] as const),
]

/** What the graphs of a storm share. */
interface Terms {
  readonly world: World
  readonly tools: Tools
  readonly common: object
  readonly timeout: object
}

/** Draws a graph of a kind. */
export function graphOf(world: World, tools: Tools, kind: (typeof KINDS)[number]): Graph {
  const { draw } = world
  const common = { ...COMMON, rounds: { busy: draw.pick(['interrupt', 'interrupt', 'queue']) } }
  const terms = { world, tools, common, timeout: draw.next() < 0.4 ? { timeout: '3s' } : {} }
  switch (kind) {
    case 'child':
      return over(terms, payer(terms, draw.pick(Object.values(BODIES))))
    case 'grandchild':
      return over(terms, middle(terms, payer(terms, BODIES.one)))
    case 'children':
      return around(terms, forEach(payer(terms, BODIES.one)))
    case 'regions':
      return inRegions(terms)
    case 'agent':
      return agentOf(world, tools)
    case 'agent below':
      return over(terms, agentOf(world, tools))
    default:
      return around(terms, nodeOf(terms, BODIES[kind]))
  }
}

const nodeOf = ({ world, tools }: Terms, body: Body) => ({
  use: node({ tools, version: 1 }, async ({ call, input }) => {
    await body(call, JSON.stringify(input.goal), world)
    return {}
  }),
  in: ['goal'],
})

/** A graph of one node. */
function payer(terms: Terms, body: Body): Graph {
  const timeout = terms.world.draw.next() < 0.5 ? terms.timeout : {}
  const A = { ...nodeOf(terms, body), ...timeout, on: { done: 'end' } }
  return defineGraph({ id: 'payer', start: 'A', ...terms.common, nodes: { A, ...ENDS } } as never)
}

/** A graph over another one. */
function middle({ common }: Terms, inner: Graph): Graph {
  const C = { use: 'graph', graph: 'inner', in: ['goal'], on: { done: 'end', error: 'bad' } }
  const nodes = { C, ...ENDS }
  return defineGraph({ id: 'middle', start: 'C', ...common, graphs: { inner }, nodes } as never)
}

/** Three children at once. */
const forEach = (child: Graph) => ({
  use: node({ graphs: { child }, version: 1 }, async ({ run, input }) => {
    const starts = [0, 1, 2].map(item => run.child({ goal: [input.goal, item] } as never))
    await Promise.allSettled(starts)
    return {}
  }),
  in: ['goal'],
})

/** Reads before and after the node `W`, which any edge may leave. */
function around({ world, tools, common, timeout }: Terms, work: object, graphs = {}): Graph {
  const { draw } = world
  const on = {
    done: draw.pick(['M', 'end']),
    ...(draw.next() < 0.4 && { error: draw.pick(['M', 'bad', 'X']) }),
    ...(draw.next() < 0.3 && { timeout: draw.pick(['M', 'X']) }),
    ...(draw.next() < 0.3 && { cancelled: 'M' }),
  }
  const look = { use: 'tool', tool: 'look', args: {} }
  const nodes = {
    L: { ...look, on: { done: 'W', error: draw.pick(['W', 'bad']) } },
    W: { ...work, ...timeout, on },
    M: { ...look, on: { done: 'end', error: draw.pick(['end', 'bad']) } },
    X: { use: 'pass', on: { done: 'end' } },
    ...ENDS,
  }
  return defineGraph({ id: 'g', start: 'L', ...common, tools, graphs, nodes } as never)
}

const over = (terms: Terms, child: Graph) =>
  around(terms, { use: 'graph', graph: 'child', in: ['goal'] }, { child })

/** A payment beside a child that pays. */
function inRegions(terms: Terms): Graph {
  const region = (work: object, at: string) => ({
    start: at,
    nodes: { [at]: { ...work, on: { done: `${at}end` } }, [`${at}end`]: { final: 'success' } },
  })
  const beside = { use: 'graph', graph: 'child', in: ['goal'] }
  const regions = { one: region(nodeOf(terms, BODIES.one), 'a'), two: region(beside, 'b') }
  const child = payer(terms, (call, goal) => call.pay({ purpose: `${goal} c` }))
  const { tools, common } = terms
  const nodes = { P: { regions, on: { done: 'end' } }, ...ENDS }
  return defineGraph({ id: 'g', start: 'P', ...common, tools, graphs: { child }, nodes } as never)
}
