/**
 * What a server says of the exchange and not of its content: headers, quotas, cookies, the tokens of forms, handles of messages, and the
 * last line of a mail server. It differs from answer to answer.
 */

/** Names of headers, in lower case. Those that describe the content, such as `content-type` or `location`, are not among them. */
const HEADER =
  '(?:x-(?:amz|amzn|ms|goog|b3|envoy|served|cache|rate-?limit|request|correlation|trace|cloud-trace|datadog|newrelic|github-request|shopify|runtime|timer)[\\w-]{0,40}|x-id|cf-[\\w-]{1,30}|rate-?limit[\\w-]{0,30}|server-timing|traceparent|tracestate|report-to|reporting-endpoints|content-security-policy(?:-report-only)?|set-cookie|sforce-limit-info)'
/** The value of a field: a text, a number, or a list of texts. */
const VALUE = '(?:"(?:[^"\\\\]|\\\\.){0,4000}"|-?[\\d.]+|\\[[^\\][{}]{0,4000}\\])'
const FIELD = `"${HEADER}"\\s*:\\s*${VALUE}`
/** A field goes with the comma after it. */
const fields = (source: string, flags = 'gi') => new RegExp(`(?:${source})(?:\\s*,)?`, flags)
/** As JSON and as Python print them. */
const FIELDS = fields(`${FIELD}|${FIELD.replaceAll('"', "'")}`)
const LINES = new RegExp(`^(?:< )?${HEADER}:.*$`, 'gim')
/** The age of a cached page. Elsewhere, it is that of a person. */
const AGE = /^(?:< )?age: \d+\s*$/gim
const AGE_FIELD = fields(/"age"\s*:\s*"\d{1,9}"/.source)
const HEADERS = /"headers"\s*:/i
/**
 * What remains of a quota, the handle by which a message is deleted, how often it was delivered, the speed of Loki, and the milliseconds
 * of Neo4j.
 */
const QUOTAS = fields(
  /"(?:(?:credits|quota)_?remaining|remaining_?(?:credits|quota)|ReceiptHandle|lock_?token|ack_?id|delivery_?(?:count|tag|attempt)|ApproximateReceiveCount|ApproximateFirstReceiveTimestamp|attribution_?token|(?:bytes|lines)ProcessedPerSecond|result(?:Available|Consumed)After)"\s*:\s*(?:"[^"]*"|-?[\d.]+)/
    .source,
)
/** The cost of a query at Shopify and monday.com, the rate at GitHub and OpenCage, the clock of a MongoDB cluster, and the timings of Algolia. */
const CLOCKS = fields(
  /"(?:throttleStatus|(?:rate(?:Limit)?|complexity)(?="\s*:\s*\{[^{}]*"(?:remaining|before)")|\$clusterTime|operationTime|processingTimingsMS)"\s*:\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/
    .source,
  'g',
)
/** `250 2.0.0 OK  1767444000 4fb4d7f4-5d0si1a12.4 - gsmtp` */
const MAILED = /\b250[ -](?:2\.\d{1,2}\.\d{1,2} )?ok\b[^"\n]*/gi
const TOKENS =
  /\b(?:csrf|xsrf|authenticity|nonce|__viewstate|__eventvalidation)[\w-]{0,40}"\s+(?:value|content)="[^"]*"/gi
/** What AWS encodes in each refusal, and the reference of Akamai. */
const REFERENCES =
  /\bEncoded authorization failure message: [\w-]{20,}|(?:\bReference #|edgesuite\.net\/|edgesuite&#46;net&#47;|Reference&#32;&#35;)\d{1,3}(?:(?:\.|&#46;)[\da-f]{6,12}){3}/gi
/** What an answer of a model has cost: of OpenAI, Anthropic, Gemini, LangChain and Dify, and in the answers of sub-agents of Claude Code. */
const COSTS = fields(
  /"(?:usage|usage_?metadata|token_?usage)"\s*:\s*\{(?=[^{}]*tokens?)(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/
    .source,
)
const COSTS_IN_TEXT = /<usage>[^<]{0,400}<\/usage>/g
/** Of a cell of Jupyter. Elsewhere, it may be the result. */
const CELLS = fields(/"execution_?count"\s*:\s*\d+/.source)
const CELL = /text\/plain|output_type/
/** What authorizes a link to S3 for a while. */
const GRANTS = /[?&]X-Amz-Security-Token=[\w%+/=-]+/gi
/** The number of a snapshot, before that of its element: `[ref=s7e12]` of an older Playwright MCP. */
const SNAPSHOTS = /(?<=\[ref=)s\d+(?=e\d+\])/g
const PARTS = [
  TOKENS,
  COSTS_IN_TEXT,
  GRANTS,
  SNAPSHOTS,
  LINES,
  FIELDS,
  AGE,
  QUOTAS,
  CLOCKS,
  REFERENCES,
]

const LAST_COMMA = /,(?=\s*[}\]])/g

/** Most texts have none of it. */
const MARK =
  /csrf|xsrf|authenticity|nonce|__viewstate|x-|cf-|rate-?limit|server-timing|trace(?:parent|state)|report(?:-to|ing-)|content-security|set-cookie|sforce|\bage\b|credits|quota_?remaining|remaining_?quota|receipt|lock_?token|ack_?id|delivery|execution_?count|usage|attribution|security-token|ref=s\d|complexity|"rate"|throttle|clustertime|operationtime|processingtimings|processedpersecond|result(?:available|consumed)after|encoded authorization|reference|edgesuite|\b250[ -]/i

/** The text without it. */
export function withoutResponseMetadata(text: string): string {
  if (!MARK.test(text)) return text
  const parts = [
    ...PARTS,
    ...(HEADERS.test(text) ? [AGE_FIELD] : []),
    ...(CELL.test(text) ? [CELLS] : []),
  ]
  const rest = parts.reduce((before, part) => before.replace(part, ''), withoutCosts(text))
  // The last field of a record leaves the comma before it, and what remains is read as JSON.
  return (rest === text ? rest : rest.replace(LAST_COMMA, '')).replace(MAILED, '250 OK')
}

/** Alone, the usage of a model is the answer. */
function withoutCosts(text: string): string {
  const rest = text.replace(COSTS, '')
  return CONTENT.test(rest) ? rest : text
}

const CONTENT = /[\p{L}\p{Nd}]/u
