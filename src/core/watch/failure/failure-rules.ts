/** The default rules that classify failures. */
import type { FailureRule } from './failure.ts'

/** The resource fails for all callers, for now or until somebody repairs it. */
const OUTAGE = { class: 'transient', scope: 'resource' } as const
const BROKEN = { class: 'persistent', scope: 'resource' } as const

const codes = (names: string) => names.split(' ')

/** The id of the rule on messages that count what failed. */
export const REPORTED = 'says-counts'

/** The id of the rule on errors that a tool of an MCP server has reported. */
export const MCP_TOOL = 'mcp-tool'

/**
 * Counts of what failed and passed, as test tools, compilers and linters print them. A number after `failed:` alone may be a status,
 * and one between words that of an attempt.
 */
export const COUNTS = [
  String.raw`(^ *|[\n:,;(|✖›] *|found |tests? +)\d+ ([a-z]+ )?(failed|failing|failures?|passed|passing|errors|problems?|offenses?)\b`,
  // `1 error occurred` is another sentence.
  String.raw`\(1 error\b|\b1 error( generated)?[.,]?( *(\n|$)|, )`,
  String.raw`\b(found|with|due to) \d+ ([a-z]+ )?(error|problem|failure)s?\b`,
  // `3 of 40 tests failed`, `Failed 3/40 subtests`
  String.raw`\b\d+ ?(of|out of|/) ?\d+ (tests?|specs?|examples|subtests|checks|assertions|suites|scenarios|files) (failed|passed)\b`,
  String.raw`\bfailed \d+/\d+ (tests|subtests)\b`,
  // `Failures: 3`, `failures=3`, and `Failed: 3` beside another count
  String.raw`\b(failures|errors|failing|passing) ?[:=] ?\d`,
  String.raw`\b(failed|passed): +\d+, +(failed|passed|skipped|total)\b`,
  String.raw`["'](num)?(fail|failed|failing|failures|errors|pass|passed|passing)(tests)?["'] ?: ?\d`,
  // A line: `ℹ fail 3` of Node.js, `# fail 3` of TAP, `3 fail` of Bun
  String.raw`(^|\n)[ #ℹ]*((fail|pass) \d+|\d+ (fail|pass)) *(\n|$)`,
].join('|')

/**
 * The default table, read from the top. Specs can replace it. Two rules are debatable: 409 counts as transient, because two agents
 * wrote at once; and so does 429, although some services use it for an exhausted quota (`insufficient_quota` precedes it).
 */
export const FAILURE_RULES: readonly FailureRule[] = [
  { id: 'aborted', name: ['AbortError', 'Cancelled'], class: 'cancelled' },
  { id: 'abort-code', code: ['ABORT_ERR', 'ERR_CANCELED'], class: 'cancelled' },
  { id: 'business', name: ['BusinessError'], class: 'business' },
  { id: 'arguments', name: ['InvalidArguments', 'ZodError'], class: 'persistent' },
  // The resource answers with something else than it promised: all callers would receive it.
  { id: 'contract', name: ['InvalidResult'], ...OUTAGE },
  { id: 'not-json', name: ['NotJson', 'TooLarge', 'InvalidReply'], class: 'persistent' },
  // A wrong address, or the page of a login, in the place of the answer of a model.
  { id: 'page', name: ['HtmlPage'], ...BROKEN },
  { id: 'no-answer', name: ['NoAnswer'], ...OUTAGE },
  { id: 'out-of-workspace', name: ['OutsideWorkspace'], class: 'persistent' },
  { id: 'full', name: ['BulkheadFull'], class: 'transient' },
  { id: 'timeout', name: ['TimeoutError', 'APIConnectionTimeoutError'], ...OUTAGE },
  // Nothing was sent: the endpoint may be healthy for others.
  { id: 'not-configured', code: ['no-endpoint', 'missing-package'], class: 'persistent' },
  { id: 'no-key', name: ['AI_LoadAPIKeyError', 'AI_LoadSettingError'], class: 'persistent' },
  {
    id: 'account',
    code: codes(
      'insufficient_quota invalid_api_key billing_hard_limit_reached account_deactivated',
    ),
    ...BROKEN,
  },
  {
    id: 'prompt',
    code: ['context_length_exceeded', 'invalid_prompt', 'content_filter'],
    class: 'persistent',
  },
  { id: 'no-model', code: ['model_not_found'], ...BROKEN },
  { id: 'http-conflict', status: [409, 425], class: 'transient' },
  {
    id: 'http-transient',
    status: [408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529],
    ...OUTAGE,
  },
  { id: 'http-credentials', status: [401, 403, 407], ...BROKEN },
  { id: 'http-gone', status: [501, 505], ...BROKEN },
  {
    id: 'http-request',
    status: [
      400, 402, 404, 405, 406, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424, 428, 431,
      451,
    ],
    class: 'persistent',
  },
  {
    id: 'network',
    code: codes(
      'ECONNRESET ECONNREFUSED ECONNABORTED EPIPE ETIMEDOUT EAI_AGAIN EHOSTUNREACH ENETUNREACH ENETDOWN UND_ERR_SOCKET UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT ESOCKET ECONNECTION PROTOCOL_CONNECTION_LOST',
    ),
    ...OUTAGE,
  },
  // The connection exceptions and shutdowns of SQL databases. 40003: the completion of the statement is unknown.
  {
    id: 'database-connection',
    code: codes('08000 08001 08003 08004 08006 08007 40003 57P01 57P02 57P03'),
    ...OUTAGE,
  },
  {
    id: 'grpc-transient',
    code: codes('UNAVAILABLE DEADLINE_EXCEEDED RESOURCE_EXHAUSTED INTERNAL'),
    ...OUTAGE,
  },
  { id: 'grpc-credentials', code: codes('UNAUTHENTICATED PERMISSION_DENIED'), ...BROKEN },
  {
    id: 'grpc-request',
    code: codes(
      'INVALID_ARGUMENT NOT_FOUND ALREADY_EXISTS FAILED_PRECONDITION OUT_OF_RANGE UNIMPLEMENTED',
    ),
    class: 'persistent',
  },
  {
    id: 'contention',
    code: ['EBUSY', 'EAGAIN', 'EMFILE', 'ENFILE', 'SQLITE_BUSY', '40001', '40P01', '55P03'],
    ...OUTAGE,
  },
  {
    id: 'address',
    code: codes(
      'ENOTFOUND ERR_INVALID_URL CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN',
    ),
    ...BROKEN,
  },
  {
    id: 'files',
    code: ['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'EACCES', 'EPERM', 'ENAMETOOLONG', 'ELOOP'],
    class: 'persistent',
  },
  { id: 'degenerate', name: ['DegenerateOutput'], class: 'transient' },
  {
    id: 'says-transient',
    message: String.raw`\b(time[ds]? ?out|timeout|connection (refused|reset|closed|error)|socket hang up|network error|fetch failed|service unavailable|temporarily|too many requests|rate limit(ed| exceeded)?|overloaded|internal server error|bad gateway|try again later)\b`,
    ...OUTAGE,
  },
  {
    id: 'says-credentials',
    message: String.raw`\b(unauthori[sz]ed|forbidden|invalid credentials|invalid api key|authentication failed|configuration error|misconfigured)\b`,
    ...BROKEN,
  },
  {
    id: 'says-persistent',
    message: String.raw`\b(not found|no such|does not exist|bad request|permission denied|access denied|not allowed|invalid argument|unsupported)\b`,
    class: 'persistent',
  },
  // The report of a tool that works: other calls may have other results, so its breaker does not count it.
  {
    id: REPORTED,
    message: COUNTS,
    class: 'unknown',
  },
  // Node.js and execa begin so when a program ends with another code than 0: it has run.
  { id: 'program-exit', message: String.raw`^command failed\b`, class: 'unknown' },
  // After all rules on messages: a tool of an MCP server answered with an error.
  { id: MCP_TOOL, name: ['McpToolError'], message: '', class: 'business' },
]
