/** Compiles a graph spec to a statechart: what is written as data becomes XState's own notation, and nothing else. */
import type { Channels, Writes } from './channels.ts'
import { areaConfig } from './compile/area.ts'
import type { Config } from './compile/config.ts'
import { areasOf } from './spec/region.ts'
import { type Spec, workingNodes } from './spec/spec.ts'

/** The graph itself is an area like any region; beside its nodes lie the two ends that no spec need name. */
export function compile(spec: Spec, channels: Channels): Config {
  const [whole] = areasOf(spec)
  // Whoever answers a question about the whole may send it on to any node, into a region, too.
  const { working, review, ...ends } = areaConfig(spec, whole, workingNodes(spec)).states
  return {
    id: spec.id,
    context: ({ input }: { input: Writes | undefined }) =>
      channels.apply(channels.start, input ?? {}),
    initial: 'working',
    states: {
      working,
      review,
      stopped: { id: 'stopped', type: 'final' },
      cancelled: { id: 'cancelled', type: 'final' },
      ...ends,
    },
  }
}
