/** What each option of a watchdog may be. Without type checks, a wrong value would act as none. */
import { z } from 'zod'
import { checkOptionNames, faultLine, kindOf } from '../data/fault.ts'
import { isMap } from '../data/json.ts'
import { faultsOf, messageFor } from '../data/schema-faults.ts'
import { unfit } from '../policy/key.ts'

/** The kinds of all options of a type: a new option is a type error. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, z.ZodType>>

/** A value that has no simpler kind. */
export const kind = (expected: string, fits: (value: unknown) => boolean): z.ZodType =>
  z.custom(fits, { error: unfit(expected) })

export const aText = z.string({ error: unfit('a text') })
export const aFlag = z.boolean({ error: unfit('true or false') })
export const aFunction = kind('a function', value => typeof value === 'function')
export const toolNames = z.array(z.string({ error: unfit('the name of a tool') }), {
  error: unfit("a list of tools such as ['pay']"),
})
export const substitutes = z.record(
  z.string(),
  z.string({ error: unfit('the name of its substitute') }),
  { error: unfit("a map of tools such as { search: 'archive' }") },
)
export const breakers = kind(
  'the result of breakerCell()',
  value => isMap(value) && isMap(value.table),
)
export const capabilities = z.strictObject(
  { rethink: aFlag.optional(), ask: aFlag.optional() },
  { error: messageFor },
)
const parts = kind('a list', Array.isArray).optional()
export const customParts = z.strictObject(
  {
    detectors: parts,
    rungs: parts,
    classifier: kind('the result of defineClassifier', isMap).optional(),
  },
  { error: messageFor },
)

/** A state of another version of this package restarts the watch, and so does `null` of an empty column of a database. */
export const storedState = z.custom(
  value => value === null || (isMap(value) && typeof value.shape === 'number'),
  {
    error: ({ input }) => `is ${stateFound(input)}; expected the \`state\` of an earlier watchdog`,
  },
)

const stateFound = (state: unknown): string =>
  isMap(state) ? 'a map without a shape' : kindOf(state)

/** @throws TypeError that names each wrong option */
export function checkKinds(given: unknown, kinds: Readonly<Record<string, z.ZodType>>): void {
  if (!isMap(given)) {
    const message = unfit('a map such as { policy: { limits: { toolCalls: 25 } } }')({
      input: given,
    })
    throw new TypeError(`options: ${message}`)
  }
  checkOptionNames(given, Object.keys(kinds))
  const shape = Object.fromEntries(Object.entries(kinds).map(([name, of]) => [name, of.optional()]))
  checkKind(given, z.looseObject(shape))
}

const requested = z
  .array(z.looseObject({ tool: aText }), { error: unfit('a list of calls') })
  .optional()
const turn = z.looseObject({ text: aText, calls: requested, waiting: requested })

/** @throws TypeError that names each wrong part of a turn */
export const checkTurn = (given: unknown): void => checkKind(given, turn, 'turn')

function checkKind(value: unknown, kind: z.ZodType, path = ''): void {
  const { error } = kind.safeParse(value, { error: messageFor })
  if (!error) return
  const faults = faultsOf(error.issues, path ? [path] : [])
  throw new TypeError(faults.map(faultLine).join('\n'))
}
