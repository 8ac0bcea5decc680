/** Pages of threads. Each combination of fields is a statement of its own, for which Postgres chooses an index. */
import type { Store, ThreadQuery } from '../../../runtime/store/store.ts'
import type { Connection, Statement } from './connection.ts'
import { LINE, summaryOf, type ThreadLine } from './line.ts'

/** The last character of Unicode: all names that begin with a prefix sort before the prefix with it. */
const LAST = '\u{10FFFF}'

const KIND = "tally #>> '{finding,signature,kind}'"

/** The condition of each field. The name of a status is not a parameter, because an index has only the waiting threads. */
const CONDITIONS: Readonly<Record<string, (at: string) => string>> = {
  graph: at => `graph = ${at}`,
  outcome: at => `outcome = ${at}`,
  prefix: at => `name >= ${at} AND name < ${at} || '${LAST}'`,
  after: at => `name > ${at}`,
  finding: at => `CASE WHEN ${at} = 'any' THEN ${KIND} IS NOT NULL ELSE ${KIND} = ${at} END`,
  minUsd: at => `(tally #>> '{spent,usd}')::float8 >= ${at}::float8`,
}

/** Known statuses, which stand in a statement as they are. */
const STATUS = /^[a-z]+$/

export function pages({ statement, execute }: Connection): Store['page'] {
  const statements = new Map<string, Statement>()
  return async ({ status, limit, order, ...query }) => {
    if (status !== undefined && !STATUS.test(status)) return []
    const fields = Object.entries(query).filter(([, value]) => value !== undefined)
    const names = fields.map(([name]) => name)
    const key = [order, status, ...names].join()
    const terms = { names: names as (keyof ThreadQuery)[], status, order }
    const known = statements.get(key) ?? statement(textOf(terms))
    statements.set(key, known)
    const values = [...fields.map(([, value]) => value), limit]
    return (await execute<ThreadLine>(known, values)).map(summaryOf)
  }
}

interface Terms {
  readonly names: readonly string[]
  readonly status: string | undefined
  readonly order: ThreadQuery['order']
}

function textOf({ names, status, order }: Terms): string {
  const conditions = names.flatMap((name, nth) => CONDITIONS[name]?.(`$${nth + 1}::text`) ?? [])
  const all = status === undefined ? conditions : [...conditions, `status = '${status}'`]
  const where = all.map(condition => ` AND ${condition}`).join('')
  return `${LINE}${where} ${order === 'latest' ? 'ORDER BY at DESC, name' : 'ORDER BY name'} LIMIT $${names.length + 1}`
}
