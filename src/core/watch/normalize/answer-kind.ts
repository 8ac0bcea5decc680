/** What the content of an answer says, as detectors see it. */

/**
 * - `brief`: at most a short sentence, a label, or a record such as `{ "status": 200 }`
 * - `bland`: only that the call is done, such as "ok", or nothing
 * - `empty`: JSON with empty lists only
 * - `nothing`: the text says that nothing was found; an empty text as the answer to a search means the same
 * - `later`: try again later, which is left to retries and breakers
 * - `unseen`: the result of the call is unknown
 */
export type AnswerKind = 'plain' | 'brief' | 'bland' | 'empty' | 'nothing' | 'later' | 'unseen'

export interface AnswerFeatures {
  /** Equal for answers with the same content. */
  readonly answerHash: string
  readonly tone: AnswerKind
  /** The answer reports that the call failed. */
  readonly failed: boolean
  /** The answer quotes a text of the call, which does not count as its content. */
  readonly quotes?: true
  /** The answer says by a flag that the call failed. */
  readonly flagged?: true
  /** A failure of what was called or checked: the call was made. */
  readonly report?: true
  /** The call succeeded, and its answer has words of failure. */
  readonly complains?: true
}

/** An answer as received. `ok` is `null` if the source does not know. */
export interface RawAnswer {
  readonly text: string
  readonly ok: boolean | null
  /** The call was a write. */
  readonly writes?: boolean
  /** The digest of the whole answer. `text` may be a part of it. */
  readonly hash: string
  readonly whole: boolean
}

export const UNSEEN: AnswerFeatures = { answerHash: 'unseen', tone: 'unseen', failed: false }

/** "Command not found" is not an answer to a search. */
export const NOTHING =
  /(?<!command )\b(no|0|nothing|not|zero)( \w+)? (match(es)?|results?|found|hits?)\b|no more\b|could not find/i
