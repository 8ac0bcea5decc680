/**
 * A world for stories: tools, models and nodes that do what the story's `world:` block says, one line for each time they are called;
 * the last line repeats.
 *
 *     tools:  { search: { does: [fails HTTP 503, after 5s answers found], effects: write, timeout: 10s, … } }
 *             { order: { effects: write, does: [answers 17], undo: [fails HTTP 503, answers null] } }
 *     models: { fast: { does: ['wants search {"q":"x"}', says done] } }
 *     notify: { pager: { to: [oncall], does: [fails HTTP 503, answers taken] } }
 *     graphs: { worker: { tools: …, nodes: … } }
 *     nodes:  { work: ['call search {"q":"x"}', 'batch a & b', 'together a & after 1s b', report halfway, label good] }
 *
 * `takes: q` refuses arguments without `q`; a line may end in `having tried 3 times`, as an SDK does inside one attempt.
 * `hangs` ends with the signal, `ignores the signal 20s answers x` does not; `dies` takes the whole process with it.
 */
import { duration as durationOf } from '../../src/core/graph/spec/policy-schema.ts'
import { type Spec, workingNodes } from '../../src/core/graph/spec/spec.ts'
import type { Reconciled, ToolRequest, Price } from '../../src/core/watch/event/call-event.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { protectionOf } from '../../src/kit/tool.ts'
import { graphNode } from '../../src/kit/nodes/built-in.ts'
import { mapNode, type MapNodeOptions } from '../../src/kit/nodes/map.ts'
import { verifyNode } from '../../src/kit/nodes/verify.ts'
import { failing, done } from '../../src/runtime/outcome.ts'
import type { ModelReply } from '../../src/runtime/model-message.ts'
import type { Sleep, Calling, Graph, Model, Node, Task, Tool } from '../../src/runtime/ports.ts'
import type { Notifier } from '../../src/runtime/notifier.ts'
import { called, thrown, valueOf } from './words.ts'

export interface Script {
  readonly tools?: Readonly<
    Record<
      string,
      {
        readonly does: readonly string[]
        readonly takes?: string
        readonly reconcile?: string
        readonly undo?: readonly string[]
      }
    >
  >
  readonly models?: Readonly<
    Record<string, { readonly does: readonly string[]; readonly price?: Price }>
  >
  readonly nodes?: Readonly<Record<string, readonly string[]>>
  /** Notifiers: the result of each attempt, and their recipients. */
  readonly notify?: Readonly<
    Record<string, { readonly does: readonly string[]; readonly to?: readonly string[] }>
  >
  /** The worlds of the graphs that nodes run. */
  readonly graphs?: Readonly<Record<string, Script>>
  readonly seed?: number
  readonly input?: Json
}

/** Scripted notifiers: they behave as the story says, like its tools. */
export function notifiersOf(script: Script, stage: SimulationSetup): readonly Notifier[] {
  return Object.entries(script.notify ?? {}).map(([name, { does, to }]) => ({
    name,
    ...(to ? { to } : {}),
    timeout: 10_000,
    attempts: 3,
    send: async ({ type, step }, { attempt, signal }) => {
      const nth = stage.ledger.get(name) ?? 0
      stage.ledger.set(name, nth + 1)
      const calling = {
        idempotencyKey: name,
        fencingToken: 1,
        attempt,
        signal,
        sleep: (ms: number) => stage.sleep(ms, signal),
        draw: () => 0,
        redact: <T>(value: T) => value,
        tried: () => {},
      }
      const said = await acted(does[Math.min(nth, does.length - 1)] ?? 'answers ok', calling, stage)
      return `${type} ${step}: ${String(said)}`
    },
  }))
}

export type SimulatedPorts = Pick<Graph, 'nodes' | 'tools' | 'models'>

export interface SimulationSetup {
  /** How often each tool and model was really performed. */
  readonly ledger: Map<string, number>
  /** Sleeps and ignores its signal. Read it before the first await: it belongs to the call that is starting. */
  readonly sleep: Sleep
  /** The process ends here, and commits nothing further. */
  readonly die: () => void
}

/** `scope` stands before the names of what a child performs. */
export function simulatedPorts(
  spec: Spec,
  script: Script,
  stage: SimulationSetup,
  scope: string,
): SimulatedPorts {
  const { ledger } = stage
  const nth = (tool: string, lines: readonly string[]): string => {
    const name = `${scope}${tool}`
    const count = ledger.get(name) ?? 0
    ledger.set(name, count + 1)
    return lines[Math.min(count, lines.length - 1)] ?? 'answers null'
  }
  const tools = Object.entries(spec.tools).map(([name, declared]): [string, Tool] => {
    const { does = ['answers null'], takes, reconcile, undo } = script.tools?.[name] ?? {}
    const { effects = 'read', idempotent = false, timeout = 30_000, reversible } = declared
    return [
      name,
      {
        name,
        description: '',
        parameters: {},
        effects,
        idempotent,
        ...(reversible ? { reversible } : {}),
        ...protectionOf(declared),
        timeout,
        parse: args => taken(name, takes, args),
        ...(declared.use === 'report_stuck'
          ? { stuck: args => String((args as { reason?: Json }).reason) }
          : {}),
        execute: (_, calling) => acted(nth(name, does), calling, stage),
        ...(undo
          ? {
              compensate: async (_args, _result, calling) =>
                void (await acted(nth(`undo of ${name}`, undo), calling, stage)),
            }
          : {}),
        ...(reconcile === undefined ? {} : { reconcile: async () => reconciled(reconcile) }),
      },
    ]
  })
  const models = Object.entries(spec.models).map(([name, declared]): [string, Model] => {
    const { does = ['says nothing'] } = script.models?.[name] ?? {}
    const { id, timeout = 120_000, price } = declared
    return [
      name,
      {
        id,
        ...protectionOf(declared),
        timeout,
        ...(price && { price: price as Price }),
        ask: async (_, calling) => (await acted(nth(name, does), calling, stage)) as ModelReply,
      },
    ]
  })
  return {
    tools: Object.fromEntries(tools),
    models: Object.fromEntries(models),
    nodes: nodesOf(spec, script, stage),
  }
}

/** The arguments, if they have what the tool wants. */
function taken(name: string, takes: string | undefined, args: Json): Json {
  if (takes === undefined || Object.hasOwn(args as object, takes)) return args
  throw Object.assign(new Error(`${name}: ${takes}: is missing`), { name: 'InvalidArguments' })
}

/** One line of a tool or a model. */
async function acted(line: string, calling: Calling, stage: SimulationSetup): Promise<unknown> {
  const [, deaf, wait] = /^(ignores the signal |after )(\S+) /.exec(line) ?? []
  if (wait !== undefined) {
    if (deaf === 'after ') await calling.sleep(durationOf.parse(wait))
    else await stage.sleep(durationOf.parse(wait))
  }
  const [, tries] = / having tried (\d+) times$/.exec(line) ?? []
  if (tries !== undefined) calling.tried(Number(tries))
  const [, verb, rest = ''] =
    /^(\w+)\s*(.*)$/.exec(
      line.replace(/^(ignores the signal |after )\S+ /, '').replace(/ having tried \d+ times$/, ''),
    ) ?? []
  if (verb === 'answers') return valueOf(rest)
  if (verb === 'fails') throw thrown(rest)
  if (verb === 'hangs') return calling.sleep(Number.POSITIVE_INFINITY)
  if (verb === 'dies') {
    stage.die()
    throw thrown('the process is gone')
  }
  if (verb === 'returns') return { when: () => rest }
  return {
    text: verb === 'says' ? rest : '',
    calls: verb === 'wants' ? rest.split(' & ').map(requested) : [],
    usage: { input: 100, output: 20, cached: 0 },
  } satisfies ModelReply
}

function requested(text: string, index: number): ToolRequest {
  const { name, args } = called(text)
  return { id: `wanted-${index}`, tool: name, args }
}

function reconciled(text: string): { answer: Reconciled; result?: Json } {
  const [, answer = 'unknown', result = ''] = /^(\S+)\s*(.*)$/.exec(text) ?? []
  return { answer: answer as Reconciled, ...(result === '' ? {} : { result: valueOf(result) }) }
}

function nodesOf(spec: Spec, script: Script, stage: SimulationSetup): Record<string, Node> {
  const entries = workingNodes(spec).flatMap(([name, node]): [string, Node][] => {
    const lines = script.nodes?.[name]
    if (lines) return [[name, task => scripted(task, lines, stage)]]
    if (node.use === 'human') return []
    if (node.use === 'tool')
      return [
        [
          name,
          task => toolNode(task, (node as { tool: string }).tool, (node as { args?: Json }).args),
        ],
      ]
    if (node.use === 'model')
      return [
        [
          name,
          task => modelNode(task, node as { model: string; command?: 'required' | 'optional' }),
        ],
      ]
    if (node.use === 'verify')
      return [[name, verifyNode(spec, node as Parameters<typeof verifyNode>[1])]]
    if (node.use === 'graph')
      return [[name, graphNode((node as { graph: string }).graph, node.in === undefined)]]
    if (node.use === 'map')
      return [
        [
          name,
          mapNode({ ...(node as Omit<MapNodeOptions, 'alone'>), alone: node.in === undefined }),
        ],
      ]
    if (node.use === 'tools')
      return [
        [
          name,
          async task =>
            (await task.batch((task.input.calls ?? []) as unknown as ToolRequest[])).map(
              ({ ok }) => ok,
            ),
        ],
      ]
    return [[name, async () => ({})]]
  })
  return Object.fromEntries(entries)
}

async function toolNode(task: Task, tool: string, args: Json = {}): Promise<unknown> {
  const answer = await task.call(tool, args)
  return answer.ok ? answer.value : failing(answer.failure)
}

/** Asks its model, and ends as `done.call` or `done.answer`; what it wants called stands in the output as `calls`. */
async function modelNode(
  task: Task,
  { model, command = 'optional' }: { model: string; command?: 'required' | 'optional' },
): Promise<unknown> {
  const answer = await task.ask(model, { system: '', messages: [], tools: [], command })
  if (!answer.ok) return failing(answer.failure)
  const { calls, text } = answer.value
  return done(calls.length > 0 ? 'call' : 'answer', { calls, text })
}

/** A separate parallel call: `after 1s pay {…}`. */
async function calledLater(task: Task, text: string, { sleep }: SimulationSetup): Promise<unknown> {
  const [, wait = '0', call = text] = /^after (\S+) (.*)$/.exec(text) ?? []
  await sleep(durationOf.parse(wait === '0' ? 0 : wait))
  return task.call(called(call).name, called(call).args)
}

/** A node that runs the lines of the story in order; a failed call does not stop it. */
async function scripted(
  task: Task,
  lines: readonly string[],
  stage: SimulationSetup,
): Promise<unknown> {
  let output: Json = {}
  for (const line of lines) {
    const [, verb = '', rest = ''] = /^(\w+)\s*(.*)$/.exec(line) ?? []
    if (verb === 'label') return done(rest, output)
    if (verb === 'fails') throw thrown(rest)
    if (verb === 'hangs') await new Promise(() => {})
    if (verb === 'dies') stage.die()
    if (verb === 'reports') await task.report(valueOf(rest))
    if (verb === 'returns') output = valueOf(rest)
    if (verb === 'call') {
      const { name, args } = called(rest)
      await task.call(name, args)
    }
    if (verb === 'together')
      await Promise.all(rest.split(' & ').map(text => calledLater(task, text, stage)))
    if (verb === 'run') {
      const { name, args } = called(rest)
      await task.run(name, args)
    }
    if (verb === 'batch')
      await task.batch(
        rest.split(' & ').map(text => ({ tool: called(text).name, args: called(text).args })),
      )
  }
  return output
}
