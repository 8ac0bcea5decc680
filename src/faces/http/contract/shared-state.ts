/** The endpoints of what threads share: breakers, breakpoints, scopes, and the store as a whole. */
import { z } from 'zod'
import { QUERY_LIMITS, SQL_MAX } from '../../../runtime/store/query/query.ts'
import { Breakpoint, BreakpointChange } from './breakpoint.ts'
import { change, endpoint, name, view } from './endpoint.ts'

export const Breaker = z.looseObject({
  resource: z.string(),
  state: z.enum(['closed', 'open', 'half-open']),
})
const Scope = z.looseObject({ scope: z.string(), key: z.string(), threads: z.array(z.string()) })

/** The most rows that a query may ask for. */
const QUERY_ROWS_MAX = 10_000

export const SHARED_STATE = {
  breakers: endpoint({
    ...view,
    path: '/v1/breakers',
    summary: 'The circuit breakers of tools and models',
    response: z.object({ breakers: z.array(Breaker) }),
  }),
  breaker: endpoint({
    ...change,
    role: 'admin',
    path: '/v1/breakers/{resource}/commands',
    summary: 'Open or close a breaker. `half-open` makes the next call a probe',
    body: z.strictObject({
      do: z.enum(['open', 'half-open', 'close', 'auto']),
      ms: z
        .int()
        .min(0)
        .max(30 * 86_400_000)
        .optional(),
    }),
    response: Breaker,
  }),
  breakpoints: endpoint({
    ...view,
    path: '/v1/breakpoints',
    summary: 'The breakpoints of all graphs',
    response: z.object({ breakpoints: z.array(Breakpoint) }),
  }),
  changeBreakpoint: endpoint({
    ...change,
    role: 'operate',
    path: '/v1/breakpoints',
    summary:
      'Set or clear a breakpoint: threads pause before they enter `node`, or after an event for which `when` is true',
    body: BreakpointChange,
    response: z.object({ breakpoints: z.array(Breakpoint) }),
  }),
  scopes: endpoint({
    ...view,
    path: '/v1/scopes',
    summary: 'What the threads of each scope have spent together',
    response: z.object({ scopes: z.array(Scope) }),
  }),
  releaseScope: endpoint({
    ...change,
    role: 'admin',
    path: '/v1/scopes/release',
    summary: 'Reset a scope, which unblocks its next thread',
    body: z.strictObject({ scope: name, key: name }),
    status: 204,
  }),
  query: endpoint({
    ...change,
    role: 'admin',
    path: '/v1/query',
    summary: 'Read the store by one SELECT. `truncated`: the query has more than `rows` rows',
    body: z.strictObject({
      sql: z.string().max(SQL_MAX),
      rows: z.int().min(1).max(QUERY_ROWS_MAX).default(QUERY_LIMITS.rows),
    }),
    response: z.object({
      columns: z.array(z.string()),
      rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
      truncated: z.boolean(),
    }),
  }),
} as const
