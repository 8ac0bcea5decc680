import { afterAll } from 'vitest'
import { newDatabase, npmPostgres } from '../fixture/postgres.ts'
import { hostSuite, NAMED } from '../suites/host.ts'
import { dbosHost } from './dbos-host.ts'

const { host, close } = await dbosHost(await newDatabase(await npmPostgres()))
afterAll(close)

hostSuite(host, NAMED)
