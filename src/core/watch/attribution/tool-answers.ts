/** The answers of one tool, indexed: each is compared with all others, and a trace may have thousands. */
import { callKey, isMap, type Json } from '../data/json.ts'
import { Continuations } from './continuations.ts'
import { type Answered, fieldsOf } from './step.ts'

export class ToolAnswers {
  count = 0
  empty = 0
  bare = 0
  /** Neither empty nor a bare success. */
  usual = 0
  /** Of the usual answers: how many have each shape. */
  readonly shapes = new Map<string, number>()
  /** Of the usual answers: the fields that are true in one of them. */
  readonly flags = new Set<string>()
  /** The fields with a text that ends like a sentence. */
  readonly ended = new Set<string>()
  readonly #byArgs = new Map<string, Answered[]>()
  readonly #continued = new Map<string, ReadonlyMap<string, Continuations>>()

  add(of: Answered): void {
    const { value, args } = of
    this.count++
    if (isEmptyValue(value)) this.empty++
    if (isBareSuccess(value)) this.bare++
    if (isUsual(value)) {
      this.usual++
      const shape = shapeOf(value)
      this.shapes.set(shape, (this.shapes.get(shape) ?? 0) + 1)
    }
    for (const [path, inner] of fieldsOf(value)) {
      if (inner === true && isUsual(value)) this.flags.add(path)
      if ((Array.isArray(inner) ? inner : [inner]).some(hasEnd)) this.ended.add(path)
    }
    const key = callKey('', args)
    const same = this.#byArgs.get(key)
    if (same) same.push(of)
    else this.#byArgs.set(key, [of])
  }

  /** The fields of all answers to the same arguments, by their paths. */
  fieldsFor(args: Json): ReadonlyMap<string, Continuations> {
    const key = callKey('', args)
    const known = this.#continued.get(key)
    if (known) return known
    const answers = this.#byArgs.get(key) ?? []
    const fields = new Map<string, Continuations>()
    // An answer never continues itself.
    for (const { value } of answers.length > 1 ? answers : [])
      for (const [path, inner] of fieldsOf(value)) {
        const texts = fields.get(path) ?? new Continuations()
        texts.add(inner)
        fields.set(path, texts)
      }
    this.#continued.set(key, fields)
    return fields
  }
}

/** The answers by their tools. */
export function answersByTool(answers: readonly Answered[]): ReadonlyMap<string, ToolAnswers> {
  const tools = new Map<string, ToolAnswers>()
  for (const of of answers) {
    const tool = tools.get(of.subject) ?? new ToolAnswers()
    tool.add(of)
    tools.set(of.subject, tool)
  }
  return tools
}

export const isEmptyValue = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

const SUCCESS: ReadonlySet<string> = new Set(['done', 'ok', 'success', 'status', 'accepted'])

/** `{ done: true }`: an answer that says only that all is well. */
export const isBareSuccess = (value: Json): boolean =>
  isMap(value) &&
  Object.entries(value).every(
    ([key, inner]) => SUCCESS.has(key) && (inner === true || inner === 'ok'),
  )

export const isUsual = (value: Json): boolean => !isEmptyValue(value) && !isBareSuccess(value)

export const shapeOf = (value: Json): string =>
  isMap(value) ? Object.keys(value).toSorted().join() : typeof value

/** Whether it is a text that ends like a sentence. */
export const hasEnd = (text: Json): boolean =>
  typeof text === 'string' && /[.!?)\]}>"'`]\s*$/.test(text)
