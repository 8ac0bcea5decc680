/** The tokens that an endpoint itself reports, in the words of its API. Libraries pass them on in chunks and in metadata. */
import { defined } from '../data/json.ts'
import { fieldOf } from '../data/foreign-field.ts'
import type { ReportedUsage } from './call-event.ts'

/** The names in chat completions and the Responses API of OpenAI, and in the APIs of Anthropic, Gemini and Bedrock. */
const NAMES = {
  input: ['prompt_tokens', 'input_tokens', 'promptTokenCount', 'inputTokens'],
  // Gemini does not count the results of its own tools as input.
  toolUse: ['toolUsePromptTokenCount'],
  output: ['completion_tokens', 'output_tokens', 'candidatesTokenCount', 'outputTokens'],
  total: ['total_tokens', 'totalTokenCount', 'totalTokens'],
  reasoning: [
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'thoughtsTokenCount',
  ],
  cached: [
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'cachedContentTokenCount',
  ],
  // Anthropic and Bedrock do not count their caches as input.
  cacheRead: ['cache_read_input_tokens', 'cacheReadInputTokens'],
  cacheWrite: ['cache_creation_input_tokens', 'cacheWriteInputTokens'],
} as const

const ENTRIES = Object.entries(NAMES).map(
  ([key, names]) => [key as keyof typeof NAMES, names.map(name => name.split('.'))] as const,
)

/** What the chunks of an answer have reported so far. A later chunk replaces the counts that it names. */
export type EndpointCounts = Readonly<Partial<Record<keyof typeof NAMES, number>>>

/** Anthropic reports the usage in the field `message` of its first event, the Responses API in `response`, Bedrock in `metadata`, Cloudflare in `result`, Groq in `x_groq`, and gateways in `data` or an `error`. */
const PLACES: readonly string[] = [
  ...['message', 'response', 'metadata', 'result', 'data', 'x_groq', 'error'],
]

const REPORTS: readonly string[] = ['usage', 'usageMetadata']

/** Stands for the key in a list. */
export const ITEM = '[]'

/** Whether an event may have its usage at this path. Moonshot reports it in a choice. */
export function isReportAt([first = '', second, third, ...others]: readonly string[]): boolean {
  if (second === undefined) return REPORTS.includes(first)
  if (third === undefined) return PLACES.includes(first) && REPORTS.includes(second)
  return first === 'choices' && second === ITEM && REPORTS.includes(third) && others.length === 0
}

/** The counts in an event of a stream. A zero says that a count is not known yet. */
export function countsIn(event: unknown): EndpointCounts {
  const places = [event, ...PLACES.map(place => fieldOf(event, place))]
  for (const place of places)
    for (const name of REPORTS) {
      const counts = countsOf(fieldOf(place, name))
      if (Object.keys(counts).length > 0) return counts
    }
  return {}
}

function countsOf(report: unknown): EndpointCounts {
  if (typeof report !== 'object' || report === null) return {}
  const counts = ENTRIES.map(([key, paths]) => [key, firstCount(report, paths)] as const)
  const { cacheRead, cacheWrite, ...found } = Object.fromEntries(counts) as EndpointCounts
  // Gateways name the caches of Anthropic beside an input of OpenAI, which contains them.
  const isPart = fieldOf(report, 'prompt_tokens') !== undefined
  return defined(
    isPart ? { ...found, cached: found.cached ?? cacheRead } : { ...found, cacheRead, cacheWrite },
  ) as EndpointCounts
}

/** Of reports that add up over a stream, the largest counts. */
export function largestCounts(one: EndpointCounts, other: EndpointCounts): EndpointCounts {
  const keys = Object.keys({ ...one, ...other }) as (keyof EndpointCounts)[]
  const counts = keys.map(key => [key, Math.max(one[key] ?? 0, other[key] ?? 0)] as const)
  return Object.fromEntries(counts)
}

/** The counts in the metadata of the AI SDK, which has a field for each provider. */
export const countsInMetadata = (metadata: object | undefined): EndpointCounts =>
  Object.assign({}, ...Object.values(metadata ?? {}).map(countsIn))

const firstCount = (report: unknown, paths: readonly (readonly string[])[]): number | undefined =>
  paths
    .map(path => numberIn(path.reduce(fieldOf, report)))
    .find((count): count is number => Number.isSafeInteger(count) && (count as number) > 0)

/** Some gateways send the numbers as texts. */
const numberIn = (count: unknown): unknown =>
  typeof count === 'string' && /^\d{1,16}$/.test(count) ? Number(count) : count

/** The usage of these counts, with all caches and results of tools in its input; `undefined` without any. */
export function usageOfCounts(counts: EndpointCounts): ReportedUsage | undefined {
  const { input = 0, toolUse = 0, output, cacheRead = 0, cacheWrite = 0, total, reasoning } = counts
  const { cached = cacheRead } = counts
  const all = input + toolUse + cacheRead + cacheWrite || undefined
  const isCounted = [all, output, total].some(count => count !== undefined)
  return isCounted ? defined({ input: all, output, cached, total, reasoning }) : undefined
}

/**
 * The usage of an answer from a library that adds up to an input and does not say whether it contains the caches, as version 2 of
 * the AI SDK. The endpoint's own counts do.
 */
export function withCaches(usage: ReportedUsage, counts: EndpointCounts): ReportedUsage {
  const { input = 0, cached } = usageOfCounts(counts) ?? {}
  return input > (usage.input ?? 0) ? { ...usage, input, cached } : usage
}
