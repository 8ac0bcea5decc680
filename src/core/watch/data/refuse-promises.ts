/** Zod drops the promises of a schema when it must decide at once. A rejection of one would end the process. */
import { z } from 'zod'
import { dropPromise } from './synchronous.ts'

type Schema = z.core.$ZodType

/** The types that run code of the user, besides checks. */
const CODED = new Set(['transform', 'pipe'])

const known = new WeakSet<object>()

/** Has checks for which `atOnce` is true throw `$ZodAsyncError`, and listen to the promise. Changes the schema in place, once. */
export function refusePromises(schema: Schema, atOnce: (context: object) => boolean): void {
  const { def, traits } = schema._zod
  const own = traits.has('$ZodCheck') ? [schema as unknown as z.core.$ZodCheck] : []
  for (const check of [...(def.checks ?? []), ...own]) listenTo(check)
  if (!CODED.has(def.type)) return
  const { run } = schema._zod
  schema._zod.run = (payload, context) => {
    const after = run(payload, context)
    if (atOnce(context) && dropPromise(after)) throw new z.core.$ZodAsyncError()
    return after
  }
}

/** Zod itself throws for the promise of a check. */
function listenTo({ _zod: inside }: z.core.$ZodCheck): void {
  // Schemas share their checks.
  if (known.has(inside)) return
  known.add(inside)
  const { check } = inside
  inside.check = payload => {
    const checked = check(payload)
    dropPromise(checked)
    return checked
  }
}
