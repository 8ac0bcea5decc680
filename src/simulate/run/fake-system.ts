/** A fake external system: tools with state, and what is true in it. */
import { z } from 'zod'
import { type Json, defined, notJsonAt } from '../../core/watch/data/json.ts'
import { toJson, type Redact } from '../../runtime/call/stored-json.ts'
import type { Calling, Graph, Tool } from '../../runtime/ports.ts'
import { thrownText } from '../../core/watch/failure/thrown-text.ts'
import { codedError, guardOf, kindOf } from '../../core/watch/data/fault.ts'
import { type FakeTool, fakeFault, isFakeTool, withFake } from '../../testing/fake-tool.ts'
import { type Replacements, replaceParts } from '../../testing/replace.ts'
import type { Writes } from '../inject/writes.ts'

/** One instance belongs to one run. */
export interface FakeSystem {
  /**
   * Replace the tools of the graph, by name, `reconcile` and `compensate` included. Without a `reconcile` here, that of a tool answers
   * what is true of its fake: whether a call returned.
   */
  readonly tools?: Readonly<Record<string, FakeFunction | FakeTool<FakeFunction>>>
  /** A number that grows when the task advances: a loop without progress is a true loop. */
  readonly progress?: () => number
  /** Whether the result is true. */
  readonly correct?: (output: Json) => boolean
  /** What conditions read as `system`. */
  readonly facts?: () => Json
}

/** What a call of a fake tool does. */
export type FakeFunction = (args: Json, call: Calling) => unknown

/** Creates the system of one run. */
export type CreateSystem = (options: { readonly seed: number }) => FakeSystem

/** The fake system failed as a program: it does not count as a failure of a tool. */
export class SystemFailed extends codedError('SystemFailed', 'system-failed') {}

/** Whether an error is a `SystemFailed`. */
export const isSystemFailed = guardOf(SystemFailed)

/** How often open calls are checked, in real ms, and the checks that a call may take. */
const CHECK_INTERVAL = 200
const CHECKS_MAX = 10

/**
 * The system of one run. Its functions throw `SystemFailed` instead of their own errors, and for values of other types: a promise, which is
 * always true, would count as a correct result. `redact` masks secrets in the messages.
 * @throws SystemFailed if it cannot be created, or does not have the shape of a system
 */
export function createSystem(
  create: CreateSystem | undefined,
  { seed, redact }: { readonly seed: number; readonly redact: Redact },
): FakeSystem {
  if (!create) return {}
  const ask = <T>(what: string, work: () => T): T => {
    try {
      return work()
    } catch (error) {
      const text = thrownText(error, redact)
      throw new SystemFailed(`the fake system failed in ${what}: ${text}`, { cause: error })
    }
  }
  const checked = <Args extends readonly unknown[], T>(
    name: string,
    work: ((...args: Args) => T) | undefined,
    check: (value: unknown) => T,
  ) => work && ((...args: Args) => ask(name, () => check(work(...args))))
  const system = ask('its creation', () => systemIn(create({ seed })))
  return defined({
    tools: system.tools,
    progress: checked('progress', system.progress?.bind(system), numberIn),
    correct: checked('correct', system.correct?.bind(system), booleanIn),
    facts: checked('facts', system.facts?.bind(system), jsonIn),
  })
}

const aFunction = z.custom(value => typeof value === 'function', 'expected a function')
const aTool = z.custom(value => faultOfTool(value) === undefined, {
  error: ({ input }) => faultOfTool(input),
})
const SHAPE = z.object({
  tools: z.record(z.string(), aTool).optional(),
  progress: aFunction.optional(),
  correct: aFunction.optional(),
  facts: aFunction.optional(),
})
const PARTS = Object.keys(SHAPE.shape)

function faultOfTool(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined
  if (!isFakeTool(value)) return 'expected a function, or an object with execute'
  if (typeof value.execute !== 'function') return 'execute: expected a function'
  return fakeFault(value)
}

function systemIn(value: unknown): FakeSystem {
  const isNamed = typeof value === 'object' && value !== null && PARTS.some(part => part in value)
  const isEmpty = JSON.stringify(value) === '{}' && notJsonAt(value) === undefined
  if (!isNamed && !isEmpty)
    throw new TypeError(`expected an object with ${PARTS.join(', ')}, not ${nameOf(value)}`)
  const [issue] = SHAPE.safeParse(value).error?.issues ?? []
  if (issue) throw new TypeError(`${issue.path.join('.')}: ${issue.message}`)
  return value as FakeSystem
}

function numberIn(value: unknown): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value
  throw new TypeError(`expected a number, not ${Number.isNaN(value) ? 'NaN' : nameOf(value)}`)
}

function booleanIn(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new TypeError(`expected true or false, not ${nameOf(value)}`)
}

function jsonIn(raw: unknown): Json {
  const { value, fault } = toJson(raw)
  if (value === undefined)
    throw new TypeError(
      `expected JSON${raw instanceof Promise ? `, not ${nameOf(raw)}` : `; ${fault}`}`,
    )
  return value
}

function nameOf(value: unknown): string {
  if (!(value instanceof Promise)) return kindOf(value)
  // Nothing awaits it: its rejection would end the process.
  value.catch(() => {})
  return 'a promise'
}

interface Surroundings extends Pick<Replacements, 'model'> {
  readonly open: OpenCalls
  readonly writes: Writes
}

/** Replaces the tools of a graph by those of a system, and its models by `model`. @throws SystemFailed if the graph lacks one */
export function withSystem(
  graph: Graph,
  { tools = {} }: FakeSystem,
  { open, model, writes }: Surroundings,
): Graph {
  const known = new Set<string>()
  const copies = replaceParts(graph, {
    model,
    tool: (tool, name) => {
      known.add(name)
      const fake = Object.hasOwn(tools, name) ? tools[name] : undefined
      return fake ? fakeOf(tool, name, { fake, open, writes }) : tool
    },
  })
  const unknown = Object.keys(tools).find(name => !known.has(name))
  if (unknown !== undefined)
    throw new SystemFailed(
      `the fake system has a tool '${unknown}', and the graph does not; expected one of: ${[...known].join(', ')}`,
    )
  return copies.get(graph) as Graph
}

interface Faked extends Omit<Surroundings, 'model'> {
  readonly fake: FakeFunction | FakeTool<FakeFunction>
}

function fakeOf(tool: Tool, name: string, { fake, open, writes }: Faked): Tool {
  const given = typeof fake === 'function' ? { execute: fake } : fake
  const { reconcile, compensate } = given
  const fromWrites = tool.reconcile && ((_: Json, call: Calling) => writes.reconcile(call))
  return withFake(tool, {
    execute: (args, call) => open.during(name, call, own => given.execute(args, own)),
    ...defined({
      reconcile: reconcile
        ? (args: Json, call: Calling) =>
            open.during(name, call, own => reconcile.call(given, args, own))
        : fromWrites,
      compensate:
        compensate &&
        ((args: Json, result: Json, call: Calling) =>
          open.during(name, call, own => compensate.call(given, args, result, own))),
    }),
  })
}

/** The open calls of a fake system. Reports a call that neither settles nor sleeps in virtual time. */
export class OpenCalls {
  /** Counts checks, not time: a machine under load is slow, and not hung. */
  readonly #awake = new Map<object, { readonly name: string; checks: number }>()
  readonly #fail: (error: SystemFailed) => void
  #timer: NodeJS.Timeout | undefined

  constructor(fail: (error: SystemFailed) => void) {
    this.#fail = fail
  }

  async during<T>(name: string, call: Calling, work: (call: Calling) => T): Promise<Awaited<T>> {
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
      return await work(Object.assign(Object.create(call) as Calling, { sleep }))
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
