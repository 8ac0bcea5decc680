/** Spans of driven threads, as an exporter of OpenTelemetry receives them. */
import type { HrTime } from '@opentelemetry/api'
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace'
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/core/watch/parts.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { traceThreads } from '../../src/otel.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { modelOf, says, virtualClock } from '../../src/testing.ts'
import { asking, parentOf } from '../host/graphs.ts'
import { failing, looping, price, usage } from './agents.ts'

function traced(...graphs: readonly Graph[]) {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  })
  const runtime = createRuntime({ store: memoryStore(), graphs, clock: virtualClock(60_000) })
  const end = traceThreads(runtime, { tracerProvider, providerOf: () => 'openai' })
  return { runtime, end, spans: () => exporter.getFinishedSpans() }
}

const seconds = ([whole, nanos]: HrTime): number => whole + nanos / 1e9

/** The spans as a tree: name, start and end in seconds, status and events. */
function treeOf(spans: readonly ReadableSpan[], parent?: string, indent = ''): readonly string[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .toSorted((a, b) => seconds(a.startTime) - seconds(b.startTime))
    .flatMap(span => {
      const { name, status, startTime, endTime, events } = span
      const failed = status.code === 2 ? ' failed' : ''
      const times = `${seconds(startTime)}–${seconds(endTime)}`
      return [
        `${indent}${name} ${times}${failed}`,
        ...events.map(({ name, time }) => `${indent}  * ${name} ${seconds(time)}`),
        ...treeOf(spans, span.spanContext().spanId, `${indent}  `),
      ]
    })
}

/** The attributes of the spans with a name. */
const attributesOf = (spans: readonly ReadableSpan[], name: string) =>
  spans.flatMap(span => (span.name === name ? [span.attributes] : []))

/** Runs until the question, and answers it. */
async function runAndAnswer(graph: Graph) {
  const { runtime, spans } = traced(graph)
  const thread = await runtime.start(graph, { goal: 'g' }, { thread: 'one', seed: 1 })
  for await (const _ of thread.events({ until: 'waiting' }));
  const [question] = await runtime.questions()
  await runtime.thread(question?.thread ?? '').answer(question?.id ?? '', 'approved')
  await thread.result()
  return spans()
}

describe('an agent that escapes from a loop', async () => {
  const smarter = { ...modelOf([says('Three.', { usage, latency: 4_000 })], 'large'), price }
  const shop = looping('shop', { smarter })
  const { runtime, spans: finished } = traced(shop)
  await (await runtime.start(shop, { goal: 'g' }, { thread: 'one', seed: 1 })).result()
  const spans = finished()

  test('has spans for the run, its steps and its calls, and events for finding and escape', () => {
    expect(treeOf(spans)).toEqual([
      'invoke_agent shop 60–71.758',
      '  * escapement.finding 67.758',
      '  * escapement.escape 67.758',
      '  step receive 60–60',
      '  step plan 60–63.008',
      '    chat scripted 60–60 failed',
      '    chat scripted 61.008–63.008',
      '  step act 63.008–63.258',
      '    execute_tool stock 63.008–63.258',
      '  step observe 63.258–63.258',
      '  step plan 63.258–65.258',
      '    chat scripted 63.258–65.258',
      '  step act 65.258–65.508',
      '    execute_tool stock 65.258–65.508',
      '  step observe 65.508–65.508',
      '  step plan 65.508–67.508',
      '    chat scripted 65.508–67.508',
      '  step act 67.508–67.758',
      '    execute_tool stock 67.508–67.758',
      '  step plan 67.758–71.758',
      '    chat large 67.758–71.758',
      '  step check 71.758–71.758',
    ])
  })

  test('names its attributes by the GenAI conventions', () => {
    const [run] = spans.filter(({ name }) => name === 'invoke_agent shop')
    expect(run?.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'shop',
      'gen_ai.conversation.id': 'one',
      'escapement.thread': 'one',
      'escapement.round': 1,
      'escapement.outcome': 'success',
      'escapement.reason': 'goal',
      'escapement.status': 'ended',
    })
    expect(run?.events.map(({ attributes }) => attributes)).toEqual([
      {
        'escapement.detector': 'sequence',
        'escapement.finding.kind': 'loop',
        'escapement.seq': 32,
      },
      {
        'escapement.rung': 'rethink',
        'escapement.from': 'act',
        'escapement.to': 'plan',
        'escapement.seq': 32,
      },
    ])
    expect(attributesOf(spans, 'chat large')).toEqual([
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'large',
        'gen_ai.usage.input_tokens': 1_000,
        'gen_ai.usage.output_tokens': 100,
        'gen_ai.usage.cache_read.input_tokens': 200,
        'escapement.attempt': 1,
        'escapement.usd': 0.0019,
      },
    ])
    expect(attributesOf(spans, 'chat scripted')[0]).toMatchObject({ 'error.type': 'transient' })
    expect(attributesOf(spans, 'execute_tool stock')[0]).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'stock',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'act#1/1',
      'escapement.attempt': 1,
    })
    expect(attributesOf(spans, 'step act').at(-1)).toMatchObject({ 'escapement.status': 'left' })
  })

  test('pins the version of the conventions', () => {
    const scopes = new Set(spans.map(span => JSON.stringify(span.instrumentationScope)))
    const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0'
    expect([...scopes]).toEqual([
      JSON.stringify({ name: 'escapement', version: VERSION, schemaUrl }),
    ])
  })
})

test('the spans of a wait end, and the spans after it link to them', async () => {
  const spans = await runAndAnswer(asking())
  expect(treeOf(spans)).toEqual([
    'invoke_agent asking 60–60',
    '  step work 60–60',
    '    execute_tool work 60–60',
    'invoke_agent asking 60–60',
  ])
  const [before, after] = spans.filter(({ name }) => name === 'invoke_agent asking')
  expect(before?.attributes).toMatchObject({ 'escapement.status': 'waiting' })
  expect(after?.attributes).toMatchObject({ 'escapement.status': 'ended' })
  expect(after?.links.map(({ context }) => context)).toEqual([before?.spanContext()])
})

test('the spans of a child stand below the step that started it', async () => {
  const spans = await runAndAnswer(parentOf(asking()))
  expect(treeOf(spans).slice(0, 5)).toEqual([
    'invoke_agent parent 60–60',
    '  step child 60–60',
    '    invoke_agent asking 60–60',
    '      step work 60–60',
    '        execute_tool work 60–60',
  ])
  const ids = spans.map(({ attributes }) => attributes['gen_ai.conversation.id'])
  expect(new Set(ids.filter(id => id !== undefined))).toEqual(new Set(['one']))
})

test('a failed attempt has its own span, and the end of tracing ends the export', async () => {
  const graph = failing()
  const { runtime, spans, end } = traced(graph)
  await (await runtime.start(graph, { goal: 'g' }, { seed: 1 })).result()
  expect(treeOf(spans())).toContain('    execute_tool stock 61.015–61.015 failed')
  const before = spans().length
  end()
  await (await runtime.start(graph, { goal: 'g' }, { seed: 1 })).result()
  expect(spans()).toHaveLength(before)
})
