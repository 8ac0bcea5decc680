/** The nodes of a graph spec: who works in a state, and where each outcome leads. */
import { z } from 'zod'
import { name, value } from './name.ts'
import { duration, tunings } from './policy-schema.ts'

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
  'noToolCall',
  'human.approved',
  'human.rejected',
  'human.edited',
  'human.expired',
  'cancelled',
] as const

/** Outcomes that only a finding brings about: the `alternative` rung takes these edges. */
export const FINDING_EDGES = ['loop', 'stall', 'budget', 'noToolCall'] as const

const outcome = z
  .union([z.enum(OUTCOMES), z.templateLiteral(['done.', name])], {
    error: `expected an outcome: ${OUTCOMES.join(', ')} or done.<label>`,
  })
  .meta({
    id: 'outcome',
    description:
      'How the work of a node ends, or what the watchdog finds while it works; `done.<label>` takes a label of the node or of its `when`.',
  })

/** What a node is given: the named channels under their own or another name. */
const input = z
  .union([z.array(name), z.record(name, name)])
  .meta({ id: 'in', description: 'Channels handed to a node: a list, or input name → channel.' })

/** What is kept of its output: a path into it, or `.` for all of it, for each channel. */
const output = z.union([name, z.array(name), z.record(name, z.string())]).meta({
  id: 'out',
  description:
    'Channels written from an output: one channel takes all of it; a list takes fields of the same names; a map gives channel → path, `.` for all.',
})

const edges = z.partialRecord(outcome, name).meta({
  id: 'on',
  description:
    'Where each outcome leads; `error` takes every failure that no edge of its own takes. What no edge takes the ladder decides.',
})

/** What a node may say whatever its kind. */
const work = {
  in: input
    .optional()
    .describe(
      'What it is given; without it a `pass` or `tool` node is given nothing, and the others may read every channel.',
    ),
  out: output.optional().describe('What is kept of its output; without it nothing is.'),
  on: edges.optional().describe('Where its outcomes lead; required, except beside `machine`.'),
  when: z
    .record(name, z.string())
    .optional()
    .describe(
      'Labels by conditions in CEL over the channels and `output`; the first that holds makes the outcome `done.<label>`.',
    ),
  timeout: duration
    .optional()
    .describe(
      'The most it may take, all its calls and waits together; 10m if absent. Then its outcome is `timeout`.',
    ),
  phase: z
    .literal(true)
    .optional()
    .describe('Entering it for the first time is progress: the ladder begins anew.'),
  detect: tunings
    .optional()
    .describe(
      'Detectors that are tuned otherwise, or off, for this node; comes before `detect.nodes`.',
    ),
}

/** How long a node may take that says nothing else, in ms. */
export const NODE_TIMEOUT = 600_000

/** Calls of one message that a `tools` node performs; a model that asks for more has lost its way. */
export const CALLS_MAX = 16
/** Threads that one map may have open at once. */
const CONCURRENCY_MAX = 64

export const workingNode = z.discriminatedUnion('use', [
  z.strictObject({ use: z.literal('pass').describe('The kind of node.'), ...work }).meta({
    id: 'passNode',
    description: 'Does nothing: its output is what `in` gives it. Outcome: `done`.',
  }),
  z.strictObject({ use: z.literal('message').describe('The kind of node.'), ...work }).meta({
    id: 'messageNode',
    description:
      'Makes a user message of what `in` gives it: `goal` as it is, each other value after its name. Its output is { message }. Outcome: `done`.',
  }),
  z
    .strictObject({
      use: z.literal('tool').describe('The kind of node.'),
      tool: name.describe('One of `tools`.'),
      args: z
        .record(z.string(), value)
        .optional()
        .describe('Arguments of the call; without them, what `in` gives the node.'),
      ...work,
    })
    .meta({
      id: 'toolNode',
      description:
        'Calls one tool; its answer is the output. Outcomes: `done`, `error.*`, `breaker.open`, `timeout`.',
    }),
  z
    .strictObject({
      use: z.literal('model').describe('The kind of node.'),
      model: name.describe('One of `models`.'),
      prompt: z.string().optional().describe('What the model is told before the messages.'),
      preamble: z
        .union([z.literal(false), z.string()])
        .optional()
        .describe(
          'Replaces the rules for tools and safety that the model is told after `prompt`; false: none.',
        ),
      tools: z
        .array(name)
        .optional()
        .describe('The tools it may ask for: those of `tools` that are named here, and no others.'),
      command: z
        .enum(['required', 'optional'])
        .default('optional')
        .describe(
          'required: an answer that asks for no tool is the finding `noToolCall` when it happens again.',
        ),
      history: z
        .int()
        .min(2)
        .default(30)
        .describe('The most messages sent: the latest, a call and its result never apart.'),
      ...work,
    })
    .meta({
      id: 'modelNode',
      description:
        'Asks a model. It is sent `prompt`, the preamble, lessons and `in`: `goal` and `messages` as the conversation, other inputs by name. Its output is { message, text, calls }. Outcomes: `done.command` (it wants tools), `done.answer`, `error.*`, `timeout`.',
    }),
  z.strictObject({ use: z.literal('tools').describe('The kind of node.'), ...work }).meta({
    id: 'toolsNode',
    description: `Performs the calls that the last message asks for, concurrently, at most ${CALLS_MAX} of them; failed ones are told to the model. It needs \`messages\` in \`in\`. Its output is { messages, results: [{ call, tool, ok, class?, message? }] }, with \`completed: { result }\` once the task is completed. Outcomes: \`done\`, \`done.completed\`.`,
  }),
  z
    .strictObject({
      use: z.literal('graph').describe('The kind of node.'),
      graph: name.describe('One of `graphs`.'),
      ...work,
    })
    .meta({
      id: 'graphNode',
      description:
        'Runs a graph as a thread of its own, within what is left of this one’s budget; its result is the output. Outcomes: `done`, `error.business`, `error.persistent`.',
    }),
  z
    .strictObject({
      use: z.literal('map').describe('The kind of node.'),
      graph: name.describe('One of `graphs`.'),
      over: name.describe('The channel that holds the items: a list, or a channel that appends.'),
      as: name
        .default('item')
        .describe('The input under which the graph is given its item, beside what `in` gives.'),
      concurrency: z
        .int()
        .min(1)
        .max(CONCURRENCY_MAX)
        .default(4)
        .describe('The most items at work at once.'),
      join: z
        .union([z.enum(['all', 'any']), z.int().min(1)])
        .default('all')
        .describe(
          'all: ends when every item has ended; any, or a number: with the first so many that succeed, the others are cancelled.',
        ),
      ...work,
    })
    .meta({
      id: 'mapNode',
      description:
        'Runs a graph once for each item. Its output is { results: [{ ok, value | reason }], failed, left }. Outcomes: `done`, `done.partial`, `error.*`.',
    }),
  z
    .strictObject({
      use: z.literal('human').describe('The kind of node.'),
      question: z.string().min(1).describe('What the person is asked.'),
      deadline: duration
        .optional()
        .describe('How long the question stands; that of `escape.review`, if absent.'),
      ...work,
    })
    .meta({
      id: 'humanNode',
      description:
        'Asks a person. Outcomes: `human.approved`, `human.rejected`, `human.edited` (with an output of theirs), `human.expired`.',
    }),
])

/** A node of your own: `use: ./file.ts#export`. */
export const customNode = z
  .strictObject({
    use: z
      .string()
      .regex(
        /^(\.\/.+\.(ts|js|mjs)#\w+|code)$/,
        'expected pass, message, tool, model, tools, graph, map, human, or ./file.ts#export',
      )
      .describe(
        'The node of your own: ./file.ts#export, inside the folder of the spec, or `code` if it is passed to `defineGraph` or `bindGraph`.',
      ),
    with: value.optional().describe('Settings the function is given beside its task.'),
    tools: z.array(name).optional().describe('The tools it may call.'),
    ...work,
  })
  .meta({
    id: 'customNode',
    description:
      'Runs a function of your own, `(task, settings) => output`. Outcomes: `done`, a `done.<label>` it names, `error.*`, `timeout`.',
  })

export const finalNode = z
  .strictObject({ final: z.enum(['success', 'failure']).describe('Whether the goal is reached.') })
  .meta({ id: 'finalNode', description: 'The end of the graph, or of a region.' })

/** Nodes as they are written. */
export type WorkingNodeInput = z.input<typeof workingNode>
export type CustomNodeInput = z.input<typeof customNode>
export type FinalNodeInput = z.input<typeof finalNode>

export type WorkingNode = z.infer<typeof workingNode> | z.infer<typeof customNode>
export type FinalNode = z.infer<typeof finalNode>
export type NodeSpec = WorkingNode | FinalNode
