/** A service whose graph asks twice: whether a call may be made, and whether its summary is right. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { newFolders } from '../durability/folders.ts'
import { openInspector } from './open.ts'

const newFolder = newFolders()

export const DESK = `escapement: 1
id: desk
start: pay
input: [order]
channels:
  order: { type: string, minLength: 2, description: The order to pay back. }
  amount: { type: number, minimum: 1, description: In US dollars., default: 240 }
  urgent: { type: boolean }
  reason: { enum: [damaged, late, wrong item] }
  tags: { type: array, items: { type: string } }
  customer: { type: object, required: [name], properties: { name: { type: string }, visits: { type: integer } } }
  anything: {}
  receipt: {}
  summary: { type: string, default: Paid back. }
nodes:
  pay: { use: tool, tool: refund, args: { order: A-17, amount: 240 }, out: { receipt: . }, on: { done: check, error: no } }
  check: { use: human, question: Is this summary right?, deadline: 1h, in: [summary], out: [summary], on: { human.approved: end, human.edited: end, human.rejected: no, human.expired: no } }
  end: { final: success }
  no: { final: failure }
tools:
  refund:
    use: flaky
    effects: write
    confirm: always
    with:
      p: 0
      result: { paid: 240 }
      parameters:
        type: object
        required: [order, amount]
        additionalProperties: false
        properties:
          order: { type: string }
          amount: { type: number, maximum: 500, description: In US dollars. }
          notify: { type: array, items: { type: string } }
    output: { type: object, required: [paid], properties: { paid: { type: number } } }
`

/** The service with the graph `desk`, and the threads of these names, each of which asks about its call. */
export async function openDesk(
  threads: readonly string[] = [],
  { spec = DESK, ...options }: Parameters<typeof openInspector>[0] & { spec?: string } = {},
) {
  const folder = newFolder()
  writeFileSync(join(folder, 'desk.yaml'), spec)
  const of = await openInspector({ graphs: folder, ...options })
  const stateOf = async (thread: string) => (await of.get(`/v1/threads/${thread}`)).body
  const questionOf = async (thread: string) => (await stateOf(thread)).questions?.[0]
  for (const thread of threads) {
    await of.post('/v1/threads', { graph: 'desk', thread, input: { order: 'A-17' } })
    await expect.poll(() => questionOf(thread)).toBeDefined()
  }
  /** Answers the open question of a thread, as another person does. */
  const answer = async (thread: string, decision: string, more: object = {}) => {
    const { id } = await questionOf(thread)
    const command = { do: 'answer', question: id, decision, ...more }
    const { status } = await of.post(`/v1/threads/${thread}/commands`, command)
    expect(status).toBe(200)
  }
  return { ...of, stateOf, questionOf, answer }
}
