/** Has the parts of an expression pass a meter before they do what depends on the size of values. */
import type { Meter } from './cost.ts'
import type { Part } from './evaluator.ts'
import { type Cost, FUNCTIONS, iterationCost, keyCost, OPERATORS } from './operations.ts'

/** Steps of a call: its overload is found by the types of all operands. */
const CALL = 4
/** Steps of an entry of a map that is built: a key that no other map has makes the engine describe a new kind of object. */
const ENTRY = 4
/** Scopes of macros that the evaluation of a name passes in the time of one step. */
const SCOPES = 8
/** Integers have 64 bits. The library does not check literals, and calculates with those of any length. */
const INTEGER_MAX = 2n ** 63n

/** Meters an expression after its check. Returns its fault, if it has a part whose cost is unknown. */
export function meterParts(root: unknown, meter: Meter, scopes = 0): string | undefined {
  if (Array.isArray(root))
    return root.map(inner => meterParts(inner, meter, scopes)).find(fault => fault !== undefined)
  if (!isPart(root)) return undefined
  const { op, args, meta } = root
  const fault = faultOf(root)
  if (fault !== undefined) return fault
  // Without the text, an error does not quote the line of its place, which takes long in a long text.
  Object.defineProperty(root, 'input', { value: '' })
  root.steps = op === 'call' || op === 'rcall' ? CALL : 1 + (op === 'id' ? scopes / SCOPES : 0)
  if (meta?.alternate) meterHandle(meta.alternate, meter)
  meterHandle(root, meter)
  const isMacro = meta?.alternate !== undefined || meta?.macro !== undefined
  const found = meterParts(args, meter, scopes + (isMacro ? 1 : 0))
  if (op === 'map') root.args = (args as Entry[]).map(([key, of]) => [meteredKey(key, meter), of])
  return found
}

type Entry = readonly [key: Part, value: Part]

function faultOf({ op, args }: Part): string | undefined {
  if (typeof args === 'bigint' && args > INTEGER_MAX) return 'an integer has more than 64 bits'
  if (op !== 'call' && op !== 'rcall') return undefined
  const [name] = args as readonly [string]
  return FUNCTIONS.has(name) ? undefined : `the cost of ${name}() is unknown`
}

/** Charges an operation when its operands are known, before it begins. */
function meterHandle(part: Part, meter: Meter): void {
  const { op, handle } = part
  const cost = costOf(part)
  if (!handle || !cost) return
  part.handle =
    op === 'call' || op === 'rcall'
      ? (operands, ...of) => {
          meter.charge(cost(...(operands as readonly unknown[])))
          return handle(operands, ...of)
        }
      : (left, right, part, evaluator) => {
          meter.charge(cost(left, right))
          return handle(left, right, part, evaluator)
        }
}

function costOf({ op, args }: Part): Cost | undefined {
  if (op === 'call' || op === 'rcall') return FUNCTIONS.get((args as readonly [string])[0])
  if (op === '[]') return (_, key) => keyCost(key)
  return op === 'comprehension' ? iterationCost : OPERATORS.get(op)
}

/** A key of a map is converted after all of its entries are evaluated. */
const meteredKey = (key: Part, meter: Meter): Part => ({
  op: 'key',
  args: [key],
  evaluate(evaluator, _, context) {
    const value = evaluator.run(key, context)
    meter.charge(ENTRY + keyCost(value))
    return value
  },
})

const isPart = (value: unknown): value is Part =>
  typeof (value as Partial<Part> | null | undefined)?.evaluate === 'function'
