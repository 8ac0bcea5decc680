/** Spans of OpenTelemetry, as the collector (OTLP) and the exporters of its SDKs write them. */
import { expected, type Fields, isMap, listIn, mapAt, type Place } from './fields.ts'

export interface Span {
  readonly place: Place
  readonly trace: string
  readonly id: string
  /** ns since 1970. */
  readonly from: bigint
  readonly to: bigint
  readonly failed: boolean
  readonly message: string
  readonly name: string
  readonly attributes: Fields
  /** What was noted in it, by name: the fields of each. */
  readonly events: readonly (readonly [name: string, Fields])[]
}

/** The spans of one value: of a whole export, or one alone. A record of a log is a span with one event; exports of metrics have none. @throws InvalidTrace */
export function spansAt(place: Place, value: unknown): readonly Span[] {
  if (Array.isArray(value))
    return value.flatMap((one, index) =>
      spansAt({ ...place, path: `${place.path}[${index}]` }, one),
    )
  const given = mapAt(place, value, EXPECTED)
  if ('resourceMetrics' in given) return []
  if ('resourceLogs' in given)
    return exportedSpans(place, given, LOGS).flatMap(([at, record]) =>
      recordAt(at, mapAt(at, record, 'a record')),
    )
  return 'resourceSpans' in given
    ? exportedSpans(place, given, SPANS).map(([at, span]) => spanAt(at, mapAt(at, span, 'a span')))
    : [spanAt(place, given)]
}

const SPANS = ['resourceSpans', 'scopeSpans', 'spans'] as const
const LOGS = ['resourceLogs', 'scopeLogs', 'logRecords'] as const

function exportedSpans(
  place: Place,
  given: Fields,
  [ofResource, ofScope, all]: typeof SPANS | typeof LOGS,
): readonly (readonly [Place, unknown])[] {
  return listIn(place, given, ofResource).flatMap(([at, resource]) =>
    listIn(at, mapAt(at, resource, 'what a resource has exported'), ofScope).flatMap(
      ([inner, scope]) => listIn(inner, mapAt(inner, scope, 'what a scope has exported'), all),
    ),
  )
}

/** Only events have names, and only those of a trace can be told of. */
function recordAt(place: Place, record: Fields): readonly Span[] {
  const attributes = attributesOf(record.attributes)
  const name = record.eventName || attributes['event.name']
  if (typeof name !== 'string' || typeof record.traceId !== 'string' || record.traceId === '')
    return []
  const at = nsOf(record.timeUnixNano ?? record.observedTimeUnixNano)
  const body = valueOf(record.body)
  const event = [name, isMap(body) ? { ...attributes, ...body } : attributes] as const
  return [
    {
      place,
      trace: record.traceId,
      id: '',
      from: at,
      to: at,
      failed: false,
      message: '',
      name,
      attributes,
      events: [event],
    },
  ]
}

const EXPECTED = 'a span with its trace id, or {"resourceSpans"}'

function spanAt(place: Place, span: Fields): Span {
  const context = isMap(span.context) ? span.context : {}
  const trace = span.traceId ?? span.trace_id ?? context.trace_id ?? context.traceId
  if (typeof trace !== 'string') throw expected(place, EXPECTED, span)
  const status = isMap(span.status) ? span.status : {}
  return {
    place,
    trace,
    id: String(span.spanId ?? span.span_id ?? context.span_id ?? context.spanId ?? ''),
    from: nsOf(
      span.startTimeUnixNano ?? span.start_time_unix_nano ?? span.startTime ?? span.start_time,
    ),
    to: nsOf(span.endTimeUnixNano ?? span.end_time_unix_nano ?? span.endTime ?? span.end_time),
    failed: FAILED.has(status.code ?? status.status_code),
    message: String(status.message ?? status.description ?? ''),
    name: String(span.name ?? ''),
    attributes: attributesOf(span.attributes),
    events: Array.isArray(span.events)
      ? span.events.flatMap(event =>
          isMap(event) ? [[String(event.name), attributesOf(event.attributes)] as const] : [],
        )
      : [],
  }
}

const FAILED: ReadonlySet<unknown> = new Set([2, 'STATUS_CODE_ERROR', 'ERROR'])

/** Whole ns as a number or a text, `[seconds, ns]`, or a date; without a time, spans stay in their order. */
function nsOf(time: unknown): bigint {
  if (typeof time === 'number' && Number.isFinite(time)) return BigInt(Math.round(time))
  if (Array.isArray(time)) return nsOf(time[0]) * 1_000_000_000n + nsOf(time[1])
  if (typeof time !== 'string') return 0n
  if (/^\d+$/.test(time)) return BigInt(time)
  const ms = Date.parse(time)
  return Number.isNaN(ms)
    ? 0n
    : BigInt(ms) * 1_000_000n + BigInt(MICROS.exec(time)?.[1]?.padEnd(6, '0') ?? 0)
}

/** A date is understood to the ms; here is what stands behind it. */
const MICROS = /\.\d{3}(\d{1,6})/

function attributesOf(attributes: unknown): Fields {
  if (!Array.isArray(attributes)) return isMap(attributes) ? attributes : {}
  return Object.fromEntries(
    attributes.flatMap(one =>
      isMap(one) && typeof one.key === 'string' ? [[one.key, valueOf(one.value)]] : [],
    ),
  )
}

/** A value that names its type. */
function valueOf(value: unknown): unknown {
  if (!isMap(value)) return value
  const { arrayValue, kvlistValue } = value
  if (isMap(arrayValue))
    return Array.isArray(arrayValue.values) ? arrayValue.values.map(valueOf) : []
  if (isMap(kvlistValue)) return attributesOf(kvlistValue.values)
  return (
    value.stringValue ??
    value.boolValue ??
    (value.intValue === undefined ? value.doubleValue : Number(value.intValue))
  )
}
