/** Healthy agents that wait, check after each write, or ask about one thing after the other. */
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Shape } from '../attack/loops.ts'

type Step = ReturnType<Shape['lap']>

const call = (tool: string, args: Json, result: Json): Step => ({ tool, args, result })
const each = (name: string, lap: (n: number) => Step, laps = 30): Shape => ({
  name,
  laps,
  lap,
  healthy: true,
})

export const MORE_HEALTHY: readonly Shape[] = [
  // Waiting
  each('waits in seconds', () => call('wait', { seconds: 600 }, 'waited')),
  each('sleeps, answered by {"ok":true}', () => call('sleep', { seconds: 60 }, { ok: true })),
  each('sleeps in a shell', () => call('bash', { command: 'sleep 60' }, '')),
]
