/** The schema of a node: its kind of work, and the target of each outcome. */
import { z } from 'zod'
import { doc } from '../../watch/data/doc.ts'
import { MODULE, name, nodeName, value } from './name.ts'
import { duration, tunings } from './policy-schema.ts'

/** How a node's work can end. A `done.<label>` is named by the node or by its `when`. */
// biome-ignore format: a table of words
export const OUTCOMES = [
  'done', 'error', 'error.transient', 'error.persistent', 'error.business', 'error.unknown',
  'error.indeterminate', 'timeout', 'breaker.open', 'loop', 'stall', 'budget', 'noToolCall',
  'deadlock', 'human.approved', 'human.rejected', 'human.edited', 'human.expired', 'cancelled',
] as const

/** Outcomes that only a finding causes: the `alternative` rung takes these edges. */
export const FINDING_EDGES = ['loop', 'stall', 'budget', 'noToolCall', 'deadlock'] as const

const outcome = doc(
  z.union([z.enum(OUTCOMES), z.templateLiteral(['done.', name])], {
    error: `expected an outcome: ${OUTCOMES.join(', ')} or done.<label>`,
  }),
  'outcome',
)`How the work of a node ends, or what the watchdog finds meanwhile; \`done.<label>\` takes a label
  of the node or of its \`when\`.`

const names = z.union([z.array(name), z.record(name, name)])
const input = doc(
  names,
  'in',
)`The channels a node receives: a list, or a map of input name → channel.`

const output = doc(z.union([name, z.array(name), z.record(name, z.string())]), 'out')`The channels
  written from an output: one channel takes all of it; a list takes fields of the same names; a map
  gives channel → path, \`.\` for all.`

const edges = doc(z.partialRecord(outcome, name), 'on')`The target of each outcome; \`error\` takes
  every failure without a more specific edge. The escape ladder handles outcomes without an edge.`

/** The keys of every kind of node. */
const work = {
  in: doc(input.optional())`Its input. If absent, a \`pass\` or \`tool\` node receives nothing, and
    other nodes may read every channel.`,
  out: doc(output.optional())`The part of its output to keep. If absent, nothing is kept.`,
  on: doc(edges.optional())`The targets of its outcomes; required, except beside \`machine\`.`,
  when: doc(z.record(name, z.string()).optional())`Labels with conditions in CEL over the channels
    and \`output\`; the first that holds makes the outcome \`done.<label>\`.`,
  timeout: doc(duration.optional())`The longest time for all its calls and waits together; default:
    10m. Then its outcome is \`timeout\`.`,
  phase: doc(z.literal(true).optional())`Entering it for the first time is progress, which restarts
    the escape ladder.`,
  detect: doc(tunings.optional())`Detector settings for this node; they override \`detect.nodes\`.`,
}

/** The label of a result that a `verify` node does not accept. */
export const REJECTED = 'rejected'
/** The default timeout of a node, in ms. */
export const NODE_TIMEOUT = 600_000
/** The most calls of one message that a `tools` node performs. */
export const CALLS_MAX = 16
/** The most threads that one map may have open at once. */
const CONCURRENCY_MAX = 64

const kind = <const K extends string>(use: K) => doc(z.literal(use))`The kind of node.`
const subgraph = doc(name)`One of \`graphs\`.`

export const workingNode = z.discriminatedUnion('use', [
  doc(z.strictObject({ use: kind('pass'), ...work }), 'passNode')`Does nothing: its output is its
    input. Outcome: \`done\`.`,
  doc(z.strictObject({ use: kind('message'), ...work }), 'messageNode')`Makes a user message of its
    input: \`goal\` as it is, every other value after its name. Its output is { message }. Outcome:
    \`done\`.`,
  doc(
    z.strictObject({
      use: kind('tool'),
      tool: doc(name)`One of \`tools\`.`,
      args: doc(z.record(z.string(), value).optional())`Arguments of the call; if absent, the node's
        input.`,
      ...work,
    }),
    'toolNode',
  )`Calls one tool; its answer is the output. Outcomes: \`done\`, \`error.*\`, \`breaker.open\`,
    \`timeout\`.`,
  doc(
    z.strictObject({
      use: kind('model'),
      model: doc(name)`One of \`models\`.`,
      prompt: doc(z.string().optional())`The system prompt.`,
      preamble: doc(z.union([z.literal(false), z.string()]).optional())`Replaces the rules for tools
        and safety that follow \`prompt\`; false omits them.`,
      tools: doc(z.array(name).optional())`The tools it may call, by their names in \`tools\`.`,
      command: doc(z.enum(['required', 'optional']).default('optional'))`required: repeated answers
        without a tool call are the finding \`noToolCall\`.`,
      history: doc(z.int().min(2).default(30))`The most messages sent: the first user message,
        the latest question, and the latest others. A call and its result stay together.`,
      ...work,
    }),
    'modelNode',
  )`Calls a model with \`prompt\`, the preamble, lessons and \`in\`: \`goal\` and \`messages\` as the
    conversation, other inputs by name. Its output is { message, text, calls }. Outcomes:
    \`done.command\` (it requests tool calls), \`done.answer\`, \`error.*\`, \`timeout\`.`,
  doc(z.strictObject({ use: kind('tools'), ...work }), 'toolsNode')`Performs the calls that the last
    message requests, concurrently, at most ${CALLS_MAX} of them; the model receives failures as
    results. It needs \`messages\` in \`in\`. Its output is { messages, results: [{ call, tool, ok,
    class?, message? }] }, with \`completed: { result }\` once the task is completed. Outcomes:
    \`done\`, \`done.completed\`.`,
  doc(z.strictObject({ use: kind('graph'), graph: subgraph, ...work }), 'graphNode')`Runs a graph as
    a separate thread within the rest of this thread's budget; its result is the output. Outcomes:
    \`done\`, \`error.business\`, \`error.persistent\`.`,
  doc(
    z.strictObject({
      use: kind('map'),
      graph: subgraph,
      over: doc(name)`The channel that holds the items: a list, or a channel that appends.`,
      as: doc(name.default('item'))`The input that holds the item, beside those of \`in\`.`,
      concurrency: doc(z.int().min(1).max(CONCURRENCY_MAX).default(4))`The most items at once.`,
      join: doc(z.union([z.enum(['all', 'any']), z.int().min(1)]).default('all'))`all: ends when
        every item has ended; any, or a number: ends with the first so many that succeed, and
        cancels the others.`,
      ...work,
    }),
    'mapNode',
  )`Runs a graph once for each item. Its output is { results: [{ ok, value | reason }], failed, left
    }. Outcomes: \`done\`, \`done.partial\`, \`error.*\`.`,
  doc(
    z.strictObject({
      use: kind('verify'),
      tool: doc(name.optional())`The tool that judges. Its answer is a boolean, or { passed, reason
        }; a business failure rejects.`,
      args: doc(z.record(z.string(), value).optional())`Arguments of the call; if absent, the node's
        input.`,
      rubric: doc(z.record(name, z.string()).optional())`Conditions in CEL over the inputs, by name;
        all of them must hold.`,
      model: doc(name.optional())`The model that judges.`,
      prompt: doc(z.string().min(1).optional())`What the model checks; required beside \`model\`.`,
      attempts: doc(z.int().min(1).max(100).default(3))`The most results it judges in a row, in one
        round. The last rejection is a failure.`,
      ...work,
    }),
    'verifyNode',
  )`Judges a result before the run may end: by exactly one of \`tool\`, \`rubric\` and \`model\`. Its
    output is { passed, reasons, messages }; \`messages\` holds the reasons for the model. Outcomes:
    \`done\`, \`done.rejected\` (required), \`error.business\` after the last attempt, other \`error.*\` if
    the judge fails.`,
  doc(
    z.strictObject({
      use: kind('human'),
      question: doc(z.string().min(1))`The question for the person.`,
      deadline: doc(duration.optional())`How long the question stays open; default: the deadline of
        \`escape.review\`.`,
      ...work,
    }),
    'humanNode',
  )`Asks a person. Outcomes: \`human.approved\`, \`human.rejected\`, \`human.edited\` (with the person's
    output; only with an edge for it), \`human.expired\`.`,
])

const KINDS =
  'expected pass, message, tool, model, tools, graph, map, verify, human, or ./file.ts#export'

const customNode = doc(
  z.strictObject({
    use: doc(z.string().regex(MODULE, KINDS))`The custom node: ./file.ts#export, inside the folder
      of the spec, or \`code\` if it is passed to \`defineGraph\` or \`bindGraph\`.`,
    with: doc(value.optional())`Settings, the second argument of the function.`,
    tools: doc(z.array(name).optional())`The tools it may call.`,
    ...work,
  }),
  'customNode',
)`Runs a custom function, \`(task, settings) => output\`. Outcomes: \`done\`, a \`done.<label>\` it
  names, \`error.*\`, \`timeout\`.`

const finalNode = doc(
  z.strictObject({ final: doc(z.enum(['success', 'failure']))`Whether the goal is reached.` }),
  'finalNode',
)`The end of the graph, or of a region.`

const region = doc(
  z.strictObject({
    start: doc(nodeName)`The first node.`,
    nodes: doc(
      z.record(
        nodeName,
        doc(z.union([workingNode, customNode, finalNode]), 'regionNode')`A node of a region: any
          kind but a set of regions.`,
      ),
    )`Its nodes. Edges lead to nodes of the same region; a final node ends the region.`,
  }),
  'region',
)`One of several regions that run at the same time, with its own nodes, escapes and review.`

/** A set of regions: they run at the same time, and the node is done when all have ended. */
const regionsNode = doc(
  z.strictObject({
    regions: doc(
      z.record(nodeName, region),
    )`The regions by name, at most 100; all start when the node is
      entered.`,
    on: doc(
      z.strictObject({
        done: doc(name)`The target when every region has ended.`,
        'done.failed': doc(name.optional())`The target if a region ended in \`final: failure\`;
          default: the target of \`done\`.`,
        budget: doc(name.optional())`The target of a spent limit, which leaves all regions.`,
        cancelled: doc(name.optional())`The target of a cancellation, which leaves all regions.`,
      }),
    )`The targets of its outcomes.`,
  }),
  'regionsNode',
)`A set of regions: they run at the same time, and the node is done when all have ended.`

export const node = doc(
  z.union([workingNode, customNode, finalNode, regionsNode]),
  'node',
)`A node: work, an end, or a set of regions.`

/** Nodes as they are written. */
export type WorkingNodeInput = z.input<typeof workingNode>
export type CustomNodeInput = z.input<typeof customNode>
export type FinalNodeInput = z.input<typeof finalNode>
export type RegionsNodeInput = z.input<typeof regionsNode>

export type WorkingNode = z.infer<typeof workingNode> | z.infer<typeof customNode>
export type FinalNode = z.infer<typeof finalNode>
export type RegionsNode = z.infer<typeof regionsNode>
export type AnyNode = WorkingNode | FinalNode | RegionsNode
