/** The secrets that this process knows: all that it uses, those of its environment, and the latest that were there before. */
import { patternsOf, SECRET_MIN } from './known-values.ts'
import { PastSecrets } from './past-secrets.ts'
import { type Environment, secretsIn } from './secret-variables.ts'

/** Values that this process uses as secrets: a graph names their variables with `keyFrom` and `secretFrom`. */
const used = new Set<string>()
let present: ReadonlySet<string> = new Set()
const past = new PastSecrets()

/** `undefined` after a change. */
let known: ProcessSecrets | undefined

export interface ProcessSecrets {
  readonly values: ReadonlySet<string>
  readonly patterns: readonly RegExp[]
}

/** The same object until a secret is added. */
export function processSecrets(): ProcessSecrets {
  known ??= {
    values: new Set([...used, ...present, ...past.values]),
    patterns: [...patternsOf([...used, ...present]), ...past.patterns()],
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
  for (const value of now) past.delete(value)
  for (const value of present) if (!now.has(value)) past.add(value)
  present = now
  known = undefined
}
