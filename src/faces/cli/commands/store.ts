/** What the threads of a store share: circuit breakers and scopes. */
import { releaseScope, standingsOf } from '../../../core/watch/budget/scope.ts'
import { SPAN_EXPECTED, SPAN_MAX, spanIn, spanText } from '../../../core/watch/data/duration.ts'
import { type Breaker, CLOSED, tripBreaker } from '../../../core/watch/failure/breaker.ts'
import { type App, parseScope, printResult, UsageError } from '../app/app.ts'
import { breakersTable, scopesTable } from '../print/tables.ts'
import { type StoreOptions, withStore } from './thread.ts'

type BreakersOptions = StoreOptions & {
  readonly [K in 'reset' | 'trip']?: string
} & { open?: boolean; for: string }

type Breakers = ReadonlyMap<string, Breaker>

/** Lists the breakers, or opens or closes one. */
export async function breakers(app: App, options: BreakersOptions): Promise<number> {
  const { reset, trip } = options
  if (reset !== undefined && trip !== undefined)
    throw new UsageError('--reset closes a breaker and --trip opens one: give one of them')
  const ms = spanIn(options.for)
  if (ms === undefined || ms > SPAN_MAX)
    throw new UsageError(
      `--for '${options.for}': expected ${SPAN_EXPECTED}, at most ${spanText(SPAN_MAX)}`,
    )
  return withStore(options, async store => {
    const known = await store.breakers()
    const resource =
      reset === undefined ? trip && resourceToTrip(trip, known) : findResource(reset, known, '')
    if (!resource)
      return print([...known].filter(([, { state }]) => !options.open || state !== 'closed'))
    const [, after] = await store.changeBreaker(resource, before =>
      reset === undefined ? tripBreaker(before, Date.now(), ms) : CLOSED,
    )
    return print([[resource, after]])
  })

  function print(shown: readonly (readonly [string, Breaker])[]): number {
    const value = shown.map(([resource, breaker]) => ({ resource, ...breaker }))
    return printResult(app, options, value, () => breakersTable(shown, Date.now()))
  }
}

/** A resource by its full name, or by the name of its tool or model if that is unique. */
function findResource(name: string, known: Breakers, hint: string): string {
  if (known.has(name)) return name
  const matches = [...known.keys()].filter(resource => resource.endsWith(`:${name}`))
  if (matches.length > 1)
    throw new UsageError(`'${name}' is ambiguous; name one of: ${matches.join(', ')}${hint}`)
  if (matches[0] !== undefined) return matches[0]
  const names = [...known.keys()].join(', ') || '(none)'
  throw new UsageError(`unknown breaker '${name}'; known breakers: ${names}${hint}`)
}

/** A resource that has never failed has no breaker yet; it needs its full name. */
function resourceToTrip(name: string, known: Breakers): string {
  if (/^[^/]+\/(tool|model):.+$/.test(name)) return name
  return findResource(name, known, '; for another one, use GRAPH/tool:NAME or GRAPH/model:NAME')
}

/** Lists what the threads of each scope have spent and met together, or resets a scope. */
export async function scopes(app: App, options: StoreOptions & { release?: string }) {
  const { release } = options
  const released = release === undefined ? undefined : parseScope('--release', release)
  return withStore(options, async store => {
    const standings = async () => standingsOf(await store.shares(), Date.now())
    if (released) {
      const known = (await standings()).map(({ scope, key }) => `${scope}=${key}`)
      const name = `${released.scope}=${released.key}`
      const names = known.join(', ') || '(none)'
      if (!known.includes(name))
        throw new UsageError(`unknown scope '${name}'; known scopes: ${names}`)
      await store.changeShares(released, releaseScope)
    }
    const after = await standings()
    return printResult(app, options, after, () => scopesTable(after))
  })
}
