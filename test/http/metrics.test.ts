/** The metrics of a service, as Prometheus scrapes them after runs with scripts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { modelOf, says, type TurnInput, virtualClock } from '../../src/testing.ts'
import { asking, parentOf } from '../host/graphs.ts'
import { loseWakeUp } from '../host/lost-wake-up.ts'
import { failing, looping, looks, price, usage } from '../telemetry/agents.ts'
import { service } from './service.ts'

/** The samples of a family, by their labels. */
function samplesIn(text: string, family: string): Readonly<Record<string, number>> {
  const found = text.matchAll(new RegExp(`^escapement_${family}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  const samples = [...found].map(([, labels = '', value]) => {
    return [labels.replaceAll(/\w+=|"/g, '').replaceAll(',', ' '), Number(value)]
  })
  return Object.fromEntries(samples)
}

/** The service after one run of each graph. */
async function scraped() {
  const large = (step: TurnInput) => ({ smarter: { ...modelOf([step], 'large'), price } })
  const graphs = [
    looping('lost'),
    looping('shop', large(says('Three.', { usage, latency: 4_000 }))),
    looping('stuck', large(looks)),
    failing(),
  ]
  const of = await service({ graphs, clock: virtualClock(0) })
  for (const graph of graphs)
    await (await of.runtime.start(graph, { goal: 'g' }, { seed: 1 })).result()
  await of.runtime.changeBreaker('broken/tool:stock', 'open')
  return of.send('GET', '/metrics', undefined, { role: 'view' })
}

test('a scrape counts the threads that a worker found stuck', async () => {
  const child = asking()
  const graph = parentOf(child)
  const of = await service({ graphs: [graph] })
  const root = await of.runtime.start(graph, { goal: 'g' }, { thread: 'root' })
  for await (const _ of root.events({ until: 'waiting' }));
  const store = sqliteStore({ file: of.file })
  await loseWakeUp(store, child)
  await store.close()
  const stop = new AbortController()
  const working = of.runtime.work({ signal: stop.signal })
  await root.result()
  stop.abort()
  await working
  const { text } = await of.send('GET', '/metrics', undefined, { role: 'view' })
  expect(samplesIn(text, 'stuck_threads_total')).toEqual({ 'parent lost-wake-up': 1 })
})

describe('a scrape over HTTP', async () => {
  const { text, headers } = await scraped()

  test('has the content type of Prometheus, and a help text for each documented family', () => {
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const families = [...text.matchAll(/^# TYPE escapement_(\w+) (\w+)$/gm)].map(([, of]) => of)
    const helped = [...text.matchAll(/^# HELP escapement_(\w+) \S+/gm)].map(([, of]) => of)
    expect(helped).toEqual(families)
    const page = readFileSync(join(import.meta.dirname, '../../docs/service.md'), 'utf8')
    const documented = [...page.matchAll(/^\| `escapement_(\w+)`/gm)].map(([, of]) => of)
    expect(documented.toSorted()).toEqual(families.toSorted())
  })

  test('counts runs by outcome', () => {
    expect(samplesIn(text, 'runs_total')).toEqual({
      'lost failure': 1,
      'shop success': 1,
      'stuck failure': 1,
      'broken success': 1,
    })
  })

  test('counts loops by detector', () => {
    expect(samplesIn(text, 'findings_total')).toEqual({
      'lost sequence loop': 1,
      'shop sequence loop': 1,
      'stuck sequence loop': 2,
    })
  })

  test('counts escapes by rung, and what followed them', () => {
    expect(samplesIn(text, 'escapes_total')).toEqual({
      'lost alternative': 1,
      'shop rethink': 1,
      'stuck rethink': 1,
      'stuck alternative': 1,
    })
    expect(samplesIn(text, 'escape_results_total')).toEqual({
      'lost alternative failure': 1,
      'shop rethink success': 1,
      'stuck rethink again': 1,
      'stuck alternative failure': 1,
    })
    expect(samplesIn(text, 'rung_efficacy')).toEqual({
      'lost alternative': 0,
      'shop rethink': 1,
      'stuck rethink': 0,
      'stuck alternative': 0,
    })
  })

  test('shows the changes and the state of breakers', () => {
    expect(samplesIn(text, 'breaker_changes_total')).toEqual({ 'broken/tool:stock open': 1 })
    expect(samplesIn(text, 'breaker_state')).toEqual({
      'broken/tool:stock closed': 0,
      'broken/tool:stock open': 1,
      'broken/tool:stock half-open': 0,
    })
  })

  test('measures steps and the attempts of models and tools', () => {
    expect(samplesIn(text, 'step_seconds_sum')).toMatchObject({
      'lost plan done': 7.008,
      'lost act done': 0.5,
      'shop plan done': 11.008,
    })
    expect(samplesIn(text, 'step_seconds_count')).toMatchObject({
      'lost plan done': 3,
      'shop plan done': 4,
    })
    expect(samplesIn(text, 'model_seconds_sum')).toMatchObject({
      'lost model done': 8,
      'shop smarter done': 4,
    })
    expect(samplesIn(text, 'model_seconds_count')).toMatchObject({
      'lost model failed': 1,
      'lost model done': 4,
      'shop smarter done': 1,
    })
    expect(samplesIn(text, 'tool_seconds_sum')).toMatchObject({ 'lost stock done': 0.75 })
    expect(samplesIn(text, 'tool_seconds_count')).toMatchObject({
      'lost stock done': 3,
      'broken stock failed': 2,
    })
  })

  test('adds up money and tokens by model', () => {
    expect(samplesIn(text, 'usd_total')).toMatchObject({
      'lost model': expect.closeTo(4 * 0.0019, 9),
      'shop model': expect.closeTo(3 * 0.0019, 9),
      'shop smarter': expect.closeTo(0.0019, 9),
      'broken model': 0,
    })
    expect(samplesIn(text, 'tokens_total')).toMatchObject({
      'lost model input': 3_200,
      'lost model cached': 800,
      'lost model output': 400,
    })
  })

  test('counts stored threads and open streams', () => {
    expect(samplesIn(text, 'threads')).toEqual({
      'lost ended failure': 1,
      'shop ended success': 1,
      'stuck ended failure': 1,
      'broken ended success': 1,
    })
    expect(samplesIn(text, 'streams')).toEqual({ '': 0 })
  })
})
