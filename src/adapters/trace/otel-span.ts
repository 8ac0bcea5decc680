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
  readonly attributes: Fields
}

/** The spans of one value: of a whole export, or one alone. Exports of logs and metrics have none. @throws InvalidTrace */
export function spansAt(place: Place, value: unknown): readonly Span[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => spansAt({ ...place, path: `${place.path}[${index}]` }, one))
  const given = mapAt(place, value, EXPECTED)
  if ('resourceLogs' in given || 'resourceMetrics' in given) return []
  if (!('resourceSpans' in given)) return [spanAt(place, given)]
  return listIn(place, given, 'resourceSpans').flatMap(([at, resource]) =>
    listIn(at, mapAt(at, resource, 'the spans of a resource'), 'scopeSpans').flatMap(([inner, scope]) =>
      listIn(inner, mapAt(inner, scope, 'the spans of a scope'), 'spans').map(([where, span]) => spanAt(where, mapAt(where, span, 'a span'))),
    ),
  )
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
    from: nsOf(span.startTimeUnixNano ?? span.start_time_unix_nano ?? span.startTime ?? span.start_time),
    to: nsOf(span.endTimeUnixNano ?? span.end_time_unix_nano ?? span.endTime ?? span.end_time),
    failed: FAILED.has(status.code ?? status.status_code),
    message: String(status.message ?? status.description ?? ''),
    attributes: attributesOf(span.attributes),
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
  return Number.isNaN(ms) ? 0n : BigInt(ms) * 1_000_000n + BigInt(MICROS.exec(time)?.[1]?.padEnd(6, '0') ?? 0)
}

/** A date is understood to the ms; here is what stands behind it. */
const MICROS = /\.\d{3}(\d{1,6})/

function attributesOf(attributes: unknown): Fields {
  if (!Array.isArray(attributes)) return isMap(attributes) ? attributes : {}
  return Object.fromEntries(attributes.flatMap(one => (isMap(one) && typeof one.key === 'string' ? [[one.key, valueOf(one.value)]] : [])))
}

/** A value that names its type. */
function valueOf(value: unknown): unknown {
  if (!isMap(value)) return value
  const { arrayValue, kvlistValue } = value
  if (isMap(arrayValue)) return Array.isArray(arrayValue.values) ? arrayValue.values.map(valueOf) : []
  if (isMap(kvlistValue)) return attributesOf(kvlistValue.values)
  return value.stringValue ?? value.boolValue ?? (value.intValue === undefined ? value.doubleValue : Number(value.intValue))
}
