/** Searches that add words to one that found nothing. */
import type { Shape } from './loops.ts'

const ADDED = ['invoice', 'Weber', 'March', 'Hamburg', 'paid', 'signed', 'copy', 'draft', 'total']

/** What a search answers that found nothing. */
export const NOTHING_FOUND: readonly (readonly [shown: string, result: unknown])[] = [
  ['{"hits":[]}', { hits: [] }],
  ['[]', []],
  ['{"results":[],"total":0}', { results: [], total: 0 }],
  ['{"organic":[]}', { organic: [] }],
  ['"No results found."', 'No results found.'],
  ['"0 results"', '0 results'],
  ['null', null],
]

const searched = (query: string, result: unknown) => ({ tool: 'search', args: { query }, result })

export const NARROWED: readonly Shape[] = [
  ...NOTHING_FOUND.map(([shown, result]) => ({
    name: `a search that adds words, answered by ${shown}`,
    laps: ADDED.length,
    lap: (n: number) => searched(ADDED.slice(0, n).join(' '), result),
  })),
  {
    name: 'a search that adds another word each time, answered by []',
    healthy: true,
    laps: ADDED.length,
    lap: n => searched(n === 1 ? 'invoice' : `invoice ${ADDED[n - 1]}`, []),
  },
  {
    name: 'a search that drops words until it finds something, answered by []',
    healthy: true,
    laps: 5,
    lap: n => {
      const left = ADDED.slice(n - 1, 5)
      return searched(left.join(' '), left.length > 1 ? [] : ['The total is 7.'])
    },
  },
  {
    name: 'a search that adds words twice, then other searches, answered by []',
    healthy: true,
    laps: 6,
    lap: n => searched(n < 3 ? ADDED.slice(0, n).join(' ') : (ADDED[n] ?? ''), []),
  },
]
