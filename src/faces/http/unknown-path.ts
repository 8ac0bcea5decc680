/** The answer to a path that the service does not have. */
import { CONTRACT } from './contract/contract.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { Refused } from './contract/problem.ts'

/** Where the names in paths begin. */
const BEFORE_NAMES = Object.values<Endpoint>(CONTRACT).flatMap(({ path }) => {
  const at = path.indexOf('{')
  return at < 0 ? [] : path.slice(0, at)
})

/** A slash in a name makes another path of it. */
export function unknownPath(path: string): Refused {
  const isSplit = BEFORE_NAMES.some(
    before => path.startsWith(before) && path.slice(before.length).includes('/'),
  )
  const hint = isSplit ? ". A name with '/' is encoded in a path: 'acme/1' is acme%2F1" : ''
  return new Refused(404, 'unknown-path', `see /openapi.json${hint}`)
}
