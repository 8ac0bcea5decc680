/**
 * What a graph gives to its models: the outputs of nodes in code, and what these nodes ask.
 *
 * Intuition: a judge that answers "harmless" to forty comments answers forty questions, although a text alone does not show them.
 * Hard cases: a node in code that counts laps or returns the time gives nothing new, and neither does a prompt that grows only by what
 * the model said itself. Rejected: each request that differs from the one before. The history of an agent grows with every text.
 */
import { hash, type Json, remember, SHORT_HASH, shortHash } from '../data/json.ts'
import { contentHash } from './content-features.ts'
import { textOf } from '../answer/result-text.ts'
import { withoutAdded, withoutNumbers } from '../text/without-numbers.ts'

export interface GraphInput {
  /** Short hashes of outputs, of questions and of what models answered to them, in one string, newest last. */
  readonly known: string
  /** The latest output of each node in code. */
  readonly outputs: readonly NodeOutput[]
  /** The latest node in code that has asked a model: its output repeats what the model said. */
  readonly effect?: string
  /** The request of the latest text. */
  readonly key?: string
  /** Something new came after it. */
  readonly isNew?: true
}

/** `words`: the hash of the output without its numbers. */
type NodeOutput = readonly [node: string, words: string, numbers: readonly number[]]

const NO_INPUT: GraphInput = { known: '', outputs: [] }
const KNOWN_MAX = 24 * SHORT_HASH
const NODES_MAX = 8
const NUMBERS_MAX = 8
/** A longer output is read up to here. */
const LENGTH_MAX = 65_536
const NUMBER = /-?\d+(?:\.\d+)?/g

/** The input after a node in code is done. Its first output is what the model began with. */
export function afterOutput(
  input: GraphInput = NO_INPUT,
  { effect, output }: { readonly effect: string; readonly output: Json },
): GraphInput {
  if (effect === input.effect) return input
  const text = textOf(output).slice(0, LENGTH_MAX)
  const node = effect.slice(0, effect.lastIndexOf('#'))
  const id = shortHash(hash(`${node} ${contentHash(text)}`))
  const words = shortHash(hash(withoutNumbers(text) ?? text))
  const numbers = (text.match(NUMBER) ?? []).slice(0, NUMBERS_MAX).map(Number)
  const last = input.outputs.find(([other]) => other === node)
  const others = input.outputs.filter(other => other !== last)
  const isNew = last && !input.known.includes(id) && !hasCounted(last, words, numbers)
  return {
    ...input,
    known: withKnown(input.known, id),
    outputs: remember(others, [node, words, numbers] as const, NODES_MAX),
    ...(isNew && { isNew }),
  }
}

/** The input after a call of the graph returned something new. */
export const withNews = (input: GraphInput = NO_INPUT): GraphInput => ({ ...input, isNew: true })

/** Whether each number is the same as before or the next one. */
const hasCounted = (
  [, before, from]: NodeOutput,
  words: string,
  numbers: readonly number[],
): boolean =>
  words === before &&
  numbers.every((number, nth) => number === from[nth] || number === (from[nth] ?? 0) + 1)

/** A text and its request, as a model event holds them. */
interface AskedText {
  readonly effect: string
  readonly key: string
  readonly text: string
  readonly question?: string
}

/** Whether the text answers another question than the ones before, and the input after it. */
export function afterText(
  input: GraphInput | undefined,
  { effect, key, text, question }: AskedText,
): readonly [GraphInput | undefined, asked: boolean] {
  if (question === undefined) {
    if (!input) return [undefined, false]
    const { isNew, ...rest } = input
    return [{ ...rest, key: shortHash(key) }, isNew === true && input.key !== shortHash(key)]
  }
  const { known, outputs } = input ?? NO_INPUT
  const parts = question.match(PART) ?? []
  const asked = parts.some(part => !known.includes(part))
  const all = [...parts, partOf(text)].reduce(withKnown, known)
  return [{ known: all, outputs, effect, key: shortHash(key) }, asked]
}

const withKnown = (known: string, id: string): string =>
  known.includes(id) ? known : (known + id).slice(-KNOWN_MAX)

const PART = new RegExp(`.{${SHORT_HASH}}`, 'g')
const partOf = (text: string): string => shortHash(hash(withoutAdded(text)))

/** The messages that may hold a question. */
const MESSAGES_MAX = 4

/** What a node in code asks a model: short hashes of the system prompt and of the latest messages that are not of the model. */
export const questionIn = ({ system, messages }: Prompt): string =>
  [
    system,
    ...messages
      .filter(({ role }) => role !== 'assistant')
      .slice(-MESSAGES_MAX)
      .map(({ content }) => content),
  ]
    .map(partOf)
    .join('')

interface Prompt {
  readonly system: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}
