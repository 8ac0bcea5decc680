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

/** How often open calls are checked, in real ms, and the checks that a call may take. */
const CHECK_INTERVAL = 200
const CHECKS_MAX = 10

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
export function withSystem(graph: Graph, { tools = {} }: FakeSystem, open: OpenCalls): Graph {
  const known = new Set<string>()
  const copies = replaceParts(graph, {
    model: model => model,
    tool: (tool, name) => {
      known.add(name)
      const fake = Object.hasOwn(tools, name) ? tools[name] : undefined
      if (!fake) return tool
      const execute: Tool['execute'] = (args, call) => open.during(name, call, fake, args)
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

type Fake = NonNullable<FakeSystem['tools']>[string]

/** The open calls of a fake system. Reports a call that neither settles nor sleeps in virtual time. */
export class OpenCalls {
  /** Counts checks, not time: a machine under load is slow, and not hung. */
  readonly #awake = new Map<object, { readonly name: string; checks: number }>()
  readonly #fail: (error: SystemFailed) => void
  #timer: NodeJS.Timeout | undefined

  constructor(fail: (error: SystemFailed) => void) {
    this.#fail = fail
  }

  async during(name: string, call: Calling, fake: Fake, args: Json): Promise<unknown> {
    // One timer for all calls: a timer for each would cost as much as a step.
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL)
    const key = {}
    const wake = () => this.#awake.set(key, { name, checks: 0 })
    const sleep = async (ms: number) => {
      this.#awake.delete(key)
      await call.sleep(ms)
      wake()
    }
    wake()
    try {
      return await fake(args, Object.assign(Object.create(call) as Calling, { sleep }))
    } finally {
      this.#awake.delete(key)
    }
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    for (const call of this.#awake.values()) {
      call.checks++
      if (call.checks > CHECKS_MAX)
        this.#fail(
          new SystemFailed(
            `the tool '${call.name}' of the fake system did not settle within ${(CHECKS_MAX * CHECK_INTERVAL) / 1_000} s of real time; to wait in virtual time, use \`call.sleep\``,
          ),
        )
    }
  }
}
