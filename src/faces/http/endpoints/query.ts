/** The endpoint that reads the store by SQL. */
import { Refused } from '../contract/problem.ts'
import type { Handlers } from './handler.ts'

/** Queries at once: each is a process or a connection. */
const QUERIES_MAX = 4

export function queries(): Handlers<'query'> {
  let running = 0
  return {
    async query({ runtime, body: { sql, rows }, audit }) {
      audit({ sql })
      if (running >= QUERIES_MAX)
        throw new Refused(429, 'too-many-queries', `${running} queries are running; try later`)
      running += 1
      try {
        return await runtime.query(sql, { rows })
      } finally {
        running -= 1
      }
    },
  }
}
