/** The content of a call, for comparison with other calls. */
import type { Json } from '../data/json.ts'
import { isMap, callKey, canonical, DEPTH_MAX, hashNumber } from '../data/json.ts'
import { insertHash, type MinHash, encodeHashes } from '../text/similarity.ts'
import type { ToolHints } from '../policy/detect-keys.ts'
import { type Aim, aimOf } from './aim.ts'
import { askedOf, searchesFile } from './asked.ts'
import { type Combined, combinedIn } from './combined.ts'
import { onlyAsks } from '../outcome/asking-command.ts'
import { filesIn } from '../outcome/file-report.ts'
import { type Intents, intentsOf } from './intention.ts'
import { itemsOf } from './items.ts'
import { namedCall } from './named-call.ts'
import { operationOf } from './operation.ts'
import { operandOf, operandsOf } from './operands.ts'
import { planIn } from './plan.ts'
import { type Query, queryOf } from './query.ts'
import { hintedArgs, plainArgs, withoutNotes } from './significant-args.ts'
import { textsIn } from '../answer/quoted-texts.ts'
import { spacedName } from '../text/tool-name.ts'
import { READ_MAX, read, type Reader } from '../text/words.ts'

/** The key of a call without the ids that were made for it, and these ids as hashes. */
export interface LapCall {
  readonly key: string
  readonly ids: string
}

export interface RequestFeatures {
  /** The identity of the call: its tool and the arguments that count. */
  readonly key: string
  /** The call without the ids that earlier writes made for it. */
  readonly lap?: LapCall
  readonly words: MinHash
  /** The numbers of the call in order: `page: 2` differs from `page: 3`. */
  readonly numbers: MinHash
  readonly aim: Aim['aim']
  /** The longest texts of the call. An answer that quotes them says nothing new by it. */
  readonly texts?: readonly string[]
  /** The short values of the call: an answer that repeats one is about it. */
  readonly items?: MinHash
  /** The names of its files: a linter reports on each. */
  readonly files?: readonly string[]
  /** The failures that the call intends, such as a denial. */
  readonly intents?: Intents
  /** The tool examines what it is given: a negative answer is its result. */
  readonly checks?: true
  /** The call runs a command or code: its answer is what came of it. */
  readonly runs?: true
  /** The call runs a command that only asks, such as `diff -q`. */
  readonly asks?: true
  /** The name of the tool says that it searches. */
  readonly searches?: true
  /** The call only thinks: its thought counts, and its numbers and its answer number the thoughts. */
  readonly thinks?: true
  /** The name that a search looks for, if the call says it apart from where it looks. */
  readonly asked?: MinHash
  /** What a query of a database is about. */
  readonly query?: Query
  /** The words of a command, or the names among the arguments, in their places, unless the call searches in more than one file. */
  readonly operands?: string
  /** The call stores a plan, which is its operand: its answer only says that it was stored. */
  readonly plans?: true
  /** What its tool is to do: `method: 'POST'`, the verb of a statement in SQL. */
  readonly operation?: string
  /** The values that the call combines. */
  readonly combined?: Combined
  /** The call combines known values as no earlier one did. */
  readonly combines?: true
  /** The call does nothing but wait. `sleep 5; cat log` also reads. */
  readonly onlyWaits?: true
}

const RUN = /^(command|cmd|code|script)$/i
/** A tool that examines what it is given, by a word of its name: `run_tests`, `validateFile`. */
const CHECK =
  /\b(?:check|validate|verify|lint|tests?|audit|inspect|probe|ping|extract|scan|detect|parse|proofread|ocr|analy[sz]e|whois|exists)\b/i
/** The whole of an argument of a call that only waits: `sleep 60`, `10m`. */
const PAUSE = /^(?:(?:sleep|wait|delay|pause)(?:\s+|$))?(?:\d+(?:[.:]\d+)*\s*[a-z]{0,12})?$/i
const DAY = /^\d{4}-\d\d-\d\d$/
/** The time of a day, or of a date. */
const TIME = /^(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/
const TEXTS_MAX = 3
const TEXT_MAX = 120
/** The last of these numbers stands for all that follow. */
const NUMBERS_MAX = 8

const THINKING = /think|thought/i
/** A phrase that an agent thinks at each step is shorter. */
const THOUGHT_MIN = 200

/** The long thought of a call that has only numbers and flags beside it. */
function thoughtIn(tool: string, args: Json): Json | undefined {
  if (!THINKING.test(tool) || !isMap(args)) return undefined
  const { thought, ...others } = args
  const isLong = typeof thought === 'string' && thought.length >= THOUGHT_MIN
  const counts = Object.values(others)
  const isNumbered =
    counts.some(isNumber) && counts.every(value => isNumber(value) || isFlag(value))
  return isLong && isNumbered ? { thought } : undefined
}

const isNumber = (value: Json): boolean => typeof value === 'number'
const isFlag = (value: Json): boolean => typeof value === 'boolean'

/** `known`: the key of the call if all its arguments count. */
export function requestFeatures(
  subject: string,
  received: Json,
  { identity, ignore }: ToolHints = {},
  known?: string,
): RequestFeatures {
  const call = namedCall(subject, received)
  const { tool, args } = call
  const isHinted = identity !== undefined || ignore !== undefined
  const listed = isHinted ? hintedArgs(received, identity, ignore) : withoutNotes(received)
  const counted = listed === received ? call : namedCall(subject, listed)
  const thought = isHinted ? undefined : thoughtIn(tool, args)
  const outer = thought ?? (isHinted ? counted.args : withoutNotes(counted.args))
  const counting = plainArgs(outer, identity !== undefined)
  const whole = counted.beside === undefined ? counting : [counted.beside, counting]
  const key = whole === received && known !== undefined ? known : callKey(subject, whole)
  const { aim, searches, work } = aimOf(tool, firstText(counting), counting)
  const texts = textsOf(counting)
  const plan = planIn(tool, args)
  // As a list of records, it is identified by its content in order.
  const counts = plan === undefined ? (work ?? counting) : [{ plan }]
  const features = { key, ...wordsOf(counts, counted.beside, aim), aim }
  const items = itemsOf(args)
  const files = filesIn(counting)
  const intents = intentsOf(tool, args)
  const asked = aim === 'seek' ? askedOf(counting) : undefined
  const query = queryOf(counting)
  const asks = onlyAsks(args)
  const inFile = aim === 'seek' && searchesFile(counting)
  const isNamed = aim !== 'seek' || inFile
  const named = isNamed ? operandsOf(counting, asks || inFile) : undefined
  const operands = plan === undefined ? named : operandOf(plan)
  const runs = isMap(args) && Object.keys(args).some(name => RUN.test(name))
  const operation = operationOf(counting)
  const combined = runs ? undefined : combinedIn(subject, counting, counted.beside)
  return {
    ...features,
    ...(texts.length > 0 && { texts }),
    ...(items !== undefined && { items }),
    ...(files.length > 0 && { files }),
    ...(intents !== undefined && { intents }),
    ...(CHECK.test(spacedName(tool)) && { checks: true as const }),
    ...(runs && { runs: true as const }),
    ...(asks && { asks: true as const }),
    ...(searches && { searches: true as const }),
    ...(operands !== undefined && { operands }),
    ...(plan !== undefined && { plans: true as const }),
    ...(thought !== undefined && { thinks: true as const }),
    ...(asked !== undefined && { asked }),
    ...(query !== undefined && { query }),
    ...(operation !== undefined && { operation }),
    ...(combined !== undefined && { combined }),
    ...(aim === 'wait' && isPause(counting) && { onlyWaits: true as const }),
  }
}

/** The words of a call and its numbers, also of what a dispatcher is told. Queries in a list are not identified by their order. */
function wordsOf(args: Json, beside: Json | undefined, aim: Aim['aim']) {
  const words: number[] = []
  const numbers: number[] = []
  const reader: Reader = {
    word: hash => insertHash(words, hash),
    number(hash) {
      const last = numbers[NUMBERS_MAX - 1]
      if (last === undefined) numbers.push(hash)
      else numbers[NUMBERS_MAX - 1] = (Math.imul(last, 0x01000193) ^ hash) & 0x3ffff
    },
  }
  readValues(args, reader, READ_MAX, 0, aim === 'seek' ? LISTS_MAX : 0)
  if (beside !== undefined) readValues(beside, reader, READ_MAX, 0)
  return { words: encodeHashes(words), numbers: encodeHashes(numbers) }
}

/** Whether the arguments are durations. A condition, such as an element of a page, is asked for. */
const isPause = (args: Json): boolean =>
  (isMap(args) ? Object.values(args) : [args]).every(
    value => typeof value !== 'object' && PAUSE.test(String(value)),
  )

const textsOf = (args: Json): readonly string[] =>
  textsIn(args, TEXT_MAX)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, TEXTS_MAX)

/** Lists of records inside each other that are identified. Each is read whole. */
const LISTS_MAX = 4

/** Reads the values in `value`, without their names. Returns the characters left of `budget`. `lists`: the lists of records around it. */
function readValues(value: Json, reader: Reader, budget: number, depth: number, lists = 0): number {
  if (budget <= 0 || value === null || depth > DEPTH_MAX) return budget
  if (typeof value !== 'object') {
    const text = typeof value === 'string' ? value : String(value)
    readText(text, reader)
    return budget - Math.min(text.length, READ_MAX)
  }
  // A list of records in another order, or with another state in one of them, is another list.
  const isIdentified = lists < LISTS_MAX && Array.isArray(value) && value.some(isMap)
  if (isIdentified) reader.number(hashNumber(canonical(value)) & 0x3ffff)
  let left = budget
  for (const inner of Object.values(value))
    left = readValues(inner as Json, reader, left, depth + 1, lists + Number(isIdentified))
  return left
}

/** A day has a name, and a time is one number: the 3rd of February is not a combination of a 2 and a 3. */
function readText(text: string, reader: Reader): void {
  const whole = text.trim()
  if (DAY.test(whole)) reader.word(hashNumber(whole) & 0x3ffff)
  else if (TIME.test(whole)) reader.number(hashNumber(whole) & 0x3ffff)
  else read(text, 'none', reader)
}

function firstText(value: Json): string {
  const first = isMap(value) ? Object.values(value)[0] : value
  return typeof first === 'string' ? first.trimStart().slice(0, TEXT_MAX) : ''
}
