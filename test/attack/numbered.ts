/** Searches that repeat a number of their call beside the same results, or beside none. */
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Shape } from './loops.ts'

const SAME = [
  { id: 1, title: 'Opening hours' },
  { id: 2, title: 'Returns' },
  { id: 3, title: 'Shipping' },
]

const ECHOED: readonly (readonly [name: string, shown: string, result: (n: number) => Json])[] = [
  ['ticket_id', 'its number and the same results', n => ({ ticket_id: n, results: SAME })],
  [
    'ticket_id',
    'its number, a total and the same articles',
    n => ({ ticket_id: n, articles: SAME, total: 3 }),
  ],
  [
    'ticket_id',
    'its parameters and the same hits',
    n => ({ params: { ticket_id: n }, hits: SAME }),
  ],
  ['attempt', 'its attempt and no results', n => ({ attempt: n, results: [] })],
  ['top_k', 'its option, no results and a time', n => ({ top_k: n, took: '3 ms', results: [] })],
  ['offset', 'a list whose ids are counted from 1', () => SAME],
  ['query_id', 'a hit with the id of the query', n => [{ query_id: n, title: 'Returns' }]],
  ['order_id', '{"found":false} and its number', n => ({ order_id: n, found: false })],
  ['order_id', 'its number and a total of 0', n => ({ order_id: n, total: 0 })],
  ['order_id', '"not_found" and its number', n => ({ order_id: n, status: 'not_found' })],
  ['order_id', 'nothing but its number', n => ({ order_id: n, ok: true })],
]

export const NUMBERED: readonly Shape[] = ECHOED.map(([name, shown, result]) => ({
  name: `searches for numbers, answered by ${shown}`,
  lap: n => ({ tool: 'find_articles', args: { [name]: 4_000 + n }, result: result(4_000 + n) }),
}))
