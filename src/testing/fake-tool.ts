/** Fakes of tools. No function of a tool that reaches an external system runs where a fake takes its place. */
import { unknownKey } from '../core/watch/data/fault.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { Calling, Reconciliation, Tool } from '../runtime/ports.ts'

/** The functions that take the place of those of a tool. */
export interface FakeTool<Execute> {
  readonly execute: Execute
  /** Says whether an earlier call with this key took effect. */
  // biome-ignore lint/suspicious/noExplicitAny: a graph does not have the types of its tools, and each names its arguments.
  reconcile?(args: any, call: Calling): Reconciliation | Promise<Reconciliation>
  /** Default: a tool that can undo a call does so without an effect. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  compensate?(args: any, result: Json, call: Calling): void | Promise<void>
}

const FIELDS: Readonly<Record<keyof FakeTool<unknown>, true>> = {
  ...{ execute: true, reconcile: true, compensate: true },
}

/** Whether a fake has the form of an object, and not of its `execute` alone. */
export const isFakeTool = <E>(fake: E | FakeTool<E>): fake is FakeTool<E> =>
  typeof fake === 'object' && fake !== null && Object.keys(FIELDS).some(key => key in fake)

/** What is wrong with a fake. */
export function fakeFault(fake: Readonly<Record<string, unknown>> | object): string | undefined {
  const known = Object.keys(FIELDS)
  const unknown = Object.keys(fake).find(key => !known.includes(key))
  if (unknown !== undefined) return `${unknown} ${unknownKey(unknown, known)}`
  const { execute, reconcile, compensate } = fake as Partial<Record<keyof typeof FIELDS, unknown>>
  if (execute === undefined) return 'execute is missing'
  const isCallable = (value: unknown) => value === undefined || typeof value === 'function'
  if (!isCallable(reconcile)) return 'reconcile: expected a function'
  return isCallable(compensate) ? undefined : 'compensate: expected a function'
}

/** The tool with the functions of the fake. Without a `reconcile` of the fake, nothing says whether a call took effect. */
export function withFake(tool: Tool, fake: FakeTool<Tool['execute']>): Tool {
  const { execute } = fake
  const reconcile: Tool['reconcile'] =
    fake.reconcile && (async (args, call) => fake.reconcile?.(args, call) as Reconciliation)
  const canUndo = fake.compensate ?? tool.compensate
  const compensate: Tool['compensate'] =
    canUndo && (async (args, result, call) => fake.compensate?.(args, result, call))
  return Object.assign(Object.create(tool) as Tool, { execute, reconcile, compensate })
}
