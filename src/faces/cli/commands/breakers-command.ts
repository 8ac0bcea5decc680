/** The circuit breakers of a store: how they stand, and opening or closing one by hand. */
import { spanIn } from '../../../core/watch/data/duration.ts'
import { type Breaker, CLOSED, tripBreaker } from '../../../core/watch/failure/breaker.ts'
import { type App, UsageError, EXIT } from '../app/app.ts'
import { breakersTable } from '../print/tables.ts'
import { type StoreOption, withStore } from './thread.ts'

export interface BreakersOptions extends StoreOption {
  readonly json?: boolean
  /** Only those that refuse calls. */
  readonly open?: boolean
  readonly reset?: string
  readonly trip?: string
  /** How long a tripped breaker stays open, as `10m`. */
  readonly for: string
}

type Known = ReadonlyMap<string, Breaker>

export async function breakers(app: App, options: BreakersOptions): Promise<number> {
  const { reset, trip } = options
  if (reset !== undefined && trip !== undefined)
    throw new UsageError('--reset closes a breaker and --trip opens one: give one of them')
  const ms = durationOf(options.for)
  return withStore(options, async store => {
    const known = await store.breakers()
    const resource =
      reset === undefined ? trip && resourceToTrip(trip, known) : findResource(reset, known)
    if (resource) {
      const [, after] = await store.changeBreaker(resource, before =>
        reset === undefined ? tripBreaker(before, Date.now(), ms) : CLOSED,
      )
      return printBreakers(app, new Map([[resource, after]]), options)
    }
    return printBreakers(
      app,
      new Map([...known].filter(([, { state }]) => !options.open || state !== 'closed')),
      options,
    )
  })
}

function durationOf(text: string): number {
  const ms = spanIn(text)
  if (ms === undefined)
    throw new UsageError(`--for '${text}': expected a duration such as 30s, 10m or 1h`)
  return ms
}

/** A resource by its whole name, or by the name of its tool or model where only one is so called. */
function findResource(name: string, known: Known): string {
  if (known.has(name)) return name
  const called = [...known.keys()].filter(resource => resource.endsWith(`:${name}`))
  const [only] = called
  if (only !== undefined && called.length === 1) return only
  if (called.length > 1)
    throw new UsageError(`'${name}' may be ${called.join(' or ')}: name one of them`)
  throw new UsageError(
    `no breaker of '${name}' is known; known are: ${[...known.keys()].join(', ') || '(none)'}`,
  )
}

/** What has never failed is not known yet: it may be named whole. */
function resourceToTrip(name: string, known: Known): string {
  if (/^[^/]+\/(tool|model):.+$/.test(name)) return name
  try {
    return findResource(name, known)
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message}; any other is named GRAPH/tool:NAME or GRAPH/model:NAME`,
    )
  }
}

function printBreakers(app: App, breakers: Known, { json }: BreakersOptions): number {
  if (json)
    app.out(
      `${JSON.stringify([...breakers].map(([resource, breaker]) => ({ resource, ...breaker })))}\n`,
    )
  else app.print(breakersTable([...breakers], Date.now()))
  return EXIT.goal
}
