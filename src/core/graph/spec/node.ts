/** The nodes of a graph spec: who works in a state, and where each outcome leads. */
import { z } from 'zod'
import { duration } from './duration.ts'
import { name } from './name.ts'
import { detecting, retry } from './policy.ts'

/** How a node's work can end. A `done.<label>` is named by the node or by its `when`. */
export const OUTCOMES = [
  'done',
  'error',
  'error.transient',
  'error.persistent',
  'error.business',
  'error.unknown',
  'error.indeterminate',
  'timeout',
  'breaker.open',
  'loop',
  'stall',
  'budget',
  'silence',
  'human.approved',
  'human.rejected',
  'human.edited',
  'human.expired',
  'cancelled',
] as const

/** Outcomes that only a finding brings about: the `alternative` rung takes these edges. */
export const FINDING_EDGES = ['loop', 'stall', 'budget', 'silence'] as const

const outcome = z.union([z.enum(OUTCOMES), z.templateLiteral(['done.', name])], {
  error: `expected an outcome: ${OUTCOMES.join(', ')} or done.<label>`,
})

/** What a node is given: the named channels under their own or another name. */
const input = z.union([z.array(name), z.record(name, name)]).describe('Channels handed to the node: a list, or input name → channel.')

/** What is kept of its output: a path into it, or `.` for all of it, for each channel. */
const output = z
  .union([name, z.array(name), z.record(name, z.string())])
  .describe('Channels written from the output: one channel takes all of it; a list takes fields of the same names; a map gives channel → path, `.` for all.')

const work = {
  in: input.optional(),
  out: output.optional(),
  on: z.partialRecord(outcome, name).optional().describe('Where each outcome leads.'),
  when: z.record(name, z.string()).optional().describe('Labels in CEL over channels and `output`; the first that holds makes the outcome done.<label>.'),
  timeout: duration.optional().describe('The most the node may take, all its calls and waits together.'),
  phase: z.literal(true).optional().describe('Entering this node for the first time is progress.'),
  detect: detecting.partial().optional(),
}

/** How long a node may take that says nothing else, in ms. */
export const NODE_TIMEOUT = 600_000

/** Calls of one message that a `tools` node performs; a model that asks for more has lost its way. */
export const CALLS_MAX = 16
/** Threads that one map may have open at once. */
const CONCURRENCY_MAX = 64

export const workingNode = z.discriminatedUnion('use', [
  z.strictObject({ use: z.literal('pass'), ...work }).describe('Does nothing: its output is what `in` gives it.'),
  z.strictObject({
    use: z.literal('tool'),
    tool: name,
    args: z.record(z.string(), z.json()).optional().describe('Arguments of the call; without them, what `in` gives the node.'),
    ...work,
  }),
  z.strictObject({
    use: z.literal('model'),
    model: name,
    prompt: z.string().optional().describe('What the model is told before the messages.'),
    tools: z.array(name).optional().describe('The tools it may ask for.'),
    command: z.enum(['required', 'optional']).default('optional').describe('required: an answer that asks for no tool is a finding.'),
    history: z.int().min(2).default(30).describe('The most messages sent.'),
    ...work,
  }),
  z.strictObject({ use: z.literal('tools'), ...work }).describe('Performs the calls the last message asks for, concurrently.'),
  z.strictObject({ use: z.literal('graph'), graph: name.describe('One of `graphs`.'), ...work }).describe('Runs a graph as a thread of its own; its result is the output.'),
  z
    .strictObject({
      use: z.literal('map'),
      graph: name.describe('One of `graphs`.'),
      over: name.describe('The channel that holds the items: a list, or a channel that appends.'),
      as: name.default('item').describe('The input under which the graph is given its item, beside what `in` gives.'),
      concurrency: z.int().min(1).max(CONCURRENCY_MAX).default(4).describe('The most items at work at once.'),
      join: z
        .union([z.enum(['all', 'any']), z.int().min(1)])
        .default('all')
        .describe('all: ends when every item has ended; any, or a number: with the first so many that succeed, the others are cancelled.'),
      ...work,
    })
    .describe('Runs a graph once for each item. Its output is { results: [{ ok, value | reason }], failed, left }.'),
  z.strictObject({ use: z.literal('human'), question: z.string().min(1), deadline: duration.optional(), ...work }),
])

/** A node of your own: `use: ./file.ts#export`. */
export const customNode = z.strictObject({
  use: z.string().regex(/^\.\/.+\.(ts|js|mjs)#\w+$/, 'expected pass, tool, model, tools, graph, map, human, or ./file.ts#export'),
  with: z.json().optional(),
  tools: z.array(name).optional(),
  ...work,
})

export const finalNode = z.strictObject({ final: z.enum(['success', 'failure']) })

export type WorkingNode = z.infer<typeof workingNode> | z.infer<typeof customNode>
export type FinalNode = z.infer<typeof finalNode>
export type NodeSpec = WorkingNode | FinalNode

export const retryOrNone = z.union([z.literal(0).transform(() => ({ attempts: 1 })), retry.partial()])
