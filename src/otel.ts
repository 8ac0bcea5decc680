/** Spans of OpenTelemetry: `escapement/otel`. */
export { type TraceOptions, traceThreads } from './adapters/telemetry/spans.ts'
