/** A synchronous check by zod drops the promises of an asynchronous schema. A rejection of one would end the process. */
import { z } from 'zod'

/** The types that may run code of the user. */
const CODED = new Set(['transform', 'pipe'])

const known = new WeakSet<object>()

/** Has a synchronous check throw `$ZodAsyncError`, and listen to the promise. Changes the schema in place, once. */
export function refusePromises(schema: z.core.$ZodType): void {
  const { def, traits } = schema._zod
  const own = traits.has('$ZodCheck') ? [schema as unknown as z.core.$ZodCheck] : []
  for (const check of [...(def.checks ?? []), ...own]) listenTo(check)
  if (CODED.has(def.type)) refuseIn(schema)
}

function listenTo({ _zod: inside }: z.core.$ZodCheck): void {
  // Schemas share their checks.
  if (known.has(inside)) return
  known.add(inside)
  const { check } = inside
  inside.check = payload => {
    const checked = check(payload)
    if (checked instanceof Promise) checked.catch(() => {})
    return checked
  }
}

function refuseIn({ _zod: inside }: z.core.$ZodType): void {
  const { run } = inside
  inside.run = (payload, context) => {
    const after = run(payload, context)
    if (!(after instanceof Promise) || context.async !== false) return after
    after.catch(() => {})
    throw new z.core.$ZodAsyncError()
  }
}
