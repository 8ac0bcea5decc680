/** The text of a result, as it is compared. */
import { canonical, type Json, valueAt, parseJson } from '../data/json.ts'
import { withoutBytes } from '../data/media.ts'
import { unwrapped } from './envelope.ts'
import { withoutNoise } from './program-warnings.ts'
import { withoutResponseMetadata } from './response-metadata.ts'
import { withoutShell } from './shell-envelope.ts'

/** The part of a result that counts: the value at the path `progress` of a result or its JSON text, otherwise the whole result. */
export function progressPart(
  result: Json,
  { whole, progress }: { readonly whole: boolean; readonly progress: string | undefined },
): { readonly text: string; readonly whole: boolean } {
  const value =
    progress === undefined
      ? undefined
      : valueAt(typeof result === 'string' ? parseJson(result) : result, progress)
  if (value === undefined)
    return {
      text: withoutResponseMetadata(
        withoutShell(withoutNoise(unwrapped(withoutBytes(textOf(result))))),
      ),
      whole,
    }
  return { text: textOf(value), whole: true }
}

/** A string as it is, `null` as an empty text, any other value as JSON. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return value
  return value === null ? '' : canonical(value)
}
