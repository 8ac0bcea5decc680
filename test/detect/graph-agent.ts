/** Plays a recorded agent as a graph agent: its model and its tools answer as recorded. */
import { Player } from './player.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import type { Act } from '../../src/core/watch/trace-watcher.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { modelFields } from '../../src/kit/model.ts'
import { node } from '../../src/kit/nodes/node.ts'
import { tool } from '../../src/kit/tool.ts'
import { done } from '../../src/runtime/outcome.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Ports } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { virtualClock } from '../../src/testing/clock.ts'

const THREAD = 'recording'
const LIMIT = 1_000_000

/** The number of the event after which the first finding comes; `null`: the recording has calls, but no results. */
export async function firstPlayedFlag(acts: readonly Act[]): Promise<number | undefined | null> {
  const player = new Player(acts)
  if (player.hasNoResults) return null
  let found: number | undefined
  const ports: Ports = {
    graph: graphOf(player),
    store: memoryStore(),
    clock: virtualClock(0),
    gate: createGate(),
    wall: () => 0,
    owner: THREAD,
    isOwnerDead: () => false,
    heartbeat: () => () => {},
    redact: value => value,
    live: news => {
      if (news.kind === 'rows' && news.items.some(({ row: { findings } }) => findings.length > 0))
        found ??= player.at
    },
  }
  for (let round = 1; ; round++) {
    const message = player.message()
    if (round > 1 && message === undefined) return undefined
    const input = { goal: message ?? 'Go.' }
    const event = { type: 'message', input } as const
    if (round > 1) await ports.store.submit(THREAD, `message-${round}`, event)
    const { ended } = await drive(ports, THREAD, round > 1 ? {} : { start: { input, seed: 1 } })
    if (found !== undefined) return found
    if (ended?.reason !== 'goal') throw new Error(`the recording ended by ${ended?.reason}`)
  }
}

/** The graph: one model node for each speaker, and a node that names the next speaker. */
function graphOf(player: Player) {
  const talk = { in: ['messages'], out: { messages: 'message' } }
  const names = [...player.tools.values()]
  const speakers = player.speakers.map((_, index) => `speaker${index}`)
  const { spec, faults } = readSpec({
    escapement: 1,
    id: 'recording',
    start: 'receive',
    input: ['goal'],
    channels: { goal: { type: 'string' }, messages: { reducer: 'append', type: 'object' } },
    nodes: {
      receive: {
        use: 'message',
        in: ['goal'],
        out: { messages: 'message' },
        on: { done: 'observe' },
      },
      ...Object.fromEntries(
        speakers.map(name => [
          name,
          {
            ...{ use: 'model', model: 'recorded', tools: names, prompt: name, ...talk },
            on: { 'done.command': 'act', 'done.answer': 'observe' },
          },
        ]),
      ),
      act: {
        use: 'tools',
        in: ['messages'],
        out: { messages: 'messages' },
        on: { done: 'observe' },
      },
      observe: {
        use: 'code',
        on: { done: 'end', ...Object.fromEntries(speakers.map(name => [`done.${name}`, name])) },
      },
      end: { final: 'success' },
    },
    models: { recorded: { id: 'recorded', retry: 0, breaker: { threshold: LIMIT } } },
    tools: Object.fromEntries(
      names.map(name => [name, { use: 'code', retry: 0, breaker: { threshold: LIMIT } }]),
    ),
    limits: {
      steps: LIMIT,
      toolCalls: LIMIT,
      modelCalls: LIMIT,
      tokens: 1e12,
      usd: 1e9,
      duration: '1000d',
    },
    escape: { ladder: ['stop'] },
  })
  if (faults) throw new Error(JSON.stringify(faults))
  return bindGraph(spec, {
    models: {
      recorded: { ...modelFields('recorded', {}), ask: async () => player.answer() },
    },
    nodes: {
      observe: node({}, async () => {
        const next = player.next()
        return next === undefined ? {} : done(`speaker${next}`, {})
      }),
    },
    tools: Object.fromEntries(
      names.map(name => [
        name,
        tool({
          description: name,
          inputSchema: { type: 'object' },
          effects: 'read',
          execute: async args => player.result(name, args as Json),
        }),
      ]),
    ),
  })
}
