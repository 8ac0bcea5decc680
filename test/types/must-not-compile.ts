/** Each directive is above a line that must not compile; test/types/must-not-compile.test.ts runs the compiler on this file. */
import { z } from 'zod'
import {
  bindGraph,
  createAgent,
  defineGraph,
  done,
  node,
  parseSpec,
  type Runtime,
  tool,
} from '../../src/index.ts'
import { check, END, fast, INPUT, OUTPUT, refund, stock } from './shop.ts'

const pass = { use: 'pass', on: { done: 'end' } } as const

// Tools
tool({
  name: 'wrong',
  description: '',
  inputSchema: z.object({ amount: z.number() }),
  effects: 'write',
  // @ts-expect-error: the condition knows the arguments
  confirm: ({ amuont }) => amuont > 100,
  // @ts-expect-error: so does the function
  execute: ({ amuont }) => amuont,
})
tool({
  name: 'wrong',
  description: '',
  inputSchema: z.object({}),
  // @ts-expect-error: a tool reads or writes
  effects: 'sometimes',
  execute: () => null,
})

// Agents
createAgent({
  id: 'wrong',
  model: fast,
  // @ts-expect-error: a misspelt setting of the policy
  breaker: { treshold: 6 },
})

// Nodes
node({ tools: { stock } }, async ({ call }) => {
  // @ts-expect-error: a tool that is not declared
  await call.refund({ order: '1', amount: 1 })
  // @ts-expect-error: a misspelt argument
  await call.stock({ artcle: 'clock' })
  // @ts-expect-error: a wrong type
  await call.stock({ article: 1 })
  // @ts-expect-error: an unknown field of the answer
  return (await call.stock({ article: 'clock' })).missing
})
node({ input: INPUT }, async ({ input }) => {
  // @ts-expect-error: a misspelt input
  return input.artcle
})
// @ts-expect-error: an output that the schema refuses
node({ output: OUTPUT }, async () => ({ left: 'many' }))
// @ts-expect-error: so is one with a label
node({ output: OUTPUT }, async () => done('empty', { left: 'many' }))
node(async ({ call, ask, run }) => {
  // @ts-expect-error: nothing is declared
  call.stock({ article: 'clock' })
  // @ts-expect-error: nor is a model
  ask.fast({ system: '', messages: [], tools: [] })
  // @ts-expect-error: nor is a graph
  return run.shop({})
})

// Names in graphs
// @ts-expect-error: a node to start with
defineGraph({ id: 'a', start: 'nowhere', nodes: { A: pass, end: END } })
defineGraph({
  id: 'a',
  start: 'A',
  // @ts-expect-error: an edge
  nodes: { A: { use: 'pass', on: { done: 'nowhere' } }, end: END },
})
defineGraph({
  id: 'a',
  start: 'A',
  nodes: { A: pass, end: END },
  // @ts-expect-error: an alternative
  escape: { alternatives: { A: ['nowhere'] } },
})
defineGraph({
  id: 'a',
  start: 'A',
  // @ts-expect-error: an outcome that no work can have
  nodes: { A: { use: 'pass', on: { done: 'end', 'error.sometimes': 'end' } }, end: END },
})
defineGraph({
  id: 'a',
  start: 'A',
  // @ts-expect-error: an outcome that a set of regions cannot have
  nodes: { A: { regions: {}, on: { done: 'end', error: 'end' } }, end: END },
})
defineGraph({
  id: 'a',
  start: 'A',
  // @ts-expect-error: an outcome that the function never returns
  nodes: { A: { use: check, on: { done: 'end', 'done.full': 'end' } }, end: END },
})
defineGraph({
  id: 'a',
  start: 'A',
  tools: { stock },
  // @ts-expect-error: a tool
  nodes: { A: { use: 'tool', tool: 'stok', on: { done: 'end' } }, end: END },
})
defineGraph({
  id: 'a',
  start: 'A',
  models: { fast },
  // @ts-expect-error: a model
  nodes: { A: { use: 'model', model: 'smart', on: { done: 'end' } }, end: END },
})
defineGraph({
  id: 'a',
  start: 'A',
  models: { fast },
  tools: { stock },
  // @ts-expect-error: a tool that a model is offered
  nodes: { A: { use: 'model', model: 'fast', tools: ['stok'], on: { done: 'end' } }, end: END },
})
defineGraph({
  id: 'a',
  start: 'A',
  // @ts-expect-error: a graph
  nodes: { A: { use: 'graph', graph: 'below', on: { done: 'end' } }, end: END },
})
defineGraph({
  id: 'a',
  start: 'A',
  channels: { seen: z.number() },
  // @ts-expect-error: a channel to read
  nodes: { A: { use: 'pass', in: ['saw'], on: { done: 'end' } }, end: END },
})
defineGraph({
  id: 'a',
  start: 'A',
  channels: { seen: z.number() },
  // @ts-expect-error: a channel to write
  nodes: { A: { use: 'pass', out: { saw: '.' }, on: { done: 'end' } }, end: END },
})
// @ts-expect-error: an input without its channel
defineGraph({ id: 'a', start: 'A', input: ['seen'], nodes: { A: pass, end: END } })
// @ts-expect-error: a function in place of a name
defineGraph({ id: 'a', start: 'A', nodes: { A: { use: 'mine', on: { done: 'end' } }, end: END } })
defineGraph({
  id: 'a',
  start: 'A',
  // @ts-expect-error: an implementation that is not a tool
  tools: { stock: { article: 'clock' } },
  nodes: { A: pass, end: END },
})

// Input and output
const shop = defineGraph({
  id: 'shop',
  start: 'check',
  input: INPUT,
  output: OUTPUT,
  nodes: { check: { use: check, in: ['article'], out: ['left'], on: { done: 'end' } }, end: END },
})
node({ graphs: { shop } }, async ({ run }) => {
  // @ts-expect-error: a misspelt input of a graph
  await run.shop({ artcle: 'clock' })
  // @ts-expect-error: an unknown field of its output
  return (await run.shop({ article: 'clock' })).right
})

// Bindings
const spec = parseSpec({
  escapement: 1,
  id: 'data',
  start: 'A',
  tools: { stock: { use: 'code' } },
  nodes: { A: { use: 'code', on: { done: 'end' } }, end: END },
})
// @ts-expect-error: a tool that the spec lacks
bindGraph(spec, { tools: { refund } })
// @ts-expect-error: a node that the spec lacks
bindGraph(spec, { nodes: { B: check } })
// @ts-expect-error: a model that the spec lacks
bindGraph(spec, { models: { fast } })

defineGraph({
  id: 'a',
  start: 'A',
  nodes: {
    // @ts-expect-error: an outcome that a function in place never returns
    A: { use: node(async () => done('empty', 1)), on: { done: 'end', 'done.full': 'end' } },
    end: END,
  },
})

declare const runtime: Runtime
const sound = defineGraph({
  id: 'a',
  start: 'end',
  input: INPUT,
  nodes: { end: END },
})
// @ts-expect-error: an input that the schema refuses
runtime.start(sound, { article: 7 })
// @ts-expect-error: a channel that the graph lacks
;(await runtime.thread('t', sound).state()).channels.colour
