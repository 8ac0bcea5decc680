/** An agent whose model is careful: it pays only what its conversation does not show as paid, or as possibly paid. */
import { createAgent } from '../../../src/index.ts'
import type { Graph } from '../../../src/runtime/ports.ts'
import type { Message } from '../../../src/runtime/model-message.ts'
import type { Tools } from './graphs.ts'
import { rootsOf, submit, THREAD, type World } from './world.ts'

const DEEDS = [
  'answers',
  'answers',
  'answers',
  'breaks',
  'dies',
  'is left',
  'gets a message',
  'is cancelled',
]
/** After so many answers, a storm calms down. */
const ANSWERS_MAX = 20

/** What the tools say of a payment that had no effect. */
const NOTHING_PAID = /had no effect|\bno$/

/** What the conversation says of each payment, by its purpose. */
function saidOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  const said = new Map<string, string>()
  for (const message of messages) {
    const calls = message.role === 'assistant' ? message.calls : []
    for (const { id, tool, args } of calls) {
      const isAnswer = (other: Message) => other.role === 'tool' && other.call === id
      const answer = messages.findLast(isAnswer)?.content ?? ''
      if (tool === 'pay') said.set((args as { purpose: string }).purpose, answer)
    }
  }
  return said
}

export function agentOf(world: World, tools: Tools): Graph {
  const { draw, log } = world
  let answers = 0
  const newId = () => `c${draw.below(1_000_000_000)}`
  const call = (tool: string, args: object) => ({ id: newId(), tool, args })
  const act = async (deed: string) => {
    if (deed === 'breaks') throw Object.assign(new Error('no'), { status: 500 })
    if (deed === 'dies') world.process.isDead = true
    if (deed === 'is left') world.process.leave.abort('left')
    if (deed === 'gets a message')
      await submit(world, THREAD, { type: 'message', input: world.inputOf(++world.goal) as never })
    if (deed === 'is cancelled')
      await submit(world, draw.pick(rootsOf(world)), { type: 'cancel', reason: 'enough' })
  }
  const model = {
    id: 'careful',
    timeout: 60_000,
    async ask({ messages }: { readonly messages: readonly Message[] }) {
      const deed = answers++ < ANSWERS_MAX ? draw.pick(DEEDS) : 'answers'
      const asked = messages.findLast(({ role }) => role === 'user')
      const goal = /\d+/.exec(String(asked?.content))?.[0] ?? ''
      const said = saidOf(messages)
      const isOpen = (purpose: string) => NOTHING_PAID.test(said.get(purpose) ?? 'no')
      const due = [`${goal} a`, `${goal} b`].filter(isOpen)
      log.push(`the model ${deed}, knows ${JSON.stringify([...said])}, owes ${due}`)
      await act(deed)
      if (due.length === 0) return { text: 'Done.', calls: [] }
      const paid = due.slice(0, draw.pick([1, 2])).map(purpose => call('pay', { purpose }))
      return { text: '', calls: draw.next() < 0.2 ? [call('look', {}), ...paid] : paid }
    },
  }
  world.inputOf = goal => ({ goal: `Pay ${goal}.` })
  const rounds = { busy: draw.pick(['interrupt', 'queue']) }
  return createAgent({ id: 'agent', model, tools, rounds } as never) as Graph
}
