/** Shapes of loops, and of work that resembles one: after how many laps the watchdog detects each. */
import type { Json } from '../../src/core/watch/data/json.ts'
import { type CompletedCall, watchdog } from '../../src/watchdog.ts'
import { DENIALS, EMPTY_PAGES, OUTCOME_WRITES, PROGRESS, REFUSED, SHORT_TEXTS } from './outcomes.ts'
import { BATCHED, BATCHED_WORK, NOTED } from './batched.ts'
import { ASKED, ASKING_WRITES } from './asked.ts'
import { CHECKED } from './checked.ts'
import { DEPLOYED } from './deployed.ts'
import { ENCODED } from './encoded.ts'
import { NUMBERED } from './numbered.ts'
import { NARROWED } from './narrowed.ts'
import { RECEIVED } from './receipts.ts'
import { PAUSED } from './paused.ts'
import { QUEUED, THOUGHTS } from './queued.ts'
import { SERVICES } from './services.ts'
import { EQUAL_ANSWERS } from './equal.ts'
import { EXCHANGED_CALLS } from './exchanged.ts'
import { FAILED_COMMANDS, SILENT_COMMANDS } from './silent.ts'
import { GRIDS } from './grids.ts'
import { SURVEYS } from './surveys.ts'
import { TESTED } from './tested.ts'
import { DEPLOYS, FAILED_DEPLOYS, SAME_WALLS } from './walls.ts'
import { WARNED, WARNED_WRITES } from './warned.ts'

export interface Shape {
  readonly name: string
  /** Call and answer of lap `n`, from 1. */
  readonly lap: (n: number) => Lap
  /** Legitimate work, which must not be seen within `LAPS`. */
  readonly healthy?: true
  /** The number of laps, `LAPS` if absent. */
  readonly laps?: number
  /** How the detectors read its tools. */
  readonly tools?: Readonly<Record<string, { readonly poll?: true; readonly page?: true }>>
}

export interface Lap {
  readonly tool?: string
  readonly args?: unknown
  readonly result?: unknown
  readonly error?: Error
  /** What the model says beside its call. */
  readonly text?: string
  /** A message of the person or harness before this lap. */
  readonly message?: string
}

export const LAPS = 60

/** The tools that change external systems. */
export const WRITES: readonly string[] = [
  ...['save', 'edit', 'write_cell', 'write_file', 'send', 'claim_job'],
  ...OUTCOME_WRITES,
  ...WARNED_WRITES,
  ...DEPLOYS,
  ...ASKING_WRITES,
]

const search = (n: number, result: unknown, query = phrase(n)): Lap => ({
  tool: 'search',
  args: { query },
  result,
})
/** Paraphrases of one question that share few words. */
const OPENINGS = [
  'find',
  'look up',
  'where is',
  'show',
  'search for',
  'locate',
  'get',
  'any news on',
]
const OBJECTS = [
  'the invoice',
  'billing record',
  'payment document',
  'bill',
  'receipt',
  'charge slip',
]
const ENDINGS = ['of March', 'from spring', 'for last quarter', 'dated 03', 'by the customer']
const phrase = (n: number) =>
  [OPENINGS[n % 8], OBJECTS[(n * 5) % 6], ENDINGS[(n * 3) % 5], n % 2 ? 'please' : ''].join(' ')
/** A name that no other lap has. */
const name = (n: number) =>
  `${SYLLABLES[n % 8]}${SYLLABLES[(n >> 3) % 8]} ${SYLLABLES[(n * 3) % 8]}son`
const SYLLABLES = ['ba', 'ko', 'li', 'mur', 'ne', 'sa', 'ti', 've']
const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields)
const cycle = (period: number) => (n: number) => ({
  tool: `step_${n % period}`,
  args: { of: n % period },
  result: `state ${n % period}`,
})
const SENTENCE =
  'The archive holds many documents on this subject, but the query that was given does not match any one of them closely enough to be listed, so you may want to try other words for it instead.'

/** Empty answers that quote the question. */
const ECHOES: readonly (readonly [shown: string, answer: (query: string, n: number) => unknown])[] =
  [
    ['Keine Treffer für "…"', query => `Keine Treffer für "${query}"`],
    ['Aucun résultat pour « … »', query => `Aucun résultat pour « ${query} ».`],
    ['**No results** for *…*', query => `**No results** for *${query}*`],
    ['| … | 0 |', query => `| query | hits |\n|---|---|\n| ${query} | 0 |`],
    ['{"query":"…","hits":[]}', query => ({ query, hits: [] })],
    ['{"request_id":"random","results":[]}', (_, n) => ({ request_id: randomId(n), results: [] })],
    ['{"message":"0 results for …"}', query => ({ message: `0 results for ${query}` })],
    ['No match for … Did you mean Y?', query => `No match for ${query}. Did you mean invoices?`],
    [
      'No match for … Did you mean (its longest word)?',
      query => `No match for ${query}. Did you mean ${longest(query)}?`,
    ],
    ['Keine Treffer für „…“', query => `Keine Treffer für „${query}“`],
    ['По запросу «…» ничего не найдено', query => `По запросу «${query}» ничего не найдено`],
    ['「…」に一致する情報は…', query => `「${query}」に一致する情報は見つかりませんでした。`],
    ['/items?q=… → 0', query => `/items?q=${encodeURIComponent(query)} → 0`],
    ['/items?q=…+… → 0', query => `/items?q=${query.replaceAll(' ', '+')} → 0`],
    ['{"terms":["…"],"hits":[]}', query => ({ terms: query.split(' '), hits: [] })],
    ['{"results":[],"took":"13ms"}', (_, n) => ({ results: [], took: `${n * 13}ms` })],
    ['{"results":[],"score":"0.013"}', (_, n) => ({ results: [], score: (n * 0.013).toFixed(3) })],
    ['{"hits":[],"shard":"node-3"}', (_, n) => ({ hits: [], shard: `node-${n % 7}` })],
    ['[] and {} in turn', (_, n) => [[], {}][n % 2]],
    ['[] and null in turn', (_, n) => [[], null][n % 2]],
    ['{"results":[]} and "No results" in turn', (_, n) => [{ results: [] }, 'No results'][n % 2]],
    [
      'Keine Treffer für … Meinten Sie (its longest word)?',
      query => `Keine Treffer für ${query}. Meinten Sie ${longest(query)}?`,
    ],
    [
      'HTML with <h1>',
      query =>
        `<html><body><h1>Search</h1><p>Your search - <b>${query}</b> - did not match any documents.</p></body></html>`,
    ],
    ['XML with a prolog', query => `<?xml version="1.0"?><results query="${query}" total="0"/>`],
    [
      'RSS 2.0',
      query => `<rss version="2.0"><channel><title>${query} - Search</title></channel></rss>`,
    ],
    ['Searched 41 files for …: no hits', query => `Searched 41 files for "${query}": no hits`],
    ['0 of 41 files match …', query => `0 of 41 files match ${query}`],
    ['{"results":[],"page":n}', (_, n) => ({ results: [], page: n })],
    ['{"items":[],"next":"…"}', (_, n) => ({ items: [], next: `/items?after=${serialId(n)}` })],
    ['[] in a block of MCP', () => inBlock('[]')],
    ['{"hits":[]} in a fence', () => '```json\n{"hits": []}\n```'],
    ['No results (1,123 ms)', (_, n) => `No results (${n % 2 ? '987' : '1,123'} ms)`],
    ['a sentence and a UUID', (_, n) => `Nothing was listed. ${randomId(n)}`],
  ]

const longest = (text: string) =>
  text.split(' ').reduce((most, word) => (word.length > most.length ? word : most))

const randomId = (n: number) => {
  const hex = (n * 0x9e3779b1).toString(16).padStart(12, 'a')
  return `${hex.slice(0, 8)}-${hex.slice(-4)}-4${hex.slice(1, 4)}-a${hex.slice(2, 5)}-${hex.slice(-12)}`
}

const echoes = (tool: string, argsOf: (n: number) => Json): readonly Shape[] =>
  ECHOES.map(([shown, answer]) => ({
    name: `a ${tool} reworded, answered by ${shown}`,
    lap: n => ({ tool, args: argsOf(n), result: answer(phrase(n), n) }),
  }))

/** An edit that changed nothing, in the words of common edit tools. */
const UNCHANGED: readonly (readonly [shown: string, answer: (old: string) => unknown])[] = [
  [
    'old_str did not appear verbatim',
    old =>
      `No replacement was performed, old_str \`${old}\` did not appear verbatim in /repo/a.ts.`,
  ],
  ['String to replace not found', old => `String to replace not found in file.\nString: ${old}`],
  [
    '<tool_use_error>',
    old => `<tool_use_error>String to replace not found in file.\nString: ${old}</tool_use_error>`,
  ],
  ['0 replacements made', () => '0 replacements made'],
  ['{"replacements":0}', () => ({ replacements: 0 })],
]

const edits: readonly Shape[] = UNCHANGED.map(([shown, answer]) => ({
  name: `an edit, with new arguments, answered by ${shown}`,
  lap: n => ({
    tool: 'edit',
    args: { path: 'a.ts', old: phrase(n), new: phrase(n + 1) },
    result: answer(phrase(n)),
  }),
}))

const inBlock = (text: string) => ({ content: [{ type: 'text', text }] })

/** A write that was refused, by the shape of its answer. */
const REFUSALS: readonly (readonly [name: string, result: unknown])[] = [
  ['{"error":"Permission denied"}', { error: 'Permission denied' }],
  ['"ERROR: permission denied"', 'ERROR: permission denied'],
  ['{"status":"error"}', { status: 'error', message: 'Permission denied' }],
  ['{"isError":true}', { isError: true, content: [{ type: 'text', text: 'Permission denied' }] }],
  ['{"accepted":false}', { accepted: false }],
  ['{"errors":[…]}', { data: null, errors: [{ message: 'Forbidden' }] }],
  ['{"statusCode":500}', { statusCode: 500 }],
  ['{"response":{"ok":false}}', { response: { ok: false } }],
  ['[{"ok":false}]', [{ ok: false }]],
  ['{"ok":0}', { ok: 0 }],
  ['{"result":"denied"}', { result: 'denied' }],
  ['NOK', 'NOK'],
  ['false', false],
  [
    '{"userErrors":[…]}',
    { data: { saveDraft: { draft: null, userErrors: [{ message: 'taken' }] } } },
  ],
  ['{"code":403}', { code: 403, msg: 'no scope' }],
  ['{"errno":13}', { errno: 13, path: '/srv' }],
  ['{"exit_code":1}', { exit_code: 1, stdout: '' }],
  ['{"Failed":[…]}', { Successful: [], Failed: [{ Id: '1' }] }],
  ['{"results":[{"status":"error"}]}', { results: [{ status: 'error' }] }],
  ['"403 Forbidden"', '403 Forbidden'],
  ['"HTTP/1.1 403 Forbidden"', 'HTTP/1.1 403 Forbidden'],
  ['"Internal Server Error"', 'Internal Server Error'],
  ['"exit code: 1"', 'exit code: 1'],
  ['"Command failed with exit code 1"', 'Command failed with exit code 1'],
  ['"bash: …: Permission denied"', 'bash: /srv/drafts: Permission denied'],
  ['a traceback of Python', 'Traceback (most recent call last):\n  File "x.py"\nOSError: denied'],
  ['an exception of Java', 'java.io.IOException: denied\n\tat Drafts.save(Drafts.java:3)'],
  ['{"err":"denied"}', { err: 'denied' }],
  ['{"status":"NOK"}', { status: 'NOK' }],
  ['{"ok":"no"}', { ok: 'no' }],
  ['{"accepted":0,"rejected":1}', { accepted: 0, rejected: 1 }],
  ['{"ok":false} in a block of MCP', inBlock('{"ok":false}')],
  ['"Access denied" in a block of MCP', inBlock('Access denied')],
  ['[{"type":"text","text":"Error: …"}]', [{ type: 'text', text: 'Error: denied' }]],
  ['{"ok":false} as a text', '"{\\"ok\\":false}"'],
  ['{"ok":false} in a fence', '```json\n{"ok": false}\n```'],
  ['{"ok":false} after a label', 'Response (200): {"ok": false}'],
  ["{'ok': False}", "{'ok': False, 'draft': None}"],
  ['"ok: false"', 'ok: false\nmessage: no scope'],
  ['"Failed"', 'Failed'],
  ['"Error"', 'Error'],
  ['"The save was rejected."', 'The save was rejected.'],
  ['"❌ Not saved."', '❌ Not saved.'],
  ['"Validation error: …"', 'Validation error: the title is missing'],
  ['"Fehler: …"', 'Fehler: keine Berechtigung'],
  ['"HTTP 500"', 'HTTP 500'],
  ['"<Response [500]>"', '<Response [500]>'],
  [
    'a fault of SOAP',
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault><faultcode>soap:Client</faultcode><faultstring>no scope</faultstring></soap:Fault></soap:Body></soap:Envelope>',
  ],
  ['<Error><Code>…', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
  ['<h1>403 Forbidden</h1>', '<html><body><h1>403 Forbidden</h1><hr>nginx</body></html>'],
  ['{"returncode":2}', { returncode: 2, stdout: '', stderr: 'usage: save FILE' }],
  ['{"code":1,"stderr":…}', { code: 1, stdout: '', stderr: '' }],
  ['{"stderr":"bash: … denied"}', { stdout: '', stderr: 'bash: drafts: Permission denied' }],
  ['{"code":"PERMISSION_DENIED"}', { code: 'PERMISSION_DENIED' }],
  ['{"statusText":"Forbidden"}', { statusText: 'Forbidden' }],
  ['{"ok":null}', { ok: null }],
  ['{"failed":true}', { failed: true }],
  ['{"created":false}', { created: false, reason: 'no scope' }],
  ['{"body":"{…}"}', { statusCode: 200, body: '{"ok":false}' }],
  ['[false,"denied"]', [false, 'denied']],
  ['{"fault":…}', { fault: { detail: 'no scope' } }],
  ['"Quota exceeded"', 'Quota exceeded'],
  ['{"message":"Quota exceeded"}', { message: 'Quota exceeded' }],
  ['"Rate limit exceeded, retry later"', 'Rate limit exceeded, retry later'],
  ['"You do not have access to this document."', 'You do not have access to this document.'],
  ['"Document is locked by another user."', 'Document is locked by another user.'],
  ['"Nothing was written."', 'Nothing was written.'],
  [
    '{"detail":"Authentication credentials were not provided."}',
    { detail: 'Authentication credentials were not provided.' },
  ],
  [
    '{"message":"Bad credentials","documentation_url":…}',
    { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' },
  ],
  ['{"detail":[{"loc":…,"msg":…}]}', { detail: [{ loc: ['body', 'title'], msg: 'too short' }] }],
  ['{"valid":false,"issues":[…]}', { valid: false, issues: [{ message: 'too short' }] }],
  ['{"ok":false} with a long message', { ok: false, message: SENTENCE.repeat(3) }],
]

/** A write that was made, and whose answer has a word of failure. */
const DONE: readonly (readonly [name: string, result: (n: number) => unknown])[] = [
  ['"404 rows saved"', () => '404 rows saved'],
  ['"exit code: 0"', () => 'exit code: 0'],
  ['"Forbidden words were replaced."', () => 'Forbidden words were replaced.'],
  ['{"accepted":3,"rejected":1}', () => ({ accepted: 3, rejected: 1 })],
  ['{"rejected":["…"]}', n => ({ rejected: [name(n)] })],
  ['{"err":null}', () => ({ err: null })],
  ['{"message":"Saved"}', () => ({ message: 'Saved' })],
  ['{"valid":true,"issues":[]}', () => ({ valid: true, issues: [] })],
  ['"The rate limit for … is set."', n => `The rate limit for ${name(n)} is set.`],
  ['{"returncode":0}', () => ({ returncode: 0, stdout: '', stderr: '' })],
  ['{"id":…,"completed":false}', n => ({ id: n, completed: false })],
  ['"Error-free: saved"', () => 'Error-free: saved'],
  ['"Posted error: …"', n => `Posted error: ${name(n)}`],
  ['{"ok":true} in a block of MCP', () => inBlock('{"ok":true}')],
  ['"saved" in a block of MCP', () => inBlock('saved')],
  ['<errors/>', () => '<result><errors/><id>7</id></result>'],
]

/** Answers with content, and a field that says that nothing failed. */
const UNSET_ERRORS: readonly (readonly [name: string, result: (n: number) => unknown])[] = [
  ['{"failed":0,"hits":[…]}', n => ({ failed: 0, hits: [{ id: n, title: name(n) }] })],
  ['{"error":false,"rows":[…]}', n => ({ error: false, rows: [{ id: n, value: name(n) }] })],
  ['{"error":null,"data":{…}}', n => ({ error: null, data: { id: n, title: name(n) } })],
  ['{"error":"","value":n}', n => ({ error: '', value: name(n) })],
  ['{"errors":[],"data":{…}}', n => ({ errors: [], data: { id: n, title: name(n) } })],
  ['{"valid":true,"invalid":0}', n => ({ valid: true, invalid: 0, value: name(n) })],
  ['{"status":200,"timeout":5000}', n => ({ status: 200, timeout: 5000, value: name(n) })],
  ['"failed: 0, found: …"', n => `failed: 0, found: ${name(n)}`],
]

/** Answers of more than 800 characters that differ in a time, an id or a duration only. */
const LONG: readonly (readonly [shown: string, result: (n: number) => unknown])[] = [
  ['page with a time', n => `${timeOf(n)} ${SENTENCE.repeat(5)}`],
  ['page with a nonce', n => `<script nonce="${serialId(n)}"></script>${SENTENCE.repeat(10)}`],
  [
    'JSON list with a time and an id of the request',
    n => ({ request_id: randomId(n), at: timeOf(n), items: Array.from({ length: 40 }, item) }),
  ],
  ['listing of files with a time', n => `${fileNames(40)}drwxr-xr-x 2 root ${timeOf(n)} .`],
  [
    'test report with durations',
    n => Array.from({ length: 40 }, (_, k) => `✓ adds case ${k} (${(n + k) * 3} ms)`).join('\n'),
  ],
]

/** Answers of more than 800 characters with content in each lap. */
const LONG_NEWS: readonly (readonly [shown: string, result: (n: number) => unknown])[] = [
  ['page with a counter in its middle', n => `${SENTENCE.repeat(3)}${n}${SENTENCE.repeat(3)}`],
  ['list of ids only', n => Array.from({ length: 40 }, (_, k) => ({ id: serialId(40 * n + k) }))],
]

const item = (_: unknown, n: number) => ({ id: n, title: `The entry ${n}` })
const timeOf = (n: number) => new Date(1.7e12 + n * 61_000).toISOString()
const serialId = (n: number) => `64b7f0c2${(n * 7919).toString(16).padStart(16, '0')}`
const fileNames = (count: number) =>
  Array.from({ length: count }, (_, n) => `-rw-r--r-- 1 root 512 report ${n}.txt\n`).join('')

export const LOOPS: readonly Shape[] = [
  {
    name: 'the same call, the same answer',
    lap: () => ({ tool: 'read', args: { path: 'a' }, result: 'text' }),
  },
  ...[2, 3, 5, 7].map(period => ({ name: `a cycle of ${period} calls`, lap: cycle(period) })),
  {
    name: 'the same call fails: 503',
    lap: () => ({ tool: 'fetch', args: { id: 1 }, error: failure('unavailable', { status: 503 }) }),
  },
  {
    name: 'new arguments each time, the same failure: 401',
    lap: n => ({ tool: 'fetch', args: { id: n }, error: failure('no access', { status: 401 }) }),
  },
  { name: 'a search reworded, answered by []', lap: n => search(n, []) },
  {
    name: 'a search reworded, with a page that counts up, answered by []',
    lap: n => ({ tool: 'search', args: { query: phrase(n), page: n }, result: [] }),
  },
  {
    name: 'two searches in turn, with a page that counts up, answered by []',
    lap: n => ({ tool: 'search', args: { query: phrase(n % 2), page: n }, result: [] }),
  },
  { name: 'a search reworded, answered by {"results":[]}', lap: n => search(n, { results: [] }) },
  {
    name: 'a search reworded, answered by {"hits":[],"total":0}',
    lap: n => search(n, { hits: [], total: 0 }),
  },
  {
    name: 'a search reworded, answered by {"matches":[],"files":n}',
    lap: n => search(n, { matches: [], files: 40 + n }),
  },
  {
    name: 'a search reworded, answered by "Found 0 matches"',
    lap: n => search(n, 'Found 0 matches'),
  },
  {
    name: 'a search reworded, answered by "No matches found"',
    lap: n => search(n, 'No matches found'),
  },
  { name: 'a search reworded, answered by "Keine Treffer"', lap: n => search(n, 'Keine Treffer') },
  { name: 'a search reworded, answered by null', lap: n => search(n, null) },
  {
    name: 'a search reworded, answered by one sentence of 190 characters',
    lap: n => search(n, SENTENCE),
  },
  {
    name: 'questions reworded to a tool of any name, answered by {"items":[]}',
    lap: n => ({ tool: 'kb', args: { text: phrase(n) }, result: { items: [] } }),
  },
  {
    name: 'a search reworded, answered by {"query":…,"results":[]}',
    lap: n => search(n, { query: phrase(n), results: [], took_ms: 10 + n }),
  },
  ...echoes('search', n => ({ query: phrase(n) })),
  ...echoes('web_search', n => ({ text: phrase(n) })).slice(0, 2),
  {
    name: 'a search reworded, answered by 0 results for "…"',
    lap: n => search(n, `0 results for "${phrase(n)}"`),
  },
  {
    name: 'a search reworded, answered by {"results":[],"suggestions":[…]}',
    lap: n => search(n, { results: [], suggestions: [name(n)] }),
  },
  {
    name: 'a search reworded in a pipeline of a shell, without output',
    lap: n => ({
      tool: 'bash',
      args: { command: `cd docs && grep -ri "${phrase(n)}" .` },
      result: '',
    }),
  },
  {
    name: 'a search reworded, answered by a sentence that quotes it',
    lap: n => search(n, `Zu ${phrase(n)} liegt im Archiv kein Eintrag vor.`),
  },
  {
    name: 'a search reworded, answered in Markdown that quotes it',
    lap: n => search(n, `### Results\n\n_Nothing matches_ **${phrase(n)}**\n`),
  },
  {
    name: 'a search reworded, answered by an empty list and a new request id',
    lap: n => search(n, { request_id: name(n), results: [] }),
  },
  {
    name: 'a search reworded, answered by 0 results and another suggestion',
    lap: n => search(n, `0 results for "${phrase(n)}". Did you mean "${name(n)}"?`),
  },
  {
    name: 'questions reworded to a tool of any name, answered by a sentence that quotes them',
    lap: n => ({
      tool: 'kb',
      args: { text: phrase(n) },
      result: `The knowledge base has no entry on ${phrase(n)} in any of its sections.`,
    }),
  },
  {
    name: 'guessed paths, each answered by "File not found"',
    lap: n => ({ tool: 'read', args: { path: name(n) }, result: 'File not found' }),
  },
  {
    name: 'new addresses, each answered by one page of 190 characters',
    lap: n => ({
      tool: 'fetch',
      args: { url: `https://example.com/${name(n)}` },
      result: SENTENCE,
    }),
  },
  {
    name: 'a drifting counter in the arguments, one answer',
    lap: n => ({ tool: 'page', args: { cursor: n }, result: { items: ['a', 'b'], more: true } }),
  },
  {
    name: 'a timestamp in the answer',
    lap: n => ({
      tool: 'status',
      args: {},
      result: { state: 'busy', at: 1_760_000_000_000 + n * 977 },
    }),
  },
  ...LONG.map(([shown, result]) => ({
    name: `a long ${shown}`,
    laps: 12,
    lap: (n: number) => ({ tool: 'fetch', args: { url: 'u' }, result: result(n) }),
  })),
  ...LONG_NEWS.map(([shown, result]) => ({
    name: `a long ${shown}`,
    laps: 12,
    healthy: true as const,
    lap: (n: number) => ({ tool: 'fetch', args: { url: 'u' }, result: result(n) }),
  })),
  {
    name: 'a request id in the answer',
    lap: n => ({
      tool: 'read',
      args: { path: 'a' },
      result: { text: 'x', request: `req_${(n * 7919).toString(16)}` },
    }),
  },
  {
    name: 'one page after another of an empty list, each with its number',
    lap: n => ({
      tool: 'search',
      args: { query: 'invoices', page: n },
      result: { results: [], page: n },
    }),
  },
  {
    name: 'one sentence and a UUID in the answer',
    lap: n => ({ tool: 'read', args: { path: 'a' }, result: `Request ${randomId(n)} is queued` }),
  },
  {
    name: 'one sentence and a duration with a comma in the answer',
    lap: n => ({
      tool: 'read',
      args: { path: 'a' },
      result: `The list is complete. (${n % 2 ? '987' : '1,123'} ms)`,
    }),
  },
  {
    name: 'a write answered {"ok":false}, with new arguments',
    lap: n => ({ tool: 'save', args: { text: `draft ${phrase(n)}` }, result: { ok: false } }),
  },
  ...edits,
  {
    name: 'edits of one file that succeed with the same words',
    healthy: true,
    lap: n => ({
      tool: 'edit',
      args: { path: 'a.ts', old: name(n), new: name(n + 1) },
      result: 'The file a.ts has been edited: 1 replacement was performed.',
    }),
  },
  {
    name: 'names looked up in XML, with the number of their results',
    healthy: true,
    lap: n => ({
      tool: 'search',
      args: { query: name(n) },
      result: `<?xml version="1.0"?><results query="${name(n)}" total="${1 + (n % 9)}"/>`,
    }),
  },
  {
    name: 'an edit and its undo',
    lap: n => ({
      tool: 'edit',
      args: n % 2 ? { from: 'a', to: 'b' } : { from: 'b', to: 'a' },
      result: 'done',
    }),
  },
  { name: 'one sentence, no call', lap: () => ({ text: 'I will now continue with the task.' }) },
  {
    name: 'one sentence every other turn, new ones between',
    lap: n => ({ text: n % 2 ? 'Let me think about this again.' : `Perhaps ${phrase(n)}?` }),
  },
  {
    name: 'one sentence with a counter, no call',
    lap: n => ({ text: `Attempt ${n}: I will now continue with the task.` }),
  },
  {
    name: 'one sentence with a time, no call',
    lap: n => ({ text: `[12:0${n % 10}:${10 + n}] Still working on the report, please wait.` }),
  },
  {
    name: 'one sentence with an id, no call',
    lap: n => ({ text: `Job ${randomId(n)} was queued and I wait for its result.` }),
  },
  {
    name: 'two sentences with a counter in turn, no call',
    lap: n => ({
      text: n % 2 ? `Attempt ${n}: I will try this again.` : `Attempt ${n} did not bring a result.`,
    }),
  },
  {
    name: 'scores of drafts, without a call',
    healthy: true,
    lap: n => ({ text: `Score: ${(n * 7) % 10} of 10` }),
  },
  {
    name: '"Continue." and "Go on." sent in turn',
    lap: n => ({ message: n % 2 ? 'Continue.' : 'Go on.', text: 'I continue with the task.' }),
  },
  {
    name: '"Continue." sent after each answer',
    lap: () => ({ message: 'Continue.', text: 'I continue with the task.' }),
  },
  {
    name: 'two agents hand over to each other',
    lap: n => ({
      tool: n % 2 ? 'transfer_to_b' : 'transfer_to_a',
      args: {},
      result: 'transferred',
    }),
  },
  {
    name: 'a poll without end, one answer',
    lap: () => ({ tool: 'job_status', args: { id: 7 }, result: { status: 'pending' } }),
  },

  {
    name: 'paging: new items each time',
    healthy: true,
    lap: n => ({
      tool: 'page',
      args: { cursor: n },
      result: { items: [`item ${n * 31}`, `item ${n * 37}`], more: true },
    }),
  },
  {
    name: 'reading one file after another',
    healthy: true,
    lap: n => ({
      tool: 'read',
      args: { path: `src/${phrase(n)}${n}.ts` },
      result: `${phrase(n * 7)} ${n} ${phrase(n * 11 + 3)}`,
    }),
  },
  {
    name: 'writing cells, each answered "ok"',
    healthy: true,
    lap: n => ({ tool: 'write_cell', args: { cell: `A${n}`, value: n * n }, result: 'ok' }),
  },
  {
    name: 'new questions, each answered by one sentence that quotes it',
    healthy: true,
    lap: n => search(n, `The result of question ${n} is in the archive.`, `question ${n}`),
  },
  {
    name: 'files removed one after another, each answer names the file',
    healthy: true,
    lap: n => ({
      tool: 'remove',
      args: { path: `/home/user/project/src/core/watch/${name(n)}.ts` },
      result: `Deleted /home/user/project/src/core/watch/${name(n)}.ts`,
    }),
  },
  {
    name: 'searches for different names, each answered by []',
    healthy: true,
    lap: n => ({ tool: 'search', args: { query: name(n) }, result: [] }),
  },
  ...REFUSALS.map(([name, result]) => ({
    name: `a write answered ${name}, with new arguments`,
    lap: (n: number) => ({ tool: 'save', args: { text: `draft ${phrase(n)}` }, result }),
  })),
  ...DONE.map(([answer, result]) => ({
    name: `a write answered ${answer}, with new arguments`,
    healthy: true as const,
    lap: (n: number) => ({ tool: 'save', args: { text: `draft ${phrase(n)}` }, result: result(n) }),
  })),
  {
    name: 'searches that find the item of their words',
    healthy: true,
    lap: n => ({
      tool: 'find_file',
      args: { path: `src/forms/${name(n)}` },
      result: { files: [`src/forms/${name(n)}`], skipped: [] },
    }),
  },
  {
    name: 'searches in the words used before, each answered by another price',
    healthy: true,
    lap: n => search(n, { price: `${(n * 0.37).toFixed(2)} EUR`, notes: [] }),
  },
  ...UNSET_ERRORS.map(([answer, result]) => ({
    name: `searches for different names, each answered ${answer}`,
    healthy: true as const,
    lap: (n: number) => ({ tool: 'search', args: { query: name(n) }, result: result(n) }),
  })),
  {
    name: 'different reports of errors that are saved',
    healthy: true,
    lap: n => ({
      tool: 'save',
      args: { text: name(n) },
      result: `Saved the error report of ${name(n)}`,
    }),
  },
  {
    name: 'searches for different names, each answered by "No matches found"',
    healthy: true,
    lap: n => ({ tool: 'search', args: { query: name(n) }, result: 'No matches found' }),
  },
  {
    name: 'searches for different names in one sentence, each answered by {"hits":[],"total":0}',
    healthy: true,
    lap: n => ({
      tool: 'search',
      args: { query: `entries of the customer ${name(n)}` },
      result: { hits: [], total: 0 },
    }),
  },
  {
    name: 'searches in the same words, of which every fourth finds something',
    healthy: true,
    lap: n => search(n, n % 4 ? [] : [name(n)]),
  },
  {
    name: 'reading records that differ in one word, each with an empty list',
    healthy: true,
    lap: n => ({
      tool: 'get_customer',
      args: { id: n },
      result: { name: name(n).split(' ')[0] ?? '', orders: [] },
    }),
  },
  {
    name: 'searches for different names, each answered by 0 results for "…"',
    healthy: true,
    lap: n => ({ tool: 'search', args: { query: name(n) }, result: `0 results for "${name(n)}"` }),
  },
  {
    name: 'searches for different names, each answered by "4 found"',
    healthy: true,
    lap: n => ({ tool: 'search', args: { query: name(n) }, result: '4 found' }),
  },
  {
    name: 'files searched by their names, each answered by its path',
    healthy: true,
    lap: n => {
      const path = `src/components/forms/fields/${name(n)}.tsx`
      return { tool: 'find_file', args: { path }, result: path }
    },
  },
  {
    name: 'tickets with similar titles, each answered by Created "…"',
    healthy: true,
    lap: n => ({
      tool: 'create_ticket',
      args: { title: `Please clean the room of ${name(n)} on the second floor` },
      result: `Created "Please clean the room of ${name(n)} on the second floor"`,
    }),
  },
  {
    name: 'checking similar addresses, each answered by {"url":…,"status":200}',
    healthy: true,
    lap: n => {
      const url = `https://docs.example.com/en/guide/latest/api/${name(n)}.html`
      return { tool: 'check', args: { url }, result: { url, status: 200 } }
    },
  },
  {
    name: 'files written in similar words, each answered by {"ok":true,"id":…}',
    healthy: true,
    lap: n => ({
      tool: 'save',
      args: { text: `draft ${phrase(n)}` },
      result: { ok: true, id: randomId(n) },
    }),
  },
  {
    name: 'checking addresses, each answered by {"status":200}',
    healthy: true,
    lap: n => ({
      tool: 'check',
      args: { url: `https://example.com/${name(n)}` },
      result: { status: 200, type: 'text/html' },
    }),
  },
  {
    name: 'a status that changes slowly',
    healthy: true,
    lap: n => ({
      tool: 'job_status',
      args: { id: 7 },
      result: { status: 'running', errors: [], done: Math.floor(n / 2) },
    }),
  },
  {
    name: 'writing cells, each answered by one long sentence',
    healthy: true,
    lap: n => ({
      tool: 'write_cell',
      args: { cell: `A${n}`, value: n * n },
      result: 'The cell was written, and all formulas that depend on it were calculated again.',
    }),
  },
  {
    name: 'saving drafts, each answered by {"ok":true}',
    healthy: true,
    lap: n => ({ tool: 'save', args: { text: `draft ${phrase(n)}` }, result: { ok: true } }),
  },
  {
    name: 'a person asks different questions, answered by one sentence',
    healthy: true,
    lap: n => ({ message: `Is ${name(n)} a customer?`, text: 'Yes, since last year.' }),
  },
  {
    name: 'a person asks in the same words again, answered by what was found',
    healthy: true,
    lap: n => ({
      message: n % 2 ? 'What is new?' : 'Is there more?',
      text: `There is a letter from ${name(n)}.`,
    }),
  },
  {
    name: 'searches for names on a page that counts up, answered by []',
    healthy: true,
    lap: n => ({ tool: 'search', args: { query: name(n), page: n }, result: [] }),
  },
  {
    name: 'lookups of numbers in turn with pages, of which the latter are not empty',
    healthy: true,
    lap: n => ({
      tool: 'search',
      args: { query: phrase(n % 2), page: n },
      result: n % 4 ? [] : [`${name(n)} ${n * 31}`],
    }),
  },
  {
    name: 'an agent reports each step in the same frame',
    healthy: true,
    lap: n => ({
      tool: 'read',
      args: { path: name(n) },
      result: `${phrase(n * 7)} ${n}`,
      text: 'Let me read the next file.',
    }),
  },
  {
    name: 'edit and test, each test with other failures',
    healthy: true,
    lap: n =>
      n % 2
        ? { tool: 'edit', args: { line: n, text: phrase(n) }, result: `edited line ${n}` }
        : { tool: 'test', args: {}, result: `${60 - n} failed: ${phrase(n)}` },
  },
  ...REFUSED,
  ...TESTED,
  ...ENCODED,
  ...SILENT_COMMANDS,
  ...WARNED,
  ...SAME_WALLS,
  ...FAILED_DEPLOYS,
  ...DEPLOYED,
  ...SURVEYS,
  ...GRIDS,
  ...EXCHANGED_CALLS,
  ...EQUAL_ANSWERS,
  ...PAUSED,
  ...ASKED,
  ...CHECKED,
  ...RECEIVED,
  ...FAILED_COMMANDS,
  ...NARROWED,
  ...BATCHED,
  NOTED,
  ...BATCHED_WORK,
  ...NUMBERED,
  ...QUEUED,
  ...THOUGHTS,
  ...EMPTY_PAGES,
  ...SHORT_TEXTS,
  ...SERVICES,
  ...PROGRESS,
  ...DENIALS,
]

/** The lap at which the first finding was made, and by which detector. */
export function seenAt(
  { lap, laps = LAPS, tools = {} }: Shape,
  writes = WRITES,
): { readonly lap: number; readonly detector: string } | undefined {
  const monitor = watchdog({
    policy: { mode: 'observe', detect: { tools } },
    writes,
  })
  let at = 1_760_000_000_000
  monitor.userMessage('Do the task.', at)
  for (let n = 1; n <= laps; n++) {
    const { tool, args = {}, result, error, text = '', message } = lap(n)
    at += 4_000
    if (message !== undefined) monitor.userMessage(message, at)
    const verdicts = [monitor.beforeModelCall(at)]
    const calls: CompletedCall[] = []
    if (tool !== undefined) {
      const permit = monitor.permit(tool, at, 0)
      if (permit.kind === 'no') calls.push({ tool, args, outcome: permit.outcome })
      else
        calls.push({
          tool,
          args,
          result,
          outcome: monitor.settle(permit, at + 500, error && { error }),
        })
    }
    verdicts.push(monitor.afterModelTurn({ text, calls, at: at + 1_000 }))
    for (const verdict of verdicts) {
      const finding =
        'because' in verdict ? verdict.because.find(({ kind }) => kind !== 'budget') : undefined
      if (finding) return { lap: n, detector: finding.detector }
    }
  }
  return undefined
}
