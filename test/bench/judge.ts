/**
 * `judge.*`: what the watchdog costs per event, over the mix of `stream.ts` with every detector on: on a fresh watch, and on
 * one that has seen a million events. The watchdog applies its conclusions as in a run, which resets the escapes.
 */
import { applyVerdict, judge, WATCH, type Watch } from '../../src/core/watch/judge.ts'
import { type Figure, figure } from './figure.ts'
import { interleaved, mean, quantile } from './measure.ts'
import { type BenchEvent, streamOf, WATCHFUL } from './stream.ts'

const MILLION = 1_000_000
const BATCH = 20_000
const ROUNDS = 9

export async function judging(): Promise<readonly Figure[]> {
  const { watch: old, bytes, findings } = aged()
  const stream = streamOf(MILLION, BATCH)
  const times = { fresh: [] as number[], old: [] as number[] }
  const perEvent = (watch: Watch) => async () => {
    const start = performance.now()
    folded(watch, stream)
    return ((performance.now() - start) * 1_000) / BATCH
  }
  const eachEvent = (watch: Watch, into: number[]) => async () => {
    const each = timesOf(watch, stream)
    into.push(...each)
    return mean(each)
  }
  const { fresh, aged: later } = await interleaved(
    {
      fresh: perEvent(WATCH),
      aged: perEvent(old),
      freshEach: eachEvent(WATCH, times.fresh),
      agedEach: eachEvent(old, times.old),
    },
    { rounds: ROUNDS },
  )
  return [
    figure({ name: 'judge.perEvent', value: fresh, unit: 'µs', atMost: 3 }),
    figure({
      name: 'judge.perEvent.p99',
      value: quantile(times.fresh, 0.99),
      unit: 'µs',
      atMost: 10,
    }),
    figure({ name: 'judge.perEvent.after1000000', value: later, unit: 'µs', atMost: 3 }),
    figure({
      name: 'judge.perEvent.after1000000.p99',
      value: quantile(times.old, 0.99),
      unit: 'µs',
      atMost: 10,
    }),
    figure({ name: 'judge.watchBytes', value: bytes, unit: 'bytes', atMost: 10_240 }),
    figure({ name: 'judge.findingsPer1000', value: findings, unit: 'findings' }),
  ]
}

/** A watch that has seen a million events; the most bytes it had, and the findings per 1,000 events. */
function aged(): { readonly watch: Watch; readonly bytes: number; readonly findings: number } {
  let watch: Watch = WATCH
  let bytes = 0
  let findings = 0
  for (let first = 0; first < MILLION; first += BATCH) {
    for (const happening of streamOf(first, BATCH)) {
      const next = step(watch, happening)
      watch = next.watch
      findings += next.findings
      if (happening.scene.seq % 250 === 0)
        bytes = Math.max(bytes, Buffer.byteLength(JSON.stringify(watch)))
    }
  }
  return { watch, bytes, findings: findings / (MILLION / 1_000) }
}

function folded(watch: Watch, stream: readonly BenchEvent[]): Watch {
  let last = watch
  for (const happening of stream) last = step(last, happening).watch
  return last
}

/** In µs, and with the cost of looking at the clock in each of them. */
function timesOf(watch: Watch, stream: readonly BenchEvent[]): readonly number[] {
  let last = watch
  return stream.map(happening => {
    const start = performance.now()
    last = step(last, happening).watch
    return (performance.now() - start) * 1_000
  })
}

function step(
  watch: Watch,
  { event, scene: input }: BenchEvent,
): { readonly watch: Watch; readonly findings: number } {
  const { watch: next, findings, verdict } = judge(watch, event, input, WATCHFUL)
  return { watch: applyVerdict(next, input.seq, verdict, WATCHFUL), findings: findings.length }
}
