/** The same shapes of loops on three paths: a wrapped agent, a recorded trace, and a graph agent. */
import { z } from 'zod'
import { flagsOf } from '../../src/faces/cli/commands/watch.ts'
import type { Act } from '../../src/core/watch/trace-watcher.ts'
import { POLICY } from '../../src/core/watch/policy/policy.ts'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Model } from '../../src/runtime/ports.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { play } from '../../src/testing/play.ts'
import { LAPS, type Shape, WRITES } from './loops.ts'

export interface Seen {
  readonly lap: number
  readonly detector: string
}

const lapsOf = ({ lap, laps = LAPS }: Shape) =>
  Array.from({ length: laps }, (_, index) => lap(index + 1))

/** The first finding of `escapement watch` in the recorded laps. */
export function seenInTrace(shape: Shape): Seen | undefined {
  const laps = lapsOf(shape).map((lap, index) => actsOf(lap, index + 1))
  const acts: Act[] = [{ act: 'said', text: 'Do the task.', by: 'user', person: true }]
  const ends = laps.map(more => acts.push(...more))
  const [first] = flagsOf(acts, { ...POLICY.detect, tools: shape.tools ?? {} })
  if (!first) return undefined
  const lapOf = ends.findIndex(end => first.at < end) + 1
  return { lap: lapOf, detector: first.draft.detector }
}

type Lap = ReturnType<Shape['lap']>

function actsOf(
  { tool, args = {}, result, error, text = '', message }: Lap,
  n: number,
): readonly Act[] {
  const call = `call ${n}`
  const answer = error
    ? `Error: ${error.message}`
    : typeof result === 'string'
      ? result
      : (JSON.stringify(result ?? null) ?? '')
  return [
    ...(message === undefined
      ? []
      : [{ act: 'said', text: message, by: 'user', person: true } as const]),
    ...(text === '' ? [] : [{ act: 'said', text } as const]),
    ...(tool === undefined
      ? []
      : [
          { act: 'called', call, tool, args: args as Json } as const,
          { act: 'answered', call, ok: error ? false : null, text: answer } as const,
        ]),
  ]
}

/** The first finding in a graph agent that only observes. `other`: not a shape of a graph agent, which ends with its first answer. */
export async function seenInGraph(shape: Shape): Promise<Seen | 'other' | undefined> {
  const laps = lapsOf(shape)
  if (laps.some(({ tool, message }) => tool === undefined || message !== undefined)) return 'other'
  const early = await firstFinding(shape, laps.slice(0, EARLY))
  return early && early.lap < EARLY ? early : firstFinding(shape, laps)
}

/** Most loops are found in these laps. Only the others are played to their last lap. */
const EARLY = 13

async function firstFinding(shape: Shape, laps: readonly Lap[]): Promise<Seen | undefined> {
  const current = { lap: 0 }
  const tools = Object.fromEntries(
    laps.map(({ tool: name = '' }) => [
      name,
      tool({
        description: name,
        effects: WRITES.includes(name) ? 'write' : 'read',
        inputSchema: z.looseObject({}),
        execute: () => {
          const { result, error } = laps[current.lap - 1] ?? {}
          if (error) throw error
          return result
        },
      }),
    ]),
  )
  const model: Model = {
    id: 'scripted',
    timeout: 1_000,
    async ask() {
      current.lap++
      const { tool: name, args = {}, text = '' } = laps[current.lap - 1] ?? {}
      if (name === undefined) return { text: 'The end.', calls: [] }
      return { text, calls: [{ id: `call-${current.lap}`, tool: name, args: args as Json }] }
    },
  }
  const agent = createAgent({
    id: 'looping',
    model,
    tools,
    mode: 'observe',
    detect: { tools: shape.tools ?? {} },
    limits: { steps: 1_000 },
    retry: { attempts: 1 },
  })
  const { events } = await play(agent, { input: { goal: 'Do the task.' } })
  let lapOf = 0
  for (const { event, findings } of events) {
    if (event.type === 'model.called') lapOf++
    const [first] = findings
    if (first) return { lap: Math.min(lapOf, laps.length), detector: first.detector }
  }
  return undefined
}
