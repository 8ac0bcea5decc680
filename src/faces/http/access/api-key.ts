/** API keys: who calls, with which role, and which threads and scopes are theirs. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { codedError, firstFaults, guardOf } from '../../../core/watch/data/fault.ts'
import { faultsOf, messageFor } from '../../../core/watch/data/schema-faults.ts'
import { isScopeKey, SCOPE_KEY_EXPECTED } from '../../../core/watch/policy/policy-keys.ts'
import { type Role, ROLES } from '../contract/endpoint.ts'

/** An API key. The service stores only its hash. */
export interface ApiKey {
  /** Names the caller in the audit log, and as `by` in answers. `session` and `anonymous` are reserved. */
  readonly name: string
  readonly role: Role
  /** `hashKey(key)`. */
  readonly hash: string
  /** The prefix of the names of its threads, such as `acme/`. The key sees and commands only these. Default: all threads. */
  readonly threads?: string
  /** The keys of scopes, such as `{ customer: 'acme' }`, of every thread that it starts. A request names no others. */
  readonly keys?: Readonly<Record<string, string>>
}

/** The names of the callers without a key. */
export const SESSION = 'session'
export const ANONYMOUS = 'anonymous'

/** The options of an API key cannot be used. */
export class InvalidKey extends codedError('InvalidKey', 'invalid-key') {}

/** Whether an error is an `InvalidKey`. */
export const isInvalidKey = guardOf(InvalidKey)

/** The SHA-256 of an API key, as `ApiKey` stores it. Use keys of at least 128 random bits. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

const isFree = (name: string): boolean => name !== SESSION && name !== ANONYMOUS

/** No message shows a value: a key may stand in the place of its hash. */
const API_KEY = z.strictObject({
  name: z.string().min(1).refine(isFree, 'is reserved; expected another name'),
  role: z.enum(ROLES),
  hash: z.string().regex(/^[\da-f]{64}$/, 'expected the text that hashKey(key) returns'),
  threads: z
    .string()
    .endsWith('/', "expected a prefix that ends with '/', such as 'acme/'")
    .optional(),
  keys: z
    .record(z.string(), z.unknown().refine(isScopeKey, `expected ${SCOPE_KEY_EXPECTED}`))
    .optional(),
})

const CALLERS = z.object({ keys: z.array(API_KEY).optional(), anonymous: z.enum(ROLES).optional() })

/** An unknown field is refused: a tenant whose prefix is mistyped would have all threads. @throws InvalidKey with the path of each fault */
export function checkCallers(callers: object): void {
  const { error } = CALLERS.safeParse(callers, { error: messageFor })
  if (error) throw new InvalidKey(firstFaults(faultsOf(error.issues)).join('; '))
}
