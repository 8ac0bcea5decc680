/** The tools of a storm. While they work, processes die, people write, and threads are forked. */
import { z } from 'zod'
import { tool } from '../../../src/index.ts'
import type { Calling } from '../../../src/runtime/ports.ts'
import { madeBefore } from './history.ts'
import { forkOne, rootsOf, submit, THREAD, type World } from './world.ts'

const DEEDS = [
  ...(['books', 'books', 'books', 'refuses', 'breaks', 'resets', 'hangs', 'is slow'] as const),
  ...(['dies', 'is left', 'gets a message', 'is cancelled', 'escapes', 'is forked'] as const),
]
const RUNGS = ['alternative', 'rollback', 'restrict', 'rethink'] as const
/** After so many payments, a storm calms down. */
const PAYMENTS_MAX = 12
const TIMEOUT = 4_000

const failing = (facts: object) => Object.assign(new Error('no'), facts)

/** A payment: the ledger has it before the tool answers, or fails. */
export function payOf(world: World, onTwice: (what: string) => void) {
  const { draw, payments, log } = world
  const reconciles = draw.next() < 0.25
  const hasBooked = (key: string) => payments.some(payment => payment.key === key)
  let calls = 0
  return tool({
    name: 'pay',
    description: 'Pays.',
    effects: 'write',
    timeout: TIMEOUT,
    inputSchema: z.object({ purpose: z.string() }),
    ...(reconciles && {
      reconcile: async (_: unknown, { idempotencyKey }: Calling) =>
        hasBooked(idempotencyKey)
          ? ({ answer: 'applied', result: 'paid' } as const)
          : ({ answer: 'not-applied' } as const),
    }),
    async execute({ purpose }, call) {
      const deed = calls++ < PAYMENTS_MAX ? draw.pick(DEEDS) : 'books'
      const isBooked = deed !== 'refuses' && !(deed === 'resets' && draw.next() < 0.3)
      log.push(`${call.idempotencyKey} pays ${purpose}: ${deed}${isBooked ? '' : ', nothing'}`)
      if (isBooked) {
        const payment = { purpose, key: call.idempotencyKey, attempt: call.attempt }
        payments.push(payment)
        const before = await madeBefore(world, payment)
        if (before) onTwice(`${purpose} was paid by ${before.key}, and again by ${payment.key}`)
      }
      await happen(world, deed, call)
      return 'paid'
    },
  })
}

/** What happens during a call. @throws the failure of the tool */
async function happen(world: World, deed: (typeof DEEDS)[number], call: Calling): Promise<void> {
  const { draw, process } = world
  const root = draw.pick(rootsOf(world))
  switch (deed) {
    case 'refuses':
      throw failing({ status: 422 })
    case 'breaks':
      throw failing({ status: 500 })
    case 'resets':
      throw failing({ code: 'ECONNRESET' })
    case 'hangs':
      return call.sleep(Number.POSITIVE_INFINITY)
    case 'is slow':
      return call.sleep(draw.pick([2_000, 6_000])).catch(() => {})
    case 'dies':
      process.isDead = true
      return
    case 'is left':
      process.leave.abort('left')
      return call.sleep(1_000)
    case 'gets a message':
      await submit(world, THREAD, { type: 'message', input: world.inputOf(++world.goal) as never })
      return call.sleep(3_500)
    case 'is cancelled':
      await submit(world, root, { type: 'cancel', reason: 'enough' })
      return call.sleep(3_500)
    case 'escapes':
      await submit(world, root, { type: 'escape', rung: draw.pick(RUNGS) })
      return call.sleep(3_500)
    case 'is forked':
      await forkOne(world)
      return draw.next() < 0.5 ? call.sleep(1_500) : undefined
    default:
  }
}

/** A read, which may fail, or end its process. */
export function lookOf(world: World) {
  const { draw, process: _, log } = world
  return tool({
    name: 'look',
    description: 'Looks.',
    effects: 'read',
    timeout: TIMEOUT,
    inputSchema: z.object({}),
    async execute(_args, { idempotencyKey, sleep }) {
      const deed = draw.pick(['sees', 'sees', 'refuses', 'breaks', 'dies', 'is left', 'is slow'])
      log.push(`${idempotencyKey} looks: ${deed}`)
      if (deed === 'refuses') throw failing({ status: 422 })
      if (deed === 'breaks') throw failing({ status: 500 })
      if (deed === 'dies') world.process.isDead = true
      if (deed === 'is left') world.process.leave.abort('left')
      if (deed === 'is slow') await sleep(5_000)
      return `seen ${draw.below(1_000_000)}`
    },
  })
}
