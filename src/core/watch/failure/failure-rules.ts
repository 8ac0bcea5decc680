import type { FailureRule } from './failure.ts'

/**
 * The default table, read from the top. Statuses and codes are compared whole and before any wording is
 * looked at. Two lines are a matter of taste, and settable: 409 counts as transient (two writers met; the
 * usual reason in agents), and 429 as transient although some services use it for an exhausted quota
 * (their code, `insufficient_quota`, is asked first).
 */
export const FAILURE_RULES: readonly FailureRule[] = [
  { id: 'aborted', name: ['AbortError', 'Cancelled'], class: 'cancelled' },
  { id: 'abort-code', code: ['ABORT_ERR', 'ERR_CANCELED'], class: 'cancelled' },
  { id: 'business', name: ['BusinessError'], class: 'business' },
  { id: 'arguments', name: ['InvalidArguments', 'ZodError'], class: 'persistent' },
  { id: 'not-json', name: ['NotJson', 'TooLarge', 'InvalidReply'], class: 'persistent' },
  { id: 'out-of-workspace', name: ['OutsideWorkspace'], class: 'persistent' },
  { id: 'full', name: ['BulkheadFull'], class: 'transient' },
  {
    id: 'timeout',
    name: ['TimeoutError', 'APIConnectionTimeoutError'],
    class: 'transient',
    scope: 'resource',
  },
  {
    id: 'account',
    code: [
      'insufficient_quota',
      'invalid_api_key',
      'billing_hard_limit_reached',
      'account_deactivated',
    ],
    class: 'persistent',
    scope: 'resource',
  },
  {
    id: 'prompt',
    code: ['context_length_exceeded', 'invalid_prompt', 'content_filter'],
    class: 'persistent',
  },
  { id: 'no-model', code: ['model_not_found'], class: 'persistent', scope: 'resource' },
  { id: 'http-conflict', status: [409, 425], class: 'transient' },
  {
    id: 'http-transient',
    status: [408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529],
    class: 'transient',
    scope: 'resource',
  },
  { id: 'http-credentials', status: [401, 403, 407], class: 'persistent', scope: 'resource' },
  { id: 'http-gone', status: [501, 505], class: 'persistent', scope: 'resource' },
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
    code: [
      'ECONNRESET',
      'ECONNREFUSED',
      'ECONNABORTED',
      'EPIPE',
      'ETIMEDOUT',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ENETDOWN',
      'UND_ERR_SOCKET',
      'UND_ERR_CONNECT_TIMEOUT',
      'UND_ERR_HEADERS_TIMEOUT',
      'UND_ERR_BODY_TIMEOUT',
    ],
    class: 'transient',
    scope: 'resource',
  },
  {
    id: 'contention',
    code: ['EBUSY', 'EAGAIN', 'EMFILE', 'ENFILE', 'SQLITE_BUSY', '40001', '40P01', '55P03'],
    class: 'transient',
    scope: 'resource',
  },
  {
    id: 'address',
    code: [
      'ENOTFOUND',
      'ERR_INVALID_URL',
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
    ],
    class: 'persistent',
    scope: 'resource',
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
    class: 'transient',
    scope: 'resource',
  },
  {
    id: 'says-credentials',
    message: String.raw`\b(unauthori[sz]ed|forbidden|invalid credentials|invalid api key|authentication failed|configuration error|misconfigured)\b`,
    class: 'persistent',
    scope: 'resource',
  },
  {
    id: 'says-persistent',
    message: String.raw`\b(not found|no such|does not exist|bad request|permission denied|access denied|not allowed|invalid argument|unsupported)\b`,
    class: 'persistent',
  },
  // After all wordings: a tool of an MCP server has answered, and its answer is an error.
  { id: 'mcp-tool', name: ['McpToolError'], message: '', class: 'business' },
]
