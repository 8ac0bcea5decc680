/** A tool of a spec: a built-in or custom implementation with the settings of the spec. */
import { z } from 'zod'
import { type Fault, faultsOf } from '../../core/watch/data/schema-faults.ts'
import type { OrFaults } from '../../core/watch/data/fault.ts'
import { CODE, isCustomUse } from '../../core/graph/spec/name.ts'
import type { ToolSpec } from '../../core/graph/spec/resource.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Graph, Tool } from '../../runtime/ports.ts'
import { contractOf, withSettings } from '../tool.ts'
import type { JsonSchema } from '../schema.ts'
import { attemptCompletion, reportStuck, flaky, flakySettings } from '../tools/simple.ts'
import { listDir, readFile, grep } from '../tools/files.ts'
import type { Workspace } from '../workspace.ts'

/** A tool, or a function that creates one from its `with` in the spec. */
export type CustomTool = Tool | ((settings: Json) => Tool)

/** An implementation, or what is missing or wrong. */
export type Bound<T> = OrFaults<{ readonly value: T }>

export function faultAt(path: string, message: string): Bound<never> {
  return { faults: [{ path, message }] }
}

/** The built-in tool that ends the task. */
export const COMPLETES = 'attempt_completion'

type CreateTool = (settings: Json, workspace: Workspace) => Bound<Tool>

const BUILTINS: Readonly<Record<string, CreateTool>> = {
  list_dir: builtin(z.strictObject({}), (_, workspace) => listDir(workspace)),
  read_file: builtin(z.strictObject({}), (_, workspace) => readFile(workspace)),
  grep: builtin(z.strictObject({}), (_, workspace) => grep(workspace)),
  attempt_completion: builtin(
    z.strictObject({ schema: z.record(z.string(), z.json()).optional() }),
    ({ schema }) => attemptCompletion(schema),
  ),
  report_stuck: builtin(z.strictObject({}), () => reportStuck()),
  flaky: builtin(flakySettings, settings => flaky(settings)),
}

function builtin<S extends z.ZodType>(
  schema: S,
  create: (settings: z.output<S>, workspace: Workspace) => Tool,
): CreateTool {
  return (settings, workspace) => {
    const read = schema.safeParse(settings)
    if (!read.success) return { faults: faultsOf(read.error.issues, ['with']) }
    return { value: create(read.data, workspace) }
  }
}

export function bindTool(
  name: string,
  spec: ToolSpec,
  place: Workspace,
  custom?: CustomTool,
): Bound<Tool> {
  const { value: tool, faults } = implementationOf(spec, place, custom)
  if (faults) return { faults }
  const wrong = `'${spec.use}' is not a tool; expected what tool({ … }) returns, or a function that returns it`
  if (!isTool(tool)) return faultAt('use', wrong)
  const { description, effects, reversible, cache } = spec
  if ((cache ?? tool.cache) !== undefined && (effects ?? tool.effects) !== 'read')
    return faultAt('cache', `'${name}' writes: expected a tool that only reads`)
  // A spec that changes the effects of a tool also resets whether a repetition is harmless.
  const reset = effects === undefined || effects === tool.effects ? undefined : effects === 'read'
  const idempotent = spec.idempotent ?? reset
  const contract = spec.output && contractOf(spec.output as JsonSchema)
  const settings = { name, description, effects, reversible, cache, idempotent, ...contract }
  return { value: withSettings(tool, spec, settings) }
}

function implementationOf(spec: ToolSpec, place: Workspace, custom?: CustomTool): Bound<Tool> {
  const { use, with: settings = {} } = spec
  if (custom) return { value: typeof custom === 'function' ? custom(settings as Json) : custom }
  if (isCustomUse(use)) return withoutImplementation(use)
  const create = Object.hasOwn(BUILTINS, use) ? BUILTINS[use] : undefined
  if (create) return create(settings as Json, place)
  const expected = `${Object.keys(BUILTINS).join(', ')}, or ./file.ts#export`
  return faultAt('use', `unknown built-in tool '${use}'; expected one of: ${expected}`)
}

export function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false
  const { execute, parse, parameters, effects } = value as Partial<Tool>
  const isCallable = typeof execute === 'function' && typeof parse === 'function'
  const hasEffects = effects === 'read' || effects === 'write'
  return isCallable && typeof parameters === 'object' && hasEffects
}

/** Substitutes with other effects: a write must not replace a read, nor a read a write. */
export function wrongSubstitutes(tools: Graph['tools']): Fault[] {
  const does = { read: 'reads', write: 'writes' } as const
  return Object.entries(tools).flatMap(([name, { effects, substitutes = [] }]) =>
    substitutes.flatMap(other => {
      const its = tools[other]?.effects ?? effects
      if (its === effects) return []
      const message = `'${other}' ${does[its]}, and '${name}' ${does[effects]}: expected a tool with the same effects`
      return [{ path: `tools.${name}.substitutes`, message }]
    }),
  )
}

/** Times of code that are not a number of ms. A timeout of `NaN` or `'30s'` would never end a call. Specs have checked theirs. */
export function wrongTimes(kind: string, all: Readonly<Record<string, Timed>>): Fault[] {
  return Object.entries(all).flatMap(([name, { timeout, cache = 0 }]) =>
    Object.entries({ timeout, cache }).flatMap(([key, ms]) => {
      if (typeof ms === 'number' && ms >= 0) return []
      const message = `expected a number of ms, 0 or more, received ${String(ms)}`
      return [{ path: `${kind}.${name}.${key}`, message }]
    }),
  )
}

type Timed = Pick<Tool, 'timeout'> & Partial<Pick<Tool, 'cache'>>

/** The fault of a node or tool without an implementation. */
export function withoutImplementation(use: string): Bound<never> {
  const missing = 'has no implementation; pass it to bindGraph under this name'
  return faultAt('use', use === CODE ? missing : `'${use}' was not loaded`)
}
