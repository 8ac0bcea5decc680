/** The cost of an expression in CEL: the nodes that are evaluated, and the sizes of the values that they return. */
import type { Json } from '../../watch/data/json.ts'

/** A condition blocks its process. So much takes about half a second. */
export const COST_MAX = 5_000_000
/** Characters that an operator reads in the time of one node. */
const CHARACTERS = 16
/** Items of a list that `+` copies in that time. */
const ITEMS = 2

/** The deep sizes of lists and maps, which `==` and `in` compare. */
const SIZES = new WeakMap<object, number>()

/** Converts whole numbers to integers, which `visits + 1 > 3` requires: CEL reads JavaScript numbers as doubles. */
export function toCel(value: Json): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (value === null || typeof value !== 'object') return value
  const items = Object.entries(value).map(([key, inner]) => [key, toCel(inner)] as const)
  const after = Array.isArray(value) ? items.map(([, inner]) => inner) : Object.fromEntries(items)
  SIZES.set(
    after,
    items.reduce((sum, [, inner]) => sum + 1 + sizeOf(inner, true), 0),
  )
  return after
}

/** `isCompared`: an operator reads all that is in it. */
function sizeOf(value: unknown, isCompared: boolean): number {
  if (typeof value === 'string') return value.length / CHARACTERS
  if (typeof value !== 'object' || value === null) return 0
  const length = Array.isArray(value) ? value.length / ITEMS : 0
  return isCompared ? (SIZES.get(value) ?? length) : length
}

export interface Meter {
  /** Starts an evaluation. */
  start(): void
  /** @throws Error if the evaluation costs too much */
  charge(cost: number): void
  /** Charges for what an evaluation does once for a key. @throws Error if the evaluation costs too much */
  chargeOnce(key: string, cost: () => number): void
  /** Has each node of an expression charge its evaluation and its value. */
  attach(root: unknown): void
}

export function costMeter(max: number): Meter {
  // One error without a stack: `exists` catches the error of each item and goes on.
  const error = Object.assign(new Error(`costs more than ${max} steps`), { stack: '' })
  let left = max
  const charge = (cost: number) => {
    left -= cost
    if (left < 0) throw error
  }
  const attach = (root: unknown, isCompared = false): void => {
    if (Array.isArray(root)) for (const inner of root) attach(inner, isCompared)
    if (!isNode(root)) return
    meterNode(root, isCompared)
    attach(root.args, COMPARING.has(root.op))
  }
  function meterNode(node: Node, isCompared: boolean): void {
    let evaluate = node.evaluate
    let isReplaced = false
    const metered: Evaluate = (...of) => {
      charge(1)
      const value = evaluate.apply(node, of)
      charge(sizeOf(value, isCompared))
      return value
    }
    // At its first evaluation, a node replaces its method and calls the new one. Charged again, it would cost more than later.
    Object.defineProperty(node, 'evaluate', {
      get: () => {
        if (!isReplaced) return metered
        isReplaced = false
        return evaluate
      },
      set: (next: Evaluate) => {
        evaluate = next
        isReplaced = true
      },
    })
  }
  const charged = new Set<string>()
  const chargeOnce = (key: string, cost: () => number) => {
    if (charged.size < charged.add(key).size) charge(cost())
  }
  const start = () => {
    left = max
    charged.clear()
  }
  return { start, charge, chargeOnce, attach }
}

const COMPARING: ReadonlySet<string> = new Set(['==', '!=', 'in'])

type Evaluate = (...of: unknown[]) => unknown
type Node = { readonly op: string; readonly args: unknown; evaluate: Evaluate }

const isNode = (value: unknown): value is Node =>
  typeof (value as Partial<Node> | null | undefined)?.evaluate === 'function'
