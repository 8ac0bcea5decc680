/** `escapement/dbos`: workers of two machines on one Postgres. A worker may be killed at any moment; the other takes over its threads. */
import { describe, it } from 'vitest'
import { npmPostgres } from '../fixture/postgres.ts'
import { cleanUp, KILLS, killOne, TIMEOUT } from './fleet.ts'
import { here } from './process.ts'

const url = await npmPostgres()
cleanUp()

describe('two workers on one database', () => {
  it.each(KILLS)(
    'complete all threads when one is killed: every step is in the journal once (kill %i)',
    { timeout: TIMEOUT },
    nth => killOne(url, here('fixture/dbos-fleet.ts'), nth),
  )
})
