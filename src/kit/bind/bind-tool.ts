/** A tool of a spec: the implementation, with what the spec says laid over it. */
import { defined } from '../../core/watch/data/defined.ts'
import type { Fault } from '../../core/graph/spec/fault.ts'
import { CODE, isCustomUse } from '../../core/graph/spec/name.ts'
import type { ToolSpec } from '../../core/graph/spec/resource.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Graph, Tool } from '../../runtime/ports.ts'
import { builtinTool, type Made } from './builtins.ts'
import { protectionOf } from '../protection.ts'
import type { Workspace } from '../workspace.ts'

/** A tool, or a function that makes one from its `with` in the spec. */
export type CustomTool = Tool | ((settings: Json) => Tool)

interface ToolParts {
  readonly name: string
  readonly spec: ToolSpec
  readonly workspace: Workspace
  readonly own: CustomTool | undefined
}

export function toolOf({ name, spec, workspace, own }: ToolParts): Made<Tool> {
  const settings = (spec.with ?? {}) as Json
  const made: Made<Tool> = own
    ? { value: typeof own === 'function' ? own(settings) : own }
    : isCustomUse(spec.use)
      ? withoutImplementation(spec.use)
      : builtinTool(spec.use, { workspace, settings })
  if (!made.value) return made
  if (!isTool(made.value))
    return {
      faults: [
        {
          path: 'use',
          message: `'${spec.use}' is not a tool; expected what tool({ … }) returns, or a function that returns it`,
        },
      ],
    }
  const { description, effects, idempotent, reversible } = spec
  const said = {
    description,
    effects,
    reversible,
    idempotent:
      idempotent ??
      (effects === undefined || effects === made.value.effects ? undefined : effects === 'read'),
  }
  // The tool may be an object of a class: what the spec says is laid over it, its methods stay its own.
  return {
    value: Object.assign(
      Object.create(made.value) as Tool,
      defined(said) as Partial<Tool>,
      protectionOf(spec),
      { name },
    ),
  }
}

export function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false
  const { execute, parse, parameters, effects } = value as Partial<Tool>
  return (
    typeof execute === 'function' &&
    typeof parse === 'function' &&
    typeof parameters === 'object' &&
    (effects === 'read' || effects === 'write')
  )
}

/** Substitutes whose effects differ: a read must not be replaced by a write, nor a write by a read. */
export function wrongSubstitutes(tools: Graph['tools']): Fault[] {
  const does = { read: 'reads', write: 'writes' } as const
  return Object.entries(tools).flatMap(([name, { effects, substitutes = [] }]) =>
    substitutes.flatMap(other => {
      const its = tools[other]?.effects ?? effects
      return its === effects
        ? []
        : [
            {
              path: `tools.${name}.substitutes`,
              message: `'${other}' ${does[its]}, and '${name}' ${does[effects]}: expected a tool with the same effects`,
            },
          ]
    }),
  )
}

/** The fault of a node or tool that nothing was passed for. */
export function withoutImplementation(use: string): Made<never> {
  const message =
    use === CODE
      ? 'has no implementation; pass it to bindGraph under this name'
      : `'${use}' was not loaded`
  return { faults: [{ path: 'use', message }] }
}
