/** A recording as a sequence of turns: messages of people, answers of a model with their calls, and results. */
import type { Act } from '../../src/core/watch/trace-watcher.ts'
import { type Json, canonical } from '../../src/core/watch/data/json.ts'
import type { ModelReply } from '../../src/runtime/model-message.ts'

type Recorded<K extends Act['act']> = Extract<Act, { readonly act: K }>

/** A tool result of the recording; `at`: the number of its event. */
interface Result {
  readonly at: number
  readonly answer: Recorded<'answered'>
}

export class Player {
  /** The number of the event that was played last. */
  at = -1
  readonly speakers: readonly string[]
  /** The names of the tools in the spec by their names in the recording. */
  readonly tools: ReadonlyMap<string, string>
  readonly #acts: readonly Act[]
  readonly #results: ReadonlyMap<number, Result>
  #cursor = 0
  #speaker = 0
  #wasPerson = false
  /** The calls of the latest answer that have no result yet. */
  #open: { at: number; tool: string; args: string }[] = []

  constructor(acts: readonly Act[]) {
    this.#acts = acts
    this.#results = resultsOf(acts)
    const speakers = acts.flatMap(act => (isAnswer(act) ? (act.by ?? '') : []))
    this.speakers = speakers.length > 0 ? [...new Set(speakers)] : ['']
    const names = new Set(acts.flatMap(act => (act.act === 'called' ? act.tool : [])))
    this.tools = new Map([...names].map((name, index) => [name, specName(name, index)]))
  }

  /** Whether it has calls, but no result. */
  get hasNoResults(): boolean {
    return this.#results.size === 0 && this.tools.size > 0
  }

  /** The message of a person at this place. The first messages are one. */
  message(): string | undefined {
    const texts: string[] = []
    const isFirst = this.#cursor === 0
    for (let act = this.#acts[this.#cursor]; isPerson(act); act = this.#acts[this.#cursor]) {
      if (texts.length > 0 && !isFirst) break
      texts.push(act.text)
      this.at = this.#cursor++
      this.#wasPerson = true
    }
    return texts.length > 0 ? texts.join('\n\n') : undefined
  }

  /** The speaker of the next answer. `undefined`: a person is next, or nothing is left. */
  next(): number | undefined {
    for (let act = this.#acts[this.#cursor]; act && isSilent(act); act = this.#acts[this.#cursor])
      this.#cursor++
    const act = this.#acts[this.#cursor]
    // Between two messages of people, the agent gave an empty answer.
    if (act === undefined || (isPerson(act) && !this.#wasPerson)) return undefined
    this.#wasPerson = false
    if (isAnswer(act)) this.#speaker = this.speakers.indexOf(act.by ?? '')
    return this.#speaker
  }

  /** The next answer: a text with the calls that follow it. */
  answer(): ModelReply {
    const first = this.#acts[this.#cursor]
    const text = first && isAnswer(first) ? first.text : ''
    if (first && isAnswer(first)) this.at = this.#cursor++
    const calls: ModelReply['calls'][number][] = []
    this.#open = []
    for (
      let act = this.#acts[this.#cursor];
      act?.act === 'called';
      act = this.#acts[this.#cursor]
    ) {
      const tool = this.tools.get(act.tool) ?? act.tool
      const args = (isObject(act.args) ? act.args : { value: act.args }) as Json
      calls.push({ id: `call-${this.#cursor}`, tool, args })
      this.#open.push({ at: this.#cursor, tool, args: canonical(args) })
      this.at = this.#cursor++
    }
    return { text, calls }
  }

  /** The recorded result of a call of the latest answer. @throws Error if the call failed */
  result(tool: string, args: Json): string | null {
    const key = canonical(args)
    const call =
      this.#open.find(open => open.tool === tool && open.args === key) ??
      this.#open.find(open => open.tool === tool)
    if (!call) throw new Error(`no call of ${tool} is open`)
    this.#open.splice(this.#open.indexOf(call), 1)
    const result = this.#results.get(call.at)
    if (!result) return null
    this.at = Math.max(this.at, result.at)
    const { text, length = text.length, hash, ok } = result.answer
    const whole = length > text.length ? `${text}\n${inLetters(hash ?? `${length}`)}` : text
    if (ok === false) throw new Error(whole)
    return whole
  }
}

function isPerson(act: Act | undefined): act is Recorded<'said'> {
  return act?.act === 'said' && act.person === true
}

function isAnswer(act: Act): act is Recorded<'said'> {
  return act.act === 'said' && !act.person && act.by !== 'thinking'
}

/** Results are played with their calls. Hidden reasoning is not part of a conversation. */
function isSilent(act: Act): boolean {
  return act.act === 'answered' || (act.act === 'said' && act.by === 'thinking')
}

/** A recorded text is cut. Its hash stands for the rest; detectors ignore many numbers, but no words. */
function inLetters(hash: string): string {
  return hash.replace(/\d/g, digit => 'ghijklmnop'[Number(digit)] ?? '')
}

function specName(name: string, index: number): string {
  const plain = name.replace(/[^\w-]/g, '_')
  return /^[A-Za-z]\w*$/.test(plain) ? plain : `tool${index}_${plain}`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The result of each call: by its id, otherwise in order. */
function resultsOf(acts: readonly Act[]): ReadonlyMap<number, Result> {
  const results = new Map<number, Result>()
  const open: { at: number; call: string | undefined }[] = []
  for (const [at, act] of acts.entries()) {
    if (act.act === 'called') open.push({ at, call: act.call })
    if (act.act !== 'answered') continue
    const named = open.findIndex(({ call }) => act.call !== undefined && call === act.call)
    const [call] = open.splice(Math.max(0, named), 1)
    if (call) results.set(call.at, { at, answer: act })
  }
  return results
}
