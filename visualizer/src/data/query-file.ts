/** The result of a query as a file, for spreadsheets and programs. */
import type { QueryResult, QueryValue } from '../../../src/runtime/store/query/query.ts'

/** Comma-separated values, as RFC 4180 has them. */
export function csvOf({ columns, rows }: QueryResult): string {
  return [columns, ...rows].map(row => `${row.map(cellOf).join(',')}\r\n`).join('')
}

/** A text that a spreadsheet would read as a formula begins with an apostrophe. */
function cellOf(value: QueryValue): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? value.replace(/^[=+\-@\t\r]/, "'$&") : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One object for each row. */
export const jsonOf = ({ columns, rows }: QueryResult): string =>
  JSON.stringify(
    rows.map(row => Object.fromEntries(columns.map((column, at) => [column, row[at]]))),
    undefined,
    2,
  )
