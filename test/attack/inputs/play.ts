/** One hostile input: made from its number, thrown at its target, and judged. */
import type { Json } from '../../../src/core/watch/data/json.ts'
import { type Chance, chance } from '../chance.ts'
import { mutate, retyped, typo } from './mutate.ts'
import { TARGETS, type Target } from './targets.ts'

export interface Played {
  readonly target: string
  /** `unparsed`: the syntax layer rejected it. */
  readonly end: 'value' | 'error' | 'unparsed'
  readonly ms: number
  readonly broken?: string
}

/** The longest time in ms that one input may take. The slowest takes far less, also on a busy machine. */
const TIME_MAX = 5_000
/** Mutations of one input. */
const MUTATIONS_MAX = 4
/** The share of inputs whose text is changed, too. Most of them fail in the syntax layer. */
const TEXT = 0.06

const wheel = TARGETS.flatMap(target => Array<Target>(target.weight).fill(target))

export async function playInput(seed: number, number: number, file: string): Promise<Played> {
  const plan = planOf(seed, number)
  const played = await throwAt(plan.target, inputOf(plan, plan.mutations), file)
  if (played.broken === undefined) return played
  return { ...played, broken: `${played.broken}\n  input: ${await smallest(plan, played, file)}` }
}

interface Plan {
  readonly target: Target
  readonly base: Json
  readonly mutations: readonly ((value: Json) => Json)[]
  readonly ofText: ((text: string) => string) | undefined
}

function planOf(seed: number, number: number): Plan {
  const draw = chance(`${seed}/inputs/${number}`)
  const target = draw.pick(wheel)
  const base = draw.pick(target.corpus)
  const many = 1 + draw.below(MUTATIONS_MAX)
  const mutations = Array.from({ length: many }, (_, nth) => mutation(target, draw.of(nth)))
  const ofText = draw.next() < TEXT ? (text: string) => typo(text, draw.of('text')) : undefined
  return { target, base, mutations, ofText }
}

function mutation({ corpus }: Target, draw: Chance): (value: Json) => Json {
  const donor = draw.pick(corpus)
  const seed = draw.next()
  return value => {
    const own = chance(seed)
    return typeof value === 'string'
      ? retyped(value, String(donor), own)
      : mutate(value, donor, own)
  }
}

/** The mutated value; `undefined` if its text is not JSON any more. */
function inputOf({ base, ofText }: Plan, mutations: Plan['mutations']): Json | undefined {
  const value = mutations.reduce((before, change) => change(before), base)
  const text = JSON.stringify(value)
  try {
    return JSON.parse(ofText ? ofText(text) : text) as Json
  } catch {
    return undefined
  }
}

async function throwAt(
  { name: target, read, errors }: Target,
  value: Json | undefined,
  file: string,
): Promise<Played> {
  if (value === undefined) return { target, end: 'unparsed', ms: 0 }
  const began = performance.now()
  const { end, broken } = await ending()
  const ms = performance.now() - began
  const late = ms > TIME_MAX ? `took ${Math.round(ms)} ms` : undefined
  const fault = broken ?? late ?? pollution()
  return { target, end, ms, ...(fault === undefined ? {} : { broken: `${target}: ${fault}` }) }

  async function ending(): Promise<Pick<Played, 'end' | 'broken'>> {
    try {
      return { end: (await read(value as Json, file)) === false ? 'unparsed' : 'value' }
    } catch (error) {
      const fault = unclear(error, errors)
      return { end: 'error', ...(fault === undefined ? {} : { broken: fault }) }
    }
  }
}

/** Messages of crashes: the code met a value that it did not expect. */
const CRASH =
  /Maximum call stack|Cannot (read|set|destructure|convert|access|use|mix)|is not (a function|iterable|a constructor)|Invalid array length|out of memory|Invalid string length|circular structure|reduce of empty|unclear|not stable|not plain data|without a fault/
const MESSAGE_MAX = 20_000

/** Why an error is not a clear refusal. */
function unclear(error: unknown, errors: readonly string[]): string | undefined {
  const { name, message, stack = '' } = error as Error
  if (!errors.includes(name)) return stack.slice(0, 800)
  if (CRASH.test(message)) return stack.slice(0, 800)
  if (message.trim() === '' || message.length > MESSAGE_MAX)
    return `${name} with a message of ${message.length} characters`
  return undefined
}

const PROTOTYPES = [Object, Array, String, Number, Function, Promise, RegExp].map(
  type => [type.prototype as object, Reflect.ownKeys(type.prototype).length] as const,
)

function pollution(): string | undefined {
  const polluted = PROTOTYPES.some(([of, keys]) => Reflect.ownKeys(of).length !== keys)
  return polluted ? 'a prototype was polluted' : undefined
}

/** The fewest mutations that break the same rule, as JSON. */
async function smallest(plan: Plan, { broken = '' }: Played, file: string): Promise<string> {
  const rule = (text = '') => text.split('\n')[0]?.slice(0, 200).replace(/\d+/g, '#')
  let { mutations } = plan
  for (const dropped of plan.mutations) {
    const fewer = mutations.filter(each => each !== dropped)
    const value = inputOf(plan, fewer)
    const again = await throwAt(plan.target, value, file)
    if (rule(again.broken) === rule(broken)) mutations = fewer
  }
  return JSON.stringify(inputOf(plan, mutations))?.slice(0, 4_000) ?? ''
}
