/** Who may change the policy of a thread. Its approvals, limits, detectors and ways out protect people and money. */
import { pathOf, truncate } from '../../../core/watch/data/fault.ts'
import { isMap, type Json } from '../../../core/watch/data/json.ts'
import { Refused } from '../contract/problem.ts'
import { type Caller, hasRole } from './access.ts'

/** The paths that a change of a policy sets, without their values. */
function pathsIn(change: Json, above: readonly string[] = []): readonly string[] {
  if (!isMap(change) || Object.keys(change).length === 0) return [pathOf(above)]
  return Object.entries(change).flatMap(([key, inner]) => pathsIn(inner, [...above, key]))
}

/** The most paths that are shown, and the characters of each. */
const SHOWN_MAX = 20
const PATH_MAX = 200

/** The paths of a change as one line, for the audit log. */
export function changedPaths(change: Json | undefined): string | undefined {
  if (change === undefined) return undefined
  const all = pathsIn(change)
  const shown = all.slice(0, SHOWN_MAX).map(path => truncate(path, PATH_MAX))
  const more = all.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

/** `field`: the field of the request with the change. @throws Refused */
export function checkPolicyChange(
  caller: Caller | undefined,
  field: 'policy' | 'change',
  change: Json | undefined,
): void {
  if (change === undefined) return
  const paths = pathsIn(change)
  if (!hasRole(caller, 'admin')) {
    const detail = `a change of the policy needs the role 'admin'; yours is '${caller?.role}'`
    throw refusal('role-too-low', detail, field, paths)
  }
  const scopes = paths.filter(path => path === 'limits' || /^limits\.scopes\b/.test(path))
  if (isLimited(caller) && scopes.length > 0) {
    const detail = 'a key with threads or scope keys of its own changes no scopes'
    throw refusal('shared-state', detail, field, scopes)
  }
}

/** Whether a key has only its own threads or scope keys. */
export const isLimited = (caller: Caller | undefined): boolean =>
  caller?.threads !== undefined || caller?.keys !== undefined

function refusal(code: string, detail: string, field: string, paths: readonly string[]): Refused {
  const errors = paths.slice(0, SHOWN_MAX).map(path => {
    return {
      path: truncate(pathOf(path === '' ? [field] : [field, path]), PATH_MAX),
      message: 'must not be changed',
    }
  })
  return new Refused(403, code, detail, errors)
}
