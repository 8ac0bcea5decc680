/** Spans of OpenTelemetry for the driven threads: run, step, model call and tool call. Texts and arguments are not recorded. */
import { type Attributes, context, type Context, type HrTime, type Link } from '@opentelemetry/api'
import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Tracer, TracerProvider } from '@opentelemetry/api'
import type { Run } from '../../core/run/run.ts'
import { waitsForPerson } from '../../core/run/view.ts'
import { VERSION } from '../../core/watch/parts.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { EventOf, Stamped } from '../../core/watch/event/event.ts'
import type { Route } from '../../core/watch/escape/rungs.ts'
import type { Graph, LiveRow, LiveRows } from '../../runtime/ports.ts'
import { InProgress } from './in-progress.ts'
import { ATTRIBUTE, EVENT, OPERATION, SCHEMA_URL } from './names.ts'

/** News that has no span. */
type Other = 'delta' | 'stuck' | 'breaker'

/** The part of a runtime that is traced. */
interface Observed {
  readonly graphs: readonly Graph[]
  observe(observer: (update: LiveRows | { readonly kind: Other }) => void): () => void
}

/** The options of `traceThreads`. */
export interface TraceOptions {
  /** Default: the global one, which `trace.setGlobalTracerProvider` sets. */
  readonly tracerProvider?: TracerProvider
  /** The value of `gen_ai.provider.name` for a model id. Default: `_OTHER`. */
  readonly providerOf?: (model: string) => string
}

/**
 * Traces the threads that this process drives. Returns a function that ends it.
 * @example const end = traceThreads(createRuntime({ store, graphs: [shop] }))
 */
export function traceThreads(runtime: Observed, options: TraceOptions = {}): () => void {
  const { tracerProvider = trace.getTracerProvider(), providerOf = () => '_OTHER' } = options
  const tracer = tracerProvider.getTracer('escapement', VERSION, { schemaUrl: SCHEMA_URL })
  const spans = new Spans(tracer, modelIdsIn(runtime.graphs), providerOf)
  return runtime.observe(update => update.kind === 'rows' && spans.observe(update))
}

/** The ids of models by graph and name, including nested graphs. */
function modelIdsIn(graphs: readonly Graph[]) {
  const ids = new Map<string, Graph['models']>()
  const add = (graph: Graph) => {
    if (ids.has(graph.machine.id)) return
    ids.set(graph.machine.id, graph.models)
    Object.values(graph.graphs ?? {}).forEach(add)
  }
  graphs.forEach(add)
  return (graph: string, name: string) => ids.get(graph)?.[name]?.id ?? name
}

/** An open span. `effect` is absent for the span of the run. */
type Open = Readonly<{ span: Span; effect?: string }>

interface Row {
  readonly thread: string
  readonly graph: string
  readonly event: Stamped
  readonly seq: number
  readonly run: Run
}

type Attempt = EventOf<'model.called' | 'tool.called'>
type Answer = EventOf<'model.done' | 'model.failed' | 'tool.done' | 'tool.failed'>

/** The key of the span of the run. Ids of effects and calls have a `#`. */
const RUN = 'run'

class Spans {
  readonly #tracer: Tracer
  readonly #modelId: (graph: string, name: string) => string
  readonly #providerOf: (model: string) => string
  readonly #open = new InProgress<Open>()
  /** The last span of a run that waits. The next one links to it. */
  readonly #waiting = new InProgress<Link>()

  constructor(
    tracer: Tracer,
    modelId: (graph: string, name: string) => string,
    providerOf: (model: string) => string,
  ) {
    this.#tracer = tracer
    this.#modelId = modelId
    this.#providerOf = providerOf
  }

  observe({ thread, graph, items }: LiveRows): void {
    for (const { row, run } of items) {
      const { event, seq } = row
      this.#observeRow({ thread, graph, event, seq, run }, row)
    }
  }

  #observeRow(of: Row, { findings, verdict, ended }: LiveRow['row']): void {
    const { thread, event, run, seq } = of
    const open = this.#open.of(thread).get(RUN)?.span
    const isIdle = waitsForPerson(run) || (run.ended !== undefined && !ended)
    // A late answer or a notification starts no span.
    if (!open && isIdle && event.type !== 'thread.started') return
    const span = open ?? this.#startRun(of)
    this.#observeEvent(of)
    const at = timeOf(event)
    for (const { detector, kind } of findings)
      span.addEvent(
        EVENT.finding,
        { [ATTRIBUTE.detector]: detector, [ATTRIBUTE.kind]: kind, [ATTRIBUTE.seq]: seq },
        at,
      )
    if (verdict.kind === 'escape') {
      span.addEvent(EVENT.escape, { ...routeAttributes(verdict.route), [ATTRIBUTE.seq]: seq }, at)
      this.#endLeft(of)
    }
    if (ended) {
      span.setAttributes({ [ATTRIBUTE.outcome]: ended.outcome, [ATTRIBUTE.reason]: ended.reason })
      if (FAILED.has(ended.outcome)) fail(span, ended.reason)
      this.#endAll(of, 'ended')
    } else if (waitsForPerson(run)) this.#endAll(of, 'waiting')
    else if (event.type === 'turn.left') this.#endAll(of, 'left')
  }

  #startRun(of: Row): Span {
    const { thread, graph, event, run } = of
    const attributes = {
      [ATTRIBUTE.operation]: OPERATION.run,
      [ATTRIBUTE.agent]: graph,
      [ATTRIBUTE.conversation]: rootOf(run, thread),
      [ATTRIBUTE.thread]: thread,
      [ATTRIBUTE.round]: run.round,
    }
    const link = this.#waiting.take(thread, RUN)
    const terms = { attributes, startTime: timeOf(event), ...defined({ links: link && [link] }) }
    const parent = this.#parentOf(run)
    const span = this.#tracer.startSpan(`${OPERATION.run} ${graph}`, terms, parent)
    this.#open.of(thread).set(RUN, { span })
    return span
  }

  /** The step of the parent thread, if this process drives it. */
  #parentOf({ parent }: Run): Context {
    if (!parent) return context.active()
    const open = this.#open.of(parent.thread)
    const above = open.get(effectOf(parent.call)) ?? open.get(RUN)
    return above ? trace.setSpan(context.active(), above.span) : context.active()
  }

  #observeEvent(of: Row): void {
    const { event } = of
    switch (event.type) {
      case 'turn.started':
        this.#startStep(of, event)
        break
      case 'node.done':
      case 'node.failed':
        this.#endStep(of, event)
        break
      case 'model.called':
      case 'tool.called':
        if (!event.recorded) this.#startCall(of, event)
        break
      case 'model.done':
      case 'model.failed':
      case 'tool.done':
      case 'tool.failed':
        this.#endCall(of, event)
    }
  }

  #startStep({ thread }: Row, event: Stamped<EventOf<'turn.started'>>): void {
    const { effect } = event
    const node = effect.replace(/#\d+$/, '')
    const attributes = { [ATTRIBUTE.node]: node, [ATTRIBUTE.effect]: effect }
    const terms = { attributes, startTime: timeOf(event) }
    const span = this.#tracer.startSpan(`step ${node}`, terms, this.#under(thread, RUN))
    this.#open.of(thread).set(effect, { span, effect })
  }

  #endStep({ thread }: Row, event: Stamped<EventOf<'node.done' | 'node.failed'>>): void {
    const span = this.#open.take(thread, event.effect)?.span
    if (span && 'failure' in event) fail(span, event.failure.class)
    span?.end(timeOf(event))
  }

  #startCall({ thread, graph }: Row, event: Stamped<Attempt>): void {
    const { subject, call, attempt, effect } = event
    const isModel = event.type === 'model.called'
    const model = this.#modelId(graph, subject)
    const attributes: Attributes = isModel
      ? {
          [ATTRIBUTE.operation]: OPERATION.model,
          [ATTRIBUTE.provider]: this.#providerOf(model),
          [ATTRIBUTE.model]: model,
        }
      : {
          [ATTRIBUTE.operation]: OPERATION.tool,
          [ATTRIBUTE.tool]: subject,
          [ATTRIBUTE.toolType]: 'function',
          [ATTRIBUTE.toolCall]: call,
        }
    const name = isModel ? `${OPERATION.model} ${model}` : `${OPERATION.tool} ${subject}`
    const terms = {
      kind: isModel ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: { ...attributes, [ATTRIBUTE.attempt]: attempt },
      startTime: timeOf(event),
    }
    const span = this.#tracer.startSpan(name, terms, this.#under(thread, effect))
    this.#open.of(thread).set(call, { span, effect })
  }

  #endCall({ thread }: Row, event: Stamped<Answer>): void {
    const span = this.#open.take(thread, event.call)?.span
    if (!span) return
    if ('failure' in event) fail(span, event.failure.class)
    if ('usage' in event && event.usage) {
      const { input, output, cached, usd } = event.usage
      span.setAttributes({
        [ATTRIBUTE.inputTokens]: input,
        [ATTRIBUTE.outputTokens]: output,
        [ATTRIBUTE.cachedTokens]: cached,
        [ATTRIBUTE.usd]: usd,
      })
    }
    span.end(timeOf(event))
  }

  /** The context of a span below an open one. */
  #under(thread: string, key: string): Context {
    const open = this.#open.of(thread)
    const above = open.get(key) ?? open.get(RUN)
    return above ? trace.setSpan(context.active(), above.span) : context.active()
  }

  /** Ends the spans of effects that an escape has left. */
  #endLeft({ thread, event, run }: Row): void {
    const pending = new Set(run.pending.map(({ id }) => id))
    for (const [key, { effect }] of this.#open.of(thread)) {
      if (effect === undefined || pending.has(effect)) continue
      const span = this.#open.take(thread, key)?.span
      span?.setAttribute(ATTRIBUTE.status, 'left')
      span?.end(timeOf(event))
    }
  }

  /** Ends the span of the run and all open spans below it. */
  #endAll({ thread, event }: Row, status: 'ended' | 'waiting' | 'left'): void {
    const run = this.#open.of(thread).get(RUN)?.span
    run?.setAttribute(ATTRIBUTE.status, status)
    for (const { span } of this.#open.end(thread).toReversed()) span.end(timeOf(event))
    if (run && status !== 'ended') this.#waiting.of(thread).set(RUN, { context: run.spanContext() })
  }
}

/** Seconds and nanoseconds: a number could count from the start of the process. */
const timeOf = ({ at }: { readonly at: number }): HrTime => [
  Math.floor(at / 1_000),
  Math.round((at % 1_000) * 1e6),
]

const FAILED: ReadonlySet<string> = new Set(['failure', 'stopped', 'error'])

function fail(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute(ATTRIBUTE.errorType, type)
}

function routeAttributes(route: Route): Attributes {
  const { rung, by = rung } = route
  return {
    [ATTRIBUTE.rung]: by,
    ...('from' in route ? { [ATTRIBUTE.from]: route.from } : {}),
    ...('to' in route && route.to !== undefined ? { [ATTRIBUTE.to]: route.to } : {}),
  }
}

/** The effect of a call, `<effect>/<n>`. */
const effectOf = (call: string): string => call.replace(/\/\d+$/, '')

/** The conversation of a child is that of its first ancestor. */
function rootOf({ parent }: Run, thread: string): string {
  return parent ? (parent.thread.split(/\/[^/]*#\d+/)[0] ?? thread) : thread
}
