/** A warning beside what was done all the same: an image whose digest is unknown, a kernel without swap. */
import type { Json } from '../data/json.ts'
import { printed } from '../data/json.ts'

const WARNING = /^(?:warnings?|notices?|deprecations?)$/i
/** "Not saved" is a refusal. */
const NOT_MADE =
  /\bnot (?:saved|stored|written|applied|sent|created|updated|deleted|allowed|permitted|authorized)\b/i

export const isRemark = (name: string, value: Json): boolean =>
  WARNING.test(name) && !NOT_MADE.test(printed(value))
