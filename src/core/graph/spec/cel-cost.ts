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
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length / CHARACTERS
  if (typeof value !== 'object' || value === null) return 0
  if (isCompared) return deepSizeOf(value)
  return Array.isArray(value) ? value.length / ITEMS : 0
}

/** An expression can build lists and maps of which one part is in many places. Each place is compared, and each part is measured once. */
function deepSizeOf(value: object): number {
  const known = SIZES.get(value)
  if (known !== undefined) return known
  const inner = value instanceof Map ? [...value.values()] : Object.values(value)
  const size = inner.reduce((sum: number, item) => sum + 1 + sizeOf(item, true), 0)
  SIZES.set(value, size)
  return size
}

/** Functions that search a text. The engine compares each place with a long text again. */
const SEARCHES: ReadonlySet<unknown> = new Set(['contains', 'indexOf', 'lastIndexOf', 'split'])
/** From this length on, the time grows with both lengths. */
const LONG_NEEDLE = 250
/** Comparisons of a search in the time of one node. */
const COMPARISONS = 512
/** A time zone is looked up at each call, which takes about a millisecond. */
const TIME_ZONE = 10_000

function searchCost([text, needle]: readonly unknown[]): number {
  if (typeof text !== 'string' || typeof needle !== 'string') return 0
  if (needle.length < LONG_NEEDLE || needle.length > text.length) return 0
  return (text.length * needle.length) / COMPARISONS
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
    if (isCall(root)) meterCall(root)
    meterNode(root, isCompared)
    attach(root.args, COMPARING.has(root.op))
  }
  /** Charges a call of a method before it begins, when its operands are known. */
  function meterCall(call: Call): void {
    const { handle, args } = call
    const [name, , given] = args
    const hasZone = /^get[A-Z]/.test(name) && given.length > 0
    if (!hasZone && !SEARCHES.has(name)) return
    call.handle = (operands, ...of) => {
      charge(hasZone ? TIME_ZONE : searchCost(operands))
      return handle(operands, ...of)
    }
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

/** A call of a method after its check. `handle` receives the values of the receiver and of the arguments. */
type Call = Node & {
  readonly args: readonly [name: string, receiver: unknown, given: readonly unknown[]]
  handle: (operands: readonly unknown[], ...of: unknown[]) => unknown
}

const isCall = (node: Node): node is Call =>
  node.op === 'rcall' && typeof (node as Partial<Call>).handle === 'function'
