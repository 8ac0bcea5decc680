/**
 * The sentence of refusal in any field of the answer of a write, in a record that no rule knows:
 * `{ "retCode": 10001, "retMsg": "Order not found" }`, `["error", null, "Not permitted"]`.
 *
 * Intuition: whatever a service names its fields, it explains a refusal in a sentence, beside a code, a name or a label of a failure.
 * Hard cases: a stored record returns what people wrote, or the text of an alert. It also has the item of the call, a state, or the words
 * of the call. A good receipt explains what cannot be undone, beside what was done.
 * Rejected: the weight of a plain refusal. A default text of a stored record may read like one, so it counts half.
 */
import { isMap, isTooDeep, type Json } from '../data/json.ts'
import { recordIn } from '../answer/envelope.ts'
import { payloadOf } from '../answer/payload.ts'
import { isDurationName } from '../text/named-values.ts'
import { isNoError } from './no-error.ts'
import { saysMade } from './refused-write.ts'

/** `path`: the names around the value, with its own. */
type Leaf = readonly [name: string, value: string | number | boolean, path: string]

/** Whether the call names a value, whether a text consists mostly of words of the call, and whether it refuses. */
export interface FieldReading {
  readonly names: (value: string | number) => boolean
  readonly repeats: (text: string) => boolean
  readonly refuses: (text: string) => boolean
}

/** A longer record is content. */
const LENGTH_MAX = 600
const LEVELS_MAX = 8
const SENTENCE = /[\p{L}\d]\W*\s\W*[\p{L}\d]/u
/** What people wrote, and remarks beside what was done. */
const WRITTEN =
  /^(?:body|contents?|subject|title|summary|comments?|question|review|transcript|snippet|excerpt|quote|name|warnings?|notices?|notes?|hints?|info|policy|terms|disclaimer|std_?err|std_?out|logs?)$/i
const STATE = /(?:^|_)(?:status|state|result|outcome|phase|stage)(?:_?(?:text|name))?$/i
const CODE = /code|status|ret$|errno/i
/** Not a code of two letters, such as `NG`. */
const WORD = /\p{L}{3}/u
const WELL = /^(?:ok(?:ay)?|success(?:ful(?:ly)?)?|succeeded|completed?|done|[a-z]{1,20}:ok)$/i
const OF_EXCHANGE =
  /(?:request|req|trace|correlation|debug|span|log)_?id$|^(?:time(?:stamp)?|date|ts|at|took|duration\w*|elapsed\w*)$/i
const GENERATED = /^(?:(?=.*\d)[\da-f-]{16,}|\d{4}-\d\d-\d\d[T ]\d\d:.*|\d{10,})$/i
const TYPE = /^(?:type|typ|kind|severity|level)$/i
/** Not `stderr`, where programs warn, nor `default` and `preferred`. */
const FAILS =
  /(?:^|[ _.-])err(?:s|no|code|msg)?(?![a-z])|error|fail(?!over)|(?<!de)fault|exception|denied|denial|refus|reject|(?:^| )not(?:_|created|updated|deleted|found|allowed|permitted)/i
const LABEL =
  /^(?:[\w.:-]*(?:error|exception|failure|fault|failed|denied|rejected|refused)[\w.:-]*|npm ERR!.*)$/i
const FLAG_OF_FAILURE = /err|fail|retr|denied|refused|rejected|deprecated|fatal/i

/** `others`: what stands beside the sentences, without ids of requests and times. Another id makes it the answer of another record. */
export interface RefusingFields {
  readonly sentences: string
  readonly others: string
}

export function refusingFields(text: string, reading: FieldReading): RefusingFields | undefined {
  if (text.length > LENGTH_MAX) return undefined
  const record = recordIn(payloadOf(text))
  if (typeof record !== 'object' || record === null || isTooDeep(record, LEVELS_MAX))
    return undefined
  const leaves = leavesOf(record, '', '')
  const refusing = leaves.filter(refusesBy(reading))
  if (refusing.length === 0 || !leaves.some(isSign)) return undefined
  if (leaves.some(leaf => isMadeBy(leaf, reading))) return undefined
  const others = leaves.filter(leaf => !refusing.includes(leaf) && !isOfExchange(leaf))
  return { sentences: refusing.map(valueOf).join('\n'), others: others.map(valueOf).join('\n') }
}

const valueOf = ([, value]: Leaf) => `${value}`

const isOfExchange = ([name, value]: Leaf): boolean =>
  OF_EXCHANGE.test(name) || isDurationName(name) || GENERATED.test(`${value}`)

function leavesOf(value: Json, name: string, path: string): readonly Leaf[] {
  if (value === null) return []
  if (typeof value !== 'object') return [[name, value, path]]
  return isMap(value)
    ? Object.entries(value).flatMap(([inner, each]) => leavesOf(each, inner, `${path} ${inner}`))
    : value.flatMap(each => leavesOf(each, name, path))
}

const refusesBy =
  ({ repeats, refuses }: FieldReading) =>
  ([name, value]: Leaf): boolean =>
    typeof value === 'string' &&
    !WRITTEN.test(name) &&
    SENTENCE.test(value) &&
    refuses(value) &&
    !repeats(value)

/** Whether a field says that something failed: by its name, a code, or a label. */
const isSign = ([name, value, path]: Leaf): boolean =>
  (FAILS.test(path) && !isNoError(value)) ||
  (CODE.test(name) && !isGoodCode(name, value) && /^(?:-?\d+|\p{L}{2})$/u.test(`${value}`)) ||
  (TYPE.test(name) && /^[EA]$/.test(`${value}`)) ||
  (typeof value === 'string' && LABEL.test(value))

/** Whether a field says that the write was made, or that the record is the item of the call. */
function isMadeBy([name, value]: Leaf, { names, refuses }: FieldReading): boolean {
  if (typeof value === 'boolean') return value && !FLAG_OF_FAILURE.test(name)
  if (names(value) || isGoodCode(name, value) || isOwnId(name, value)) return true
  if (typeof value === 'number') return false
  if (SENTENCE.test(value)) return saysMade(value) && !refuses(value)
  return WELL.test(value) || (STATE.test(name) && WORD.test(value) && !refuses(value))
}

/** 0 and the statuses of success, also as texts: `"00000"`. */
const isGoodCode = (name: string, value: string | number | boolean): boolean =>
  CODE.test(name) && /^(?:0+|2\d\d)$/.test(`${value}`)

/** The id of a stored record, its page, or when it was stored. An id of a request, and one without digits, is that of a refusal. */
const isOwnId = (name: string, value: string | number): boolean =>
  (/^(?:_?id|uuid|guid|created(?:_?at)?)$/i.test(name) &&
    (typeof value === 'number' || /^(?=.*\d).{6}/.test(value))) ||
  /^(?:(?:html_?)?url|permalink)$/i.test(name)
