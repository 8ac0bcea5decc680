/** `digest.perKB`: the cost of digesting a payload, for tool text and JSON. */
import { digest } from '../../src/core/watch/data/json.ts'
import { type Figure, figure } from './figure.ts'
import { interleaved, timed } from './measure.ts'

const KB = 1_024
const SIZE = 256 * KB
const TIMES = 20

export async function digesting(): Promise<readonly Figure[]> {
  const text = 'The quick brown fox jumps over the lazy cat, and the cat thinks about it. '
    .repeat(SIZE / 74 + 1)
    .slice(0, SIZE)
  const rows = Array.from({ length: SIZE / 64 }, (_, id) => ({
    id,
    name: `row ${id}`,
    tags: ['a', 'b'],
    score: id / 3,
  }))
  const size = JSON.stringify(rows).length
  const perKB = async (value: unknown, length: number) =>
    (1_000 * (await timed(() => repeat(TIMES, () => digest(value))))) / ((TIMES * length) / KB)
  const { ofText, ofJson } = await interleaved(
    { ofText: () => perKB(text, SIZE), ofJson: () => perKB(rows, size) },
    { rounds: 9, warmUp: 2 },
  )
  return [
    figure({ name: 'digest.perKB', value: ofText, unit: 'µs' }),
    figure({ name: 'digest.json.perKB', value: ofJson, unit: 'µs' }),
  ]
}

function repeat(times: number, work: () => unknown): void {
  for (let time = 0; time < times; time++) work()
}
