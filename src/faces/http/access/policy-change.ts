/** Who may change the policy of a thread. Its approvals, limits, detectors and ways out protect people and money. */
import { pathOf, truncate } from '../../../core/watch/data/fault.ts'
import { isMap, type Json } from '../../../core/watch/data/json.ts'
import { Refused } from '../contract/problem.ts'
import { type Caller, hasRole } from './access.ts'

/** The most paths that are shown, and the characters of each. */
const SHOWN_MAX = 20
const PATH_MAX = 200

/**
 * The first paths that a change of a policy sets, without their values, and one more if there are others: the body of a request may have
 * very many.
 */
function firstPaths(change: Json, above: readonly string[] = []): readonly string[] {
  if (!isMap(change) || Object.keys(change).length === 0) return [truncate(pathOf(above), PATH_MAX)]
  const paths: string[] = []
  for (const [key, inner] of Object.entries(change)) {
    paths.push(...firstPaths(inner, [...above, key]))
    if (paths.length > SHOWN_MAX) break
  }
  return paths
}

/** The paths of a change as one line, for the audit log. */
export function changedPaths(change: Json | undefined): string | undefined {
  if (change === undefined) return undefined
  const paths = firstPaths(change)
  const isMore = paths.length > SHOWN_MAX
  return [...paths.slice(0, SHOWN_MAX), ...(isMore ? ['and more'] : [])].join(', ')
}

/** `field`: the field of the request with the change. @throws Refused */
export function checkPolicyChange(
  caller: Caller | undefined,
  field: 'policy' | 'change',
  change: Json | undefined,
): void {
  if (change === undefined) return
  if (!hasRole(caller, 'admin')) {
    const detail = `a change of the policy needs the role 'admin'; yours is '${caller?.role}'`
    throw refusal('role-too-low', detail, firstPaths(change, [field]))
  }
  const { limits } = isMap(change) ? change : {}
  const isScoped = limits !== undefined && (!isMap(limits) || limits.scopes !== undefined)
  if (isLimited(caller) && isScoped) {
    const detail = 'a key with threads or scope keys of its own changes no scopes'
    const changed = isMap(limits) ? { scopes: limits.scopes ?? null } : null
    throw refusal('shared-state', detail, firstPaths({ limits: changed }, [field]))
  }
}

/** Whether a key has only its own threads or scope keys. */
export const isLimited = (caller: Caller | undefined): boolean =>
  caller?.threads !== undefined || caller?.keys !== undefined

function refusal(code: string, detail: string, paths: readonly string[]): Refused {
  const errors = paths.slice(0, SHOWN_MAX).map(path => ({ path, message: 'must not be changed' }))
  return new Refused(403, code, detail, errors)
}
