/** Evaluates expressions in CEL with the evaluator of the library: each part and each error that is caught pass a meter. */
import type { Environment } from '@marcbachmann/cel-js'
import type { Meter } from './cost.ts'
import { firstKeyOf } from './values.ts'

/** A part of an expression. `steps` is what its evaluation costs; the library adds parts to macros, which cost nothing. */
export interface Part {
  readonly op: string
  args: unknown
  steps?: number
  handle?: (...of: unknown[]) => unknown
  readonly meta?: { readonly alternate?: Part; readonly macro?: unknown }
  evaluate(evaluator: Evaluator, part: Part, context: object): unknown
}

export interface Evaluator {
  readonly registry: Registry
  readonly dynType: Type
  debugType(value: unknown): Type
  debugTypeDeep(value: unknown, levels?: number): Type
  run(part: Part, context: object): unknown
  tryEval(part: Part, context: object): unknown
}

interface Type {
  readonly kind: string
  readonly keyType?: Type
  readonly valueType?: Type
}

interface Registry {
  getListType(of: Type): Type
  getMapType(key: Type, of: Type): Type
  deleteVariable(name: string): void
}

/** Levels of lists and maps in a type. What is deeper has any type. */
const TYPE_LEVELS = 3

export type Evaluate = (root: Part, values: Readonly<Record<string, unknown>>) => unknown

/** Replaces the evaluator of an environment. Call it before variables are registered. */
export function meteredEvaluator(environment: Environment, meter: Meter): Evaluate {
  const { evaluator, context } = partsOf(environment)
  const { registry, dynType } = evaluator
  limitTypes(registry, dynType)
  // Its functions are never available, and its types are not limited.
  registry.deleteVariable('optional')
  const metered: Evaluator = Object.assign(Object.create(evaluator) as Evaluator, {
    run(part: Part, of: object) {
      meter.chargePart(part.steps ?? 0)
      return part.evaluate(metered, part, of)
    },
    tryEval(part: Part, of: object) {
      try {
        return metered.run(part, of)
      } catch (error) {
        meter.chargeError()
        return error
      }
    },
    debugTypeDeep(value: unknown, levels = TYPE_LEVELS): Type {
      const type = metered.debugType(value)
      if (type.kind !== 'list' && type.kind !== 'map') return type
      if (levels === 0) return dynType
      const key = type.kind === 'list' ? 0 : firstKeyOf(value as object)
      const first = key === undefined ? undefined : (value as Record<string, unknown>)[key]
      if (first === undefined) return type
      const inner = metered.debugTypeDeep(first, levels - 1)
      if (type.kind === 'list') return registry.getListType(inner)
      return registry.getMapType(metered.debugType(key), inner)
    },
  })
  const Context = context.constructor as new (of: Registry, values: object) => object
  return (root, values) => metered.run(root, new Context(registry, values))
}

/** The library passes its evaluator to each part. */
function partsOf(environment: Environment) {
  const program = environment.parse('true')
  program.check()
  let parts: Readonly<{ evaluator: Evaluator; context: object }> | undefined
  Object.assign(program.ast, {
    evaluate(evaluator: Evaluator, _: Part, context: object) {
      parts = { evaluator, context }
    },
  })
  program({})
  if (!parts) throw new Error('the evaluator of the CEL library was not found')
  return parts
}

/**
 * The library keeps each type of a value for ever. Deep values with ever new shapes would fill the memory, and each new type takes a
 * time that grows with its levels.
 */
function limitTypes(registry: Registry, dyn: Type): void {
  const getListType = registry.getListType.bind(registry)
  const getMapType = registry.getMapType.bind(registry)
  const limited = (of: Type) => (levelsOf(of) < TYPE_LEVELS ? of : dyn)
  Object.assign(registry, {
    getListType: (of: Type) => getListType(limited(of)),
    getMapType: (key: Type, of: Type) =>
      getMapType(key.kind === 'primitive' ? key : dyn, limited(of)),
  })
}

const levelsOf = ({ kind, valueType }: Type): number =>
  (valueType ? levelsOf(valueType) : 0) + (kind === 'list' || kind === 'map' ? 1 : 0)
