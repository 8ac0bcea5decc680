/** The command that reads a store by SQL. */
import { NAMED_QUERIES } from '../../../runtime/store/query/named-queries.ts'
import { type QueryResult, queryIn } from '../../../runtime/store/query/query.ts'
import { QUERY_TABLES } from '../../../runtime/store/query/tables.ts'
import { type App, parseWholeNumber, printResult, UsageError } from '../app/app.ts'
import { type Blocks, bold, dim } from '../print/layout.ts'
import { type StoreOptions, withStore } from './thread.ts'

interface SqlOptions extends StoreOptions {
  readonly schema?: boolean
  readonly named?: string
  readonly rows: string
}

export async function sql(
  app: App,
  query: string | undefined,
  options: SqlOptions,
): Promise<number> {
  if (options.schema) {
    if (query !== undefined || options.named !== undefined)
      throw new UsageError('--schema lists tables and named queries; expected it without a query')
    return printResult(app, options, { tables: QUERY_TABLES, queries: NAMED_QUERIES }, schemaBlocks)
  }
  const text = textOf(query, options.named)
  const rows = parseWholeNumber('--rows', options.rows)
  const result = await withStore(options, store => queryIn(store, text, { rows }))
  if (result.truncated) app.note([`only the first ${rows} rows are shown; --rows N shows more`])
  return printResult(app, options, result, () => resultBlocks(result))
}

/** @throws UsageError */
function textOf(query: string | undefined, named: string | undefined): string {
  if ((query === undefined) === (named === undefined))
    throw new UsageError('expected either a query or --named NAME', {
      hint: 'escapement sql --schema lists the tables, the columns and the named queries',
    })
  if (query !== undefined) return query
  const found = NAMED_QUERIES.find(({ name }) => name.toLowerCase() === named?.toLowerCase())
  if (found) return found.sql
  const names = NAMED_QUERIES.map(({ name }) => name).join(', ')
  throw new UsageError(`--named '${named}': expected one of: ${names}`)
}

function resultBlocks({ columns, rows }: QueryResult): Blocks {
  if (rows.length === 0) return [dim('no rows')]
  const isNumber = (column: number) =>
    rows.every(row => typeof row[column] === 'number' || row[column] === null)
  const cells = rows.map(row => row.map(value => (value === null ? dim('null') : String(value))))
  const right = columns.flatMap((_, column) => (isNumber(column) ? [column] : []))
  return [{ rows: [columns.map(dim), ...cells], right }]
}

function schemaBlocks(): Blocks {
  const tables = Object.entries(QUERY_TABLES).flatMap(
    ([table, { about, columns }]): Blocks => [
      [bold(table), `  ${about}`],
      { rows: Object.entries(columns).map(([column, what]) => [`  ${column}`, dim(what)]) },
      '',
    ],
  )
  const queries = NAMED_QUERIES.map(({ name }) => [`  --named ${JSON.stringify(name)}`])
  return [...tables, bold('named queries'), { rows: queries }]
}
