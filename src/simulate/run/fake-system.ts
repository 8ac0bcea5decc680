/** A fake external system: tools with state, and what is true in it. */
import type { Json } from '../../core/watch/data/json.ts'
import type { Calling, Graph, Tool } from '../../runtime/ports.ts'
import { factsOf } from '../../core/watch/failure/failure.ts'
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import { replaceParts } from '../../testing/replace.ts'

/** One instance belongs to one run. */
export interface FakeSystem {
  /** Replace the tools of the graph, by name. */
  readonly tools?: Readonly<Record<string, (args: Json, call: Calling) => unknown>>
  /** A number that grows when the task advances: a loop without progress is a true loop. */
  readonly progress?: () => number
  /** Whether the result is true. */
  readonly correct?: (output: Json) => boolean
  /** What conditions read as `system`. */
  readonly facts?: () => Json
}

/** Creates the system of one run. */
export type CreateSystem = (options: { readonly seed: number }) => FakeSystem

/** The fake system failed as a program: it does not count as a failure of a tool. */
export class SystemFailed extends codedError('SystemFailed', 'system-failed') {}

/** Whether an error is a `SystemFailed`. */
export const isSystemFailed = guardOf(SystemFailed)

/** Real ms that a tool of a fake system may take. It can wait longer in virtual time with `call.sleep`. */
const REAL_MAX = 1_500

/** Calls the system. @throws SystemFailed */
export function askSystem<T>(what: string, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    throw new SystemFailed(`the fake system failed in ${what}: ${factsOf(error).message}`, {
      cause: error,
    })
  }
}

/** Replaces the tools of a graph by those of a system. @throws SystemFailed if the graph lacks one */
export function withSystem(
  graph: Graph,
  { tools = {} }: FakeSystem,
  fail: (error: SystemFailed) => void,
): Graph {
  const known = new Set<string>()
  const copies = replaceParts(graph, {
    model: model => model,
    tool: (tool, name) => {
      known.add(name)
      const fake = Object.hasOwn(tools, name) ? tools[name] : undefined
      if (!fake) return tool
      const execute: Tool['execute'] = (args, call) =>
        settled(name, async () => fake(args, call), fail)
      return Object.assign(Object.create(tool) as Tool, { execute })
    },
  })
  const unknown = Object.keys(tools).find(name => !known.has(name))
  if (unknown !== undefined)
    throw new SystemFailed(
      `the fake system has a tool '${unknown}', and the graph does not; expected one of: ${[...known].join(', ')}`,
    )
  return copies.get(graph) as Graph
}

/** Reports a tool that neither settles nor sleeps in virtual time. Its timeout in virtual time ends the call. */
async function settled(
  name: string,
  work: () => Promise<unknown>,
  fail: (error: SystemFailed) => void,
): Promise<unknown> {
  const message = `the tool '${name}' of the fake system did not settle within ${REAL_MAX / 1_000} s of real time; to wait in virtual time, use \`call.sleep\``
  const timer = setTimeout(() => fail(new SystemFailed(message)), REAL_MAX)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
