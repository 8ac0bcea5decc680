/** Searches for many queries at once, through an exchange over HTTP, and through a tool that calls others. */
import type { Shape } from './loops.ts'

const WORDS = ['vacation', 'days', 'rule', 'leave', 'policy']
/** Questions in the same few words. */
const asked = (n: number) =>
  [0, 1, 2].map(at => WORDS[(n * (at + 1) + at * (n % 3)) % 5] ?? '').join(' ')
const SYLLABLES = ['ba', 'ko', 'li', 'mur', 'ne', 'sa', 'ti', 've']
/** A name that no other lap has. */
const named = (n: number) =>
  `${SYLLABLES[n % 8]}${SYLLABLES[(n >> 3) % 8]} ${SYLLABLES[(n * 3) % 8]}son`

const inBlock = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
const entries = (queries: readonly string[]) => queries.map(query => ({ query, results: [] }))
const three = (query: string) => [query, `${query} rules`, `the ${query}`]

type Call = readonly [
  shown: string,
  args: (query: string) => object,
  result: (query: string) => unknown,
]

const BATCHES: readonly Call[] = [
  [
    'a query in a list, answered by {"results":[{"query":…,"results":[]}]}',
    query => ({ queries: [query] }),
    query => ({ results: entries([query]) }),
  ],
  [
    'a query in a list, answered by [{"query":…,"results":[]}]',
    query => ({ queries: [query] }),
    query => entries([query]),
  ],
  [
    'three queries in a list, answered by an entry for each',
    query => ({ queries: three(query) }),
    query => ({ results: entries(three(query)), took: query.length }),
  ],
  [
    'a query in a record in a list, answered by an entry',
    query => ({ queries: [{ query }] }),
    query => ({ results: entries([query]) }),
  ],
  [
    'a query in `search_query`, answered by an entry',
    query => ({ search_query: [{ q: query }] }),
    query => [{ q: query, status: 'ok', hits: [], total: 0 }],
  ],
  [
    'a query in a list, answered by an entry in a block of MCP',
    query => ({ queries: [query] }),
    query => inBlock({ results: entries([query]) }),
  ],
  ['a query, answered by […, 0, []]', query => ({ query }), query => [query, 0, []]],
]

const url = 'https://example.com/search'

const EXCHANGES: readonly Call[] = [
  [
    '{"status":200,"body":{"q":…,"results":[]}}',
    q => ({ url: `${url}?q=${encodeURIComponent(q)}` }),
    q => ({ status: 200, body: { q, results: [] } }),
  ],
  [
    '{"statusCode":200,"body":"{…}"}',
    q => ({ url: `${url}?q=${encodeURIComponent(q)}` }),
    q => ({ statusCode: 200, body: JSON.stringify({ q, results: [] }) }),
  ],
  [
    '{"status":"200 OK","headers":{…},"data":{…}}',
    q => ({ url, params: { q } }),
    q => ({
      status: '200 OK',
      headers: { 'content-type': 'application/json', 'content-length': `${20 + q.length}` },
      data: { q, results: [] },
    }),
  ],
  ['{"v":3,"q":…,"results":[]}', q => ({ url, params: { q } }), q => ({ v: 3, q, results: [] })],
]

const docs = { server_name: 'docs', tool_name: 'search' }

const DISPATCHED: readonly (readonly [tool: string, ...call: Call])[] = [
  [
    'use_mcp_tool',
    'arguments as JSON, answered by 0 results for "…"',
    query => ({ ...docs, arguments: JSON.stringify({ query }) }),
    query => `0 results for "${query}"`,
  ],
  [
    'use_mcp_tool',
    'arguments as a record, answered by Nothing was found for "…"',
    query => ({ ...docs, arguments: { query } }),
    query => `Nothing was found for "${query}"`,
  ],
  [
    'callTool',
    '{"name":…,"input":…}, answered by a sentence',
    query => ({ name: 'search_docs', input: { query } }),
    query => `No documents in the knowledge base of the company match the words ${query}.`,
  ],
  [
    'multi_execute_tool',
    'one call in a list, answered by an entry',
    query => ({ tools: [{ tool_slug: 'MAIL_SEARCH', arguments: { query } }] }),
    query => ({ successful: true, results: [{ data: { query, messages: [] } }] }),
  ],
]

const reworded = (tool: string, name: string, [, args, result]: Call): Shape => ({
  name,
  lap: n => ({ tool, args: args(asked(n)), result: result(asked(n)) }),
})

/** One call whose note differs, with its arguments as a record and as JSON in turn. */
export const NOTED: Shape = {
  name: 'one search through use_mcp_tool, with another note each time',
  lap: n => {
    const args = { query: 'vacation days' }
    const given = { ...docs, arguments: n % 2 ? args : JSON.stringify(args) }
    return {
      tool: 'use_mcp_tool',
      args: { ...given, task_progress: `${named(n)} is done` },
      result: 'The rule is in chapter 4.',
    }
  },
}

/** The same shapes for names that are all new. */
const listed = (tool: string, name: string, [, args, result]: Call): Shape => ({
  name,
  healthy: true,
  lap: n => ({ tool, args: args(named(n)), result: result(named(n)) }),
})

const shapes = (of: typeof reworded, start: string): readonly Shape[] => [
  ...BATCHES.map(call => of('web_search', `${start}: ${call[0]}`, call)),
  ...EXCHANGES.map(call => of('http_get', `${start} over HTTP: ${call[0]}`, call)),
  ...DISPATCHED.map(([tool, ...call]) => of(tool, `${start} through ${tool}: ${call[0]}`, call)),
]

export const BATCHED: readonly Shape[] = shapes(reworded, 'a search reworded')

export const BATCHED_WORK: readonly Shape[] = [
  ...shapes(listed, 'searches for names'),
  {
    name: 'searches for two queries, of which one has a result',
    healthy: true,
    lap: n => ({
      tool: 'web_search',
      args: { queries: [asked(n), asked(n + 1)] },
      result: { results: [...entries([asked(n)]), { query: asked(n + 1), results: [named(n)] }] },
    }),
  },
  {
    name: 'searches that find a page by its title, without tags',
    healthy: true,
    lap: n => ({
      tool: 'search',
      args: { query: named(n) },
      result: [{ title: named(n), tags: [] }],
    }),
  },
  {
    name: 'requests over HTTP whose numbers change',
    healthy: true,
    lap: n => ({
      tool: 'http_get',
      args: { url, params: { q: asked(n) } },
      result: { status: 200, body: { q: asked(n), queue: 60 - n, alerts: [] } },
    }),
  },
  {
    name: 'one request over HTTP whose numbers change',
    healthy: true,
    lap: n => ({
      tool: 'http_get',
      args: { url },
      result: { status: 200, body: { queue: 60 - n, alerts: [] } },
    }),
  },
  {
    name: 'calls of different tools through use_mcp_tool, answered by {"items":[]}',
    healthy: true,
    lap: n => ({
      tool: 'use_mcp_tool',
      args: { server_name: 'crm', tool_name: `list_${named(n).replace(' ', '_')}`, arguments: {} },
      result: { items: [] },
    }),
  },
  {
    name: 'reads of records through use_mcp_tool',
    healthy: true,
    lap: n => ({
      tool: 'use_mcp_tool',
      args: { server_name: 'crm', tool_name: 'get_contact', arguments: `{"id":${n}}` },
      result: { id: n, name: named(n), tags: [] },
    }),
  },
  {
    name: 'files that ESLint finds nothing in, as JSON',
    healthy: true,
    lap: n => {
      const filePath = `src/${named(n).replace(' ', '/')}.ts`
      const result = [{ filePath, messages: [], errorCount: 0 }]
      return { tool: 'lint', args: { path: filePath }, result }
    },
  },
]
