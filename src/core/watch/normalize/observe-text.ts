/** The observation of a text of an agent. */
import { defined, hash } from '../data/json.ts'
import type { EventOf, Stamped } from '../event/event.ts'
import { isLabel, type SpokenObservation } from './observed.ts'
import { lettersHash, wordsHash } from '../text/without-numbers.ts'

interface TextContext {
  readonly seq: number
  /** What followed the last text: a call or a decision of a person, a message. */
  readonly batch: { readonly acted: boolean; readonly asked?: true }
  readonly wrapped: boolean
  /** The graph asked another question than before. */
  readonly asked: boolean
}

/** A text and what preceded it. A person asks by new messages. A label may answer what a graph asks without a trace. */
export function observeText(
  event: Stamped<EventOf<'model.done'>>,
  { seq, batch, wrapped, asked: isNew }: TextContext,
): SpokenObservation {
  const { at, subject, text, calls, digest } = event
  const { length } = text
  const command = calls.length > 0 || !event.commandExpected
  const said = { seq, at, subject, hash: digest.hash, length, command }
  const asked = batch.asked === true || !wrapped
  const answers = command && isLabel(length) && (calls.length > 0 || asked)
  return {
    ...{ kind: 'said', ...said },
    ...defined({
      textHash: calls.length > 0 ? hash(text) : undefined,
      // A symbol may be the answer to a question.
      wordsHash: asked ? wordsHash(text) : lettersHash(text),
    }),
    ...(batch.acted && { acted: true as const }),
    ...(answers && { answers: true as const }),
    ...(isNew && { asked: true as const }),
  }
}
