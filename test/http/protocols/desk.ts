/** A service with an agent that has tools, one of which needs approval, for tests of chat protocols. */
import { z } from 'zod'
import { createAgent } from '../../../src/host/definition/create-agent.ts'
import { tool } from '../../../src/kit/tool.ts'
import { calls, modelOf, says } from '../../../src/testing.ts'
import type { TurnInput } from '../../../src/testing.ts'
import { service } from '../service.ts'

export { calls, says }

interface DeskOptions {
  readonly model: readonly TurnInput[]
  readonly held?: boolean
  /** Messages to a busy thread wait for their round. Default: they are refused. */
  readonly queue?: boolean
  readonly mcp?: { readonly allowWrites: boolean }
}

/** An agent `shop` whose model follows a script. `refund` needs approval. */
export async function newDesk(options: DeskOptions) {
  const { model, held = false, queue = false, mcp = { allowWrites: false } } = options
  const called: string[] = []
  const hold = Promise.withResolvers<void>()
  if (!held) hold.resolve()
  const stock = tool({
    name: 'stock',
    description: 'How many of an article are left.',
    effects: 'read',
    inputSchema: z.object({ article: z.string() }),
    execute: async ({ article }) => {
      called.push(`stock ${article}`)
      await hold.promise
      return { left: 3 }
    },
  })
  const refund = tool({
    name: 'refund',
    description: 'Refunds an amount.',
    effects: 'write',
    confirm: true,
    inputSchema: z.object({ amount: z.number() }),
    execute: async ({ amount }) => {
      called.push(`refund ${amount}`)
      return { refunded: amount }
    },
  })
  const shop = createAgent({
    id: 'shop',
    model: modelOf(model),
    tools: { stock, refund },
    ...(queue && { rounds: { busy: 'queue' } }),
  })
  const of = await service({ graphs: [shop as never], mcp })
  return { ...of, called, release: () => hold.resolve() }
}
