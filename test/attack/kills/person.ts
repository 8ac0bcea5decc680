/** The person behind the threads: approves, reconciles calls with the shop, and cancels what is stuck. */
import { callOfQuestion } from '../../../src/core/run/question-id.ts'
import type { ThreadHandle } from '../../../src/host/thread/thread.ts'
import type { Shop } from './shop.ts'

/** Answers all open questions of a thread. `patient`: leaves calls with an unknown outcome, as long as a process may still make them. */
export async function answerAll(
  handle: ThreadHandle,
  shop: Shop,
  { patient = false } = {},
): Promise<void> {
  const { questions } = await handle.state()
  for (const { id, thread } of questions) {
    // The question of a child is answered on its own thread.
    if (thread !== undefined) continue
    const call = callOfQuestion(id)
    if (call === undefined) {
      if (id.startsWith('approve')) await handle.answer(id, 'approved')
      else await handle.cancel('stuck')
      continue
    }
    if (patient) continue
    const key = `${handle.id}/${call}`
    if (shop.has(key)) await handle.answer(id, { decision: 'applied', output: { key } })
    else await handle.answer(id, 'not-applied')
  }
}
