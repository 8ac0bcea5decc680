/** How a child has ended, as its parent's journal says it. */
import type { Run } from '../../core/run.ts'
import type { ChildEvent, Item } from '../../core/watch/event/event.ts'
import { digest } from '../../core/watch/data/signature.ts'
import type { ChildAnswer } from '../ports.ts'
import { childAnswer } from '../call/call-record.ts'
import { VALUE_MAX } from '../call/effect-context.ts'

/** What every event of a child carries. */
export interface ChildFields {
  readonly effect: string
  readonly region: string
  readonly call: string
  readonly subject: string
  readonly key: string
  readonly item?: Item
  readonly more?: true
}

type Done = Extract<ChildEvent, { type: 'child.done' }>

/** Characters of the result of one item of a map: there may be a million of them. */
const ITEM_MAX = 16_384

export function childDoneEvent(
  { ended, watch, wrote }: Run,
  fields: ChildFields & { readonly thread: string },
): { readonly event: Done; readonly answer: ChildAnswer } {
  const { outcome = 'error', reason = 'not-ended', because, result = null } = ended ?? {}
  const { length } = JSON.stringify(result)
  const kept = length <= (fields.item ? ITEM_MAX : VALUE_MAX)
  const event: Done = {
    ...fields,
    type: 'child.done',
    outcome,
    reason,
    ...(because && outcome !== 'success' ? { because } : {}),
    result: kept ? result : null,
    ...(kept ? {} : { cut: length }),
    spent: watch.account.spent,
    digest: digest([outcome, result]),
    effects: wrote ? 'write' : 'read',
  }
  return { event, answer: childAnswer(event) }
}
