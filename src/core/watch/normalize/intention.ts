/**
 * What a call intends, by the name of its tool and its short arguments. A denial is the success of `deny_request`, and a failure of `save`.
 *
 * Intuition: an agent that rejects twelve comments gets "rejected" twelve times, because that is its work.
 * Hard cases: `retry_failed` that fails again, and "Access denied" as the answer to `deny_request`, which may be denied itself.
 * Rejected: reading any outcome of a write as intended. Most writes that answer "failed" have failed.
 */
import { type Json, isMap } from '../data/json.ts'
import { spacedName } from '../text/tool-name.ts'

/** The first letters of what is intended: a denial, a failure, an abort, to invalidate, the reversal of earlier work, to close something, or to take it out. */
type Intent = 'd' | 'f' | 'a' | 'i' | 'r' | 'c' | 't'
export type Intents = string

const INTENDED: Readonly<Record<Intent, RegExp>> = {
  d: /\b(?:den(?:y|ies|ied|ial)|reject\w*|refus\w*|declin\w*|block(?:s|ed|ing)?|ban(?:s|ned|ning)?|forbid\w*|disallow\w*|revok\w*|restrict\w*|decide|moderate|judge|grade|label|triage|vet|adjudicate|underwrite)\b/i,
  f: /\b(?:fail(?:s|ed|ure)?|grade|label)\b/i,
  a: /\babort(?:s|ed|ing)?\b/i,
  i: /\binvalid(?:ate[sd]?)?\b/i,
  c: /\b(?:disabl|suspend|deactivat|lock|expir|interrupt|clos|archiv|cancel)\w*/i,
  t: /^(?:\w+ )?(?:remov|delet|uninstall|unsubscrib|unlink|unassign|unfollow|unpin|detach|disconnect|opt.?out|revok|restrict|ban|block|kick|evict|disabl|deactivat)\w*/i,
  r: /\b(?:re-?open|undo|revert|withdraw|retract|restart|un(?:publish|complete|send|commit|share))\b/i,
}
const INTENTS = Object.keys(INTENDED) as readonly Intent[]
/** What is done to something that was denied or has failed. */
const AGAIN =
  /\b(?:retry|rerun|resume|list|get|find|search|read|show|fetch|count|appeal|resubmit|fix|repair|restore|unblock|unban)\b/i
/** An argument of two words may name a decision. A longer one is about something, and so is a text. */
const DECISION = /^\s*[a-z]{3,12}(?:[ _-][a-z]{1,12})?\s*$/i
const TEXT = /^(?:reason|note|text|title|subject|body|message|comment|content|query|name)$/i
const ARGUMENTS_MAX = 8
/** An argument that records a failure. */
const SUCCESS = /^(?:is_?)?(?:success(?:ful)?|ok|passed)$/i

export function intentsOf(tool: string, args: Json): Intents | undefined {
  const name = spacedName(tool)
  if (AGAIN.test(name)) return undefined
  const fields = isMap(args) ? Object.entries(args).slice(0, ARGUMENTS_MAX) : []
  const decisions = fields.flatMap(([field, value]) =>
    typeof value === 'string' && DECISION.test(value) && !TEXT.test(field) ? [value] : [],
  )
  const failed = fields.some(([field, value]) => value === false && SUCCESS.test(field))
  const words = [name, ...decisions, failed ? 'failed' : ''].join(' | ').replaceAll('_', ' ')
  return INTENTS.filter(intent => INTENDED[intent].test(words)).join('') || undefined
}

const field = (names: string, values: string) =>
  new RegExp(`(["']?\\b(?:${names})["']?\\s*[:=]\\s*["']?)(?:${values})\\b`, 'gi')
/** Not the name of an explanation: `{ "error": "denied" }` of `deny_request` is a failure. */
const ANY = '(?!\\w*(?:error|reason|message|msg|details?|code|fault|exception)\\b)\\w{1,40}'
const OUTCOMES = 'status|state|result|outcome|decision|verdict|action|access|label|status_?text'
const DENIED = 'denied|rejected|refused|declined|forbidden|blocked'

/** How each intent shows in a record, and what stands there if it is read as done. */
const SHOWN: Readonly<Record<Intent, readonly (readonly [pattern: RegExp, done: string])[]>> = {
  d: [
    [field(ANY, DENIED), '$1done'],
    [field('allowed|authorized|permitted|accepted|approved', 'false'), '$1true'],
  ],
  f: [
    [field(OUTCOMES, 'fail|failed|failure'), '$1done'],
    [field('success(?:ful)?|ok|passed', 'false'), '$1true'],
  ],
  a: [[field(OUTCOMES, 'aborted'), '$1done']],
  i: [[field(OUTCOMES, 'invalid|invalidated'), '$1done']],
  c: [[/\b(?:disabled|suspended|deactivated|locked|expired|interrupted)\b/gi, 'done']],
  t: [
    [
      field(
        'active|attached|assigned|connected|enabled|exists?|followed|following|installed|linked|member|pinned|present|subscribed|can_contact',
        'false',
      ),
      '$1true',
    ],
    [
      /\b(?:can |may |has |have |is |are )?(?:no longer|not installed, so not)\b|\bdoes not have access\b(?=[^.\n]{0,60}\bany ?(?:more|longer)\b)/gi,
      'done',
    ],
  ],
  r: [
    [field('completed|done|published|sent|committed|executed|delivered|shared', 'false'), '$1true'],
  ],
}
const RECORD = /^\s*[[{]/
/** A longer text is not read for refusals. */
const LONG = 4_000
/** In a sentence, the service itself may have denied the call. */
const SENTENCE = new RegExp(
  `(?<!\\b[45]\\d\\d )\\b(?:(access|permission|request|connection|authori[sz]ation|authentication) )?(?:${DENIED})\\b`,
  'gi',
)
const DENIED_ANY = new RegExp(`\\b(?:${DENIED})\\b`, 'i')

/** The text with each intended outcome as if it were a success. `names`: whether the text names what the call was about. */
export function withoutIntended(
  text: string,
  intents: Intents | undefined,
  names: () => boolean,
): string {
  if (intents === undefined || text.length > LONG) return text
  let rest = text
  for (const intent of intents as Iterable<Intent>)
    for (const [pattern, done] of SHOWN[intent]) rest = rest.replace(pattern, done)
  if (!intents.includes('d') || RECORD.test(text) || !DENIED_ANY.test(rest)) return rest
  return rest.replace(SENTENCE, (whole, of?: string) =>
    of === undefined || names() ? 'done' : whole,
  )
}
