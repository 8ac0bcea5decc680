/** Reads spans of OpenTelemetry from the collector (OTLP) and from the exporters of its SDKs. */
import { type Fields, inside, isMap, Item, jsonText, mapAt, type Place } from './fields.ts'

export interface Span {
  readonly trace: string
  readonly id: string
  /** ns since 1970. */
  readonly from: bigint
  readonly to: bigint
  readonly failed: boolean
  readonly message: string
  readonly name: string
  readonly attributes: Fields
  readonly events: readonly (readonly [name: string, Fields])[]
}

/**
 * The spans of one value: a whole export or one span. A log record becomes a span with one event. Metrics are skipped.
 * @throws InvalidTrace
 */
export function spansAt(place: Place, value: unknown): readonly Span[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => spansAt(inside(place, index), one))
  const given = new Item(place, value, EXPECTED)
  if ('resourceMetrics' in given.fields) return []
  if ('resourceLogs' in given.fields) return itemsAt(given, LOGS, 'a record').flatMap(spansOfRecord)
  return 'resourceSpans' in given.fields
    ? itemsAt(given, SPANS, 'a span').map(spanOf)
    : [spanOf(given)]
}

const EXPECTED = 'a span with its trace id, or {"resourceSpans"}'
const SPANS = ['resourceSpans', 'scopeSpans', 'spans']
const LOGS = ['resourceLogs', 'scopeLogs', 'logRecords']

/** The items of nested lists. */
function itemsAt(item: Item, lists: readonly string[], what: string): readonly Item[] {
  const [list = '', ...rest] = lists
  if (rest.length === 0) return item.items(list, what)
  return item.items(list, 'an object').flatMap(inner => itemsAt(inner, rest, what))
}

/** Only a record with a trace and an event name is read. */
function spansOfRecord({ fields: record }: Item): readonly Span[] {
  const attributes = attributesOf(record.attributes)
  const { eventName, traceId: trace } = record
  const name = eventName || attributes['event.name']
  if (typeof name !== 'string' || typeof trace !== 'string' || trace === '') return []
  const at = nsOf(record.timeUnixNano ?? record.observedTimeUnixNano)
  const body = valueOf(record.body)
  const event = [name, isMap(body) ? { ...attributes, ...body } : attributes] as const
  const times = { from: at, to: at, failed: false, message: '' }
  return [{ trace, id: '', ...times, name, attributes, events: [event] }]
}

function spanOf(item: Item): Span {
  const span = item.fields
  const context = mapAt(span, 'context')
  const trace = span.traceId ?? span.trace_id ?? context.trace_id ?? context.traceId
  if (typeof trace !== 'string') throw item.expected(EXPECTED)
  const status = mapAt(span, 'status')
  const { startTime, start_time, endTime, end_time } = span
  const events = Array.isArray(span.events) ? span.events.filter(isMap) : []
  return {
    trace,
    id: jsonText(span.spanId ?? span.span_id ?? context.span_id ?? context.spanId),
    from: nsOf(span.startTimeUnixNano ?? span.start_time_unix_nano ?? startTime ?? start_time),
    to: nsOf(span.endTimeUnixNano ?? span.end_time_unix_nano ?? endTime ?? end_time),
    failed: FAILED.has(status.code ?? status.status_code),
    message: jsonText(status.message ?? status.description),
    name: jsonText(span.name),
    attributes: attributesOf(span.attributes),
    events: events.map(event => [jsonText(event.name), attributesOf(event.attributes)] as const),
  }
}

const FAILED: ReadonlySet<unknown> = new Set([2, 'STATUS_CODE_ERROR', 'ERROR'])

/** Digits of a time. The conversion of very many takes seconds. */
const DIGITS_MAX = 30

/** Whole ns as a number or a text, `[seconds, ns]`, or a date. Without times, spans keep their order. */
function nsOf(time: unknown): bigint {
  if (typeof time === 'number' && Number.isFinite(time)) return BigInt(Math.round(time))
  if (Array.isArray(time)) return nsOf(time[0]) * 1_000_000_000n + nsOf(time[1])
  if (typeof time !== 'string') return 0n
  if (/^\d+$/.test(time)) return time.length > DIGITS_MAX ? 0n : BigInt(time)
  const ms = Date.parse(time)
  if (Number.isNaN(ms)) return 0n
  // `Date` drops the digits after the milliseconds.
  const [, rest = ''] = /\.\d{3}(\d{1,6})/.exec(time) ?? []
  return BigInt(ms) * 1_000_000n + BigInt(rest.padEnd(6, '0'))
}

function attributesOf(attributes: unknown): Fields {
  if (!Array.isArray(attributes)) return isMap(attributes) ? attributes : {}
  const named = attributes.filter(one => isMap(one) && typeof one.key === 'string')
  return Object.fromEntries(named.map(({ key, value }) => [key, valueOf(value)]))
}

/** Unwraps a value that names its type. */
function valueOf(value: unknown): unknown {
  if (!isMap(value)) return value
  const { arrayValue, kvlistValue, stringValue, boolValue, intValue, doubleValue } = value
  if (isMap(arrayValue))
    return Array.isArray(arrayValue.values) ? arrayValue.values.map(valueOf) : []
  if (isMap(kvlistValue)) return attributesOf(kvlistValue.values)
  return (
    stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(jsonText(intValue)))
  )
}
