/** The secrets that this process knows: all that it uses, those of its environment, and the latest that were there before. */
import { patternsOf, SECRET_MIN } from './known-values.ts'
import { type Environment, secretsIn } from './secret-variables.ts'

/** Each secret takes time in each text, and a token may be replaced every minute. */
const PAST_MAX = 100
/** Characters of them together. A pattern takes more than a kilobyte for each. */
const PAST_LENGTH_MAX = 8_192

/** Values that this process uses as secrets: a graph names their variables with `keyFrom` and `secretFrom`. */
const used = new Set<string>()
let present: ReadonlySet<string> = new Set()
/** Each with its own patterns: the next one does not compile them again. */
const past = new Map<string, readonly RegExp[]>()

/** `undefined` after a change. */
let known: ProcessSecrets | undefined

export interface ProcessSecrets {
  readonly values: ReadonlySet<string>
  readonly patterns: readonly RegExp[]
}

/** The same object until a secret is added. */
export function processSecrets(): ProcessSecrets {
  known ??= {
    values: new Set([...used, ...present, ...past.keys()]),
    patterns: [...patternsOf([...used, ...present]), ...[...past.values()].flat()],
  }
  return known
}

/** Redacts a value in everything that this process journals from now on. Returns the value. */
export function useSecret<S extends string | undefined>(secret: S): S {
  if (secret !== undefined && !used.has(secret)) {
    used.add(secret)
    known = undefined
  }
  return secret
}

/** Redacts the secrets of an environment from now on, also once they are deleted or replaced there. */
export function seeEnvironment(environment: Environment): void {
  const now = new Set(secretsIn(environment).filter(value => value.length >= SECRET_MIN))
  if (now.size === present.size && [...now].every(value => present.has(value))) return
  for (const value of present) if (!now.has(value)) past.set(value, patternsOf([value]))
  for (const value of now) past.delete(value)
  present = now
  known = undefined
  forgetOldest()
}

/** The last one is kept, whatever its length. */
function forgetOldest(): void {
  let length = [...past.keys()].reduce((sum, value) => sum + value.length, 0)
  for (const value of past.keys()) {
    if (past.size <= 1 || (past.size <= PAST_MAX && length <= PAST_LENGTH_MAX)) return
    past.delete(value)
    length -= value.length
  }
}
