/** Answers of search services that repeat the query beside versions, dates, names and sizes. */
import type { Shape } from './loops.ts'

const WORDS = 'shipping delay refund order policy customer late parcel return damaged'.split(' ')

/** Three to five of the same ten words, in another order each time. */
function queryOf(n: number): string {
  const from = (n * 3) % 10
  const step = [1, 3, 7, 9][n % 4] ?? 1
  return Array.from({ length: 3 + (n % 3) }, (_, k) => WORDS[(from + k * step) % 10]).join(' ')
}

const SYLLABLES = ['ba', 'ko', 'li', 'mur', 'ne', 'sa', 'ti', 've']
const nameOf = (n: number) =>
  `${SYLLABLES[n % 8]}${SYLLABLES[(n >> 3) % 8]} ${SYLLABLES[(n * 3) % 8]}son`
const hex = (n: number) => (n * 0x9e3779b1).toString(16).padStart(12, 'a').repeat(2)

type Answer = (query: string, n: number) => unknown

const EMPTY: readonly (readonly [shown: string, answer: Answer])[] = [
  [
    '{"items":[],"q":"…","model":"…-3-…"}',
    q => ({ items: [], q, model: 'text-embedding-3-small' }),
  ],
  ['{"items":[],"q":"…","version":"1.0.0"}', q => ({ items: [], q, version: '1.0.0' })],
  ['{"items":[],"q":"…","api":"2024-05-01"}', q => ({ items: [], q, api: '2024-05-01' })],
  ['{"items":[],"q":"…","index":"kb 2024"}', q => ({ items: [], q, index: 'kb 2024' })],
  ['{"items":[],"q":"…","updated":"29 May 2026"}', q => ({ items: [], q, updated: '29 May 2026' })],
  ['{"found":false,"q":"…","model":"…-3-…"}', q => ({ found: false, q, model: 'e5-large-3' })],
  ['{"found":false,"q":"…","limit":25}', q => ({ found: false, q, limit: 25 })],
  [
    'Keine Treffer für "…" (Stand: 29. Mai 2026)',
    q => `Keine Treffer für "${q}" (Stand: 29. Mai 2026)`,
  ],
  [
    'Keine Treffer für "…" [model-3-small 1.0.0]',
    q => `Keine Treffer für "${q}" [model-3-small 1.0.0]`,
  ],
  ['["…",[]]', q => [q, []]],
  ['OpenSearch suggestions', q => [q, [], [], []]],
  [
    'Confluence',
    (q, n) => ({
      ...{ results: [], start: 0, limit: 25, size: 0, totalSize: 0, cqlQuery: `text ~ "${q}"` },
      ...{ searchDuration: 20 + n, _links: { base: 'https://x.example/wiki', context: '/wiki' } },
    }),
  ],
  [
    'Crossref',
    q => ({
      ...{ status: 'ok', 'message-type': 'work-list', 'message-version': '1.0.0' },
      message: {
        ...{ facets: {}, 'total-results': 0, items: [], 'items-per-page': 20 },
        query: { 'start-index': 0, 'search-terms': q },
      },
    }),
  ],
  [
    'PubMed',
    q => ({
      header: { type: 'esearch', version: '0.3' },
      esearchresult: {
        ...{ count: '0', retmax: '0', retstart: '0', idlist: [], translationset: [] },
        querytranslation: q,
        errorlist: { phrasesnotfound: [q], fieldsnotfound: [] },
        warninglist: { phrasesignored: [], outputmessages: ['No items found.'] },
      },
    }),
  ],
  [
    'Google Custom Search',
    (q, n) => ({
      kind: 'customsearch#search',
      queries: {
        request: [{ title: `Custom Search - ${q}`, count: 10, startIndex: 1, cx: '017' }],
      },
      searchInformation: { searchTime: 0.2 + n / 100, totalResults: '0' },
    }),
  ],
  [
    'SerpAPI',
    (q, n) => ({
      search_metadata: {
        ...{ id: hex(n), status: 'Success', created_at: `2026-11-29 00:00:${10 + (n % 50)} UTC` },
        total_time_taken: 0.5 + n / 100,
      },
      search_parameters: { engine: 'google', q, num: 10 },
      search_information: { query_displayed: q, organic_results_state: 'Fully empty' },
    }),
  ],
  [
    'file search of OpenAI',
    (q, n) => ({
      ...{ type: 'file_search_call', id: `fs_${hex(n)}`, status: 'completed' },
      ...{ queries: [q], results: [] },
    }),
  ],
  [
    'Elasticsearch and its request',
    q => ({
      ...{ request: { q, size: 10 }, timed_out: false, _shards: { total: 5, successful: 5 } },
      hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
    }),
  ],
  [
    'Solr',
    q => ({
      responseHeader: { status: 0, QTime: 3, params: { q, rows: '10' } },
      response: { numFound: 0, start: 0, docs: [] },
    }),
  ],
  [
    'arXiv',
    (q, n) =>
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>ArXiv Query: search_query=all:${q}</title><id>http://arxiv.org/api/${hex(n)}</id><updated>2026-11-29T00:00:00-05:00</updated><opensearch:totalResults>0</opensearch:totalResults><opensearch:itemsPerPage>10</opensearch:itemsPerPage></feed>`,
  ],
]

/** Of combinations of known words, each is another question. */
const COUNTED: readonly (readonly [shown: string, answer: Answer])[] = [
  ['{"query":"…","total":3}', q => ({ query: q, total: 3 })],
  ['{"query":"…","stock":3,"version":"1.0.0"}', q => ({ query: q, stock: 3, version: '1.0.0' })],
  ['{"query":"…","answer":"12 EUR"}', q => ({ query: q, answer: '12 EUR', notes: [] })],
  [
    '{"query":"…","hits":{"total":{"value":3}}}',
    q => ({ query: q, hits: { total: { value: 3 } } }),
  ],
  [
    '{"query":"…","results":[one with a price]}',
    q => ({
      query: q,
      more_results: false,
      results: [{ title: 'A parcel', matches: 0, price: 12 }],
    }),
  ],
  ['3 results for "…"', q => `3 results for "${q}"`],
  ['3 results for "…" since 29 May 2026', q => `3 results for "${q}" since 29 May 2026`],
  [
    'The next one for "…" leaves at 12:30',
    (q, n) => `The next one for "${q}" leaves at ${10 + (n % 9)}:30`,
  ],
  [
    'The next one for "…" leaves on 2026-05-29',
    (q, n) => `The next one for "${q}" leaves on 2026-05-${10 + (n % 19)}`,
  ],
  ['{"query":"…","parcel":"AB12345X"}', (q, n) => ({ query: q, parcel: `AB${12345 + n * 37}X` })],
  [
    '{"query":"…","departs":"2026-05-29"}',
    (q, n) => ({ query: q, departs: `2026-05-${10 + (n % 19)}` }),
  ],
  ['2024 results for "…"', q => `2024 results for "${q}"`],
  ['<results q="…" total="3"/>', q => `<?xml version="1.0"?><results q="${q}" total="3"/>`],
]

const searched = (query: string, result: unknown) => ({
  tool: 'search_kb',
  args: { query },
  result,
})

export const SERVICES: readonly Shape[] = [
  {
    name: 'a search of ten words in other orders, in quotation marks',
    lap: n => {
      const query = `"${queryOf(n)}"`
      return searched(query, { query, found: 'nowhere', limit: 25 })
    },
  },
  ...['web_search_exa', 'mcp__exa__web_search_exa', 'linkedin_search_exa'].map(tool => ({
    name: `a search of ten words in other orders with ${tool}`,
    lap: (n: number) => {
      const result = { autopromptString: queryOf(n), requestId: hex(n), results: [] }
      return { tool, args: { query: queryOf(n) }, result }
    },
  })),
  ...EMPTY.map(([shown, answer]) => ({
    name: `a search of ten words in other orders, answered by ${shown}`,
    lap: (n: number) => searched(queryOf(n), answer(queryOf(n), n)),
  })),
  ...COUNTED.map(([shown, answer]) => ({
    name: `searches for combinations of ten words, answered by ${shown}`,
    healthy: true as const,
    lap: (n: number) => searched(queryOf(n), answer(queryOf(n), n)),
  })),
  ...EMPTY.map(([shown, answer]) => ({
    name: `searches for different names, answered by ${shown}`,
    healthy: true as const,
    lap: (n: number) => searched(nameOf(n), answer(nameOf(n), n)),
  })),
]
