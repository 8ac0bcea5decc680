/** The scope keys of an API key: every thread that it starts takes them. A scope is shared, so a request names no other key. */
import { mapFields } from '../../../core/watch/data/json.ts'
import type { Graph } from '../../../runtime/ports.ts'
import { Refused } from '../contract/problem.ts'
import type { ScopeKey } from '../../../runtime/store/store.ts'
import type { ThreadHandle } from '../../../host/thread/thread.ts'
import type { Caller } from './access.ts'
import { type ApiKey, InvalidKey } from './api-key.ts'

type Keys = Readonly<Record<string, string>>

const scopesOf = ({ machine }: Graph) => machine.policy.limits.scopes ?? {}

/** The scope keys of a thread that a caller starts. @throws Refused */
export function scopeKeys(
  caller: Caller | undefined,
  graph: Graph,
  given: Keys = {},
): Keys | undefined {
  const { keys = {}, threads } = caller ?? {}
  for (const [scope, key] of Object.entries(given)) {
    const own = Object.hasOwn(keys, scope) ? keys[scope] : undefined
    const isFree = own === undefined && threads === undefined
    if (isFree || own === key) continue
    const expected = own === undefined ? 'no key of this scope' : `the key '${own}'`
    const detail = `the threads that this API key starts take ${expected}`
    const message = `expected ${expected}`
    throw new Refused(403, 'foreign-key', detail, [{ path: `keys.${scope}`, message }])
  }
  const scopes = scopesOf(graph)
  const own = mapFields(keys, (key, scope) => (Object.hasOwn(scopes, scope) ? key : undefined))
  const all = { ...own, ...given }
  return Object.keys(all).length > 0 ? all : undefined
}

/** A fork takes the scope keys of its parent. @throws Refused */
export async function checkParentKeys(
  { keys = {} }: Pick<Caller, 'keys'>,
  parent: Pick<ThreadHandle, 'rows'>,
): Promise<void> {
  if (Object.keys(keys).length === 0) return
  const [first] = await parent.rows({ limit: 1 })
  const { scopes = {} } = first?.event.type === 'thread.started' ? first.event.policy.limits : {}
  for (const [scope, own] of Object.entries(keys))
    if (Object.hasOwn(scopes, scope) && scopes[scope]?.key !== own)
      throw foreignKey(`the parent has another key of the scope '${scope}'`)
}

/** @throws Refused */
export function checkScope({ keys }: Pick<Caller, 'keys'>, { scope, key }: ScopeKey): void {
  if (keys === undefined || (Object.hasOwn(keys, scope) && keys[scope] === key)) return
  throw foreignKey('this API key releases only its own scopes')
}

const foreignKey = (detail: string): Refused => new Refused(403, 'foreign-key', detail)

/** A scope that no graph has is a typing error: its threads would share a budget. @throws InvalidKey */
export function checkScopes(keys: readonly ApiKey[], graphs: readonly Graph[]): void {
  const known = new Set(graphs.flatMap(graph => Object.keys(scopesOf(graph))))
  for (const { name, keys: own = {} } of graphs.length > 0 ? keys : [])
    for (const scope of Object.keys(own))
      if (!known.has(scope))
        throw new InvalidKey(
          `keys: no graph has the scope '${scope}' of '${name}'; known scopes: ${[...known].join(', ') || '(none)'}`,
        )
}
