/** What a thread has spent: the only place where steps, calls, tokens and money are counted. */

/** Tokens of one model call. `usd` is computed once, from the price then, and never again. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly usd: number
  /** The endpoint reported none: counted from the texts. */
  readonly estimated?: true
}

/**
 * What an endpoint tells of its tokens, as far as it can be counted with. `undefined` where it cannot: one sum that is no number
 * would be over no limit ever again, and one below zero would give back what was spent.
 */
export function readUsage(
  told: { readonly input: number; readonly output: number; readonly cached?: number } | undefined,
): Omit<Usage, 'usd' | 'estimated'> | undefined {
  if (!told || !isCount(told.input) || !isCount(told.output)) return undefined
  return {
    input: told.input,
    output: told.output,
    cached: isCount(told.cached) ? Math.min(told.cached, told.input) : 0,
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

/** US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** For input tokens read from the provider's cache; the price of `input` if absent. */
  readonly cached?: number
}

export function cost(price: Price | undefined, usage: Omit<Usage, 'usd'>): number {
  if (!price) return 0
  const fresh = usage.input - usage.cached
  return roundMoney(
    (fresh * price.input +
      usage.cached * (price.cached ?? price.input) +
      usage.output * price.output) /
      1e6,
  )
}

/** To the trillionth of a dollar: one token at a price of six decimals, and no trace of what binary fractions lose. */
export function roundMoney(usd: number): number {
  return Math.round(usd * 1e12) / 1e12
}

/** `duration` is in ms, without waiting for people and without the time when no driver ran. */
export interface Spent {
  readonly steps: number
  readonly toolCalls: number
  readonly modelCalls: number
  readonly tokens: number
  readonly usd: number
  readonly duration: number
}

export const NOTHING_SPENT: Spent = {
  steps: 0,
  toolCalls: 0,
  modelCalls: 0,
  tokens: 0,
  usd: 0,
  duration: 0,
}

export const SPENDABLE = [
  'steps',
  'toolCalls',
  'modelCalls',
  'tokens',
  'usd',
  'duration',
] as const satisfies readonly (keyof Spent)[]

export function addSpent(one: Spent, other: Spent): Spent {
  return {
    steps: one.steps + other.steps,
    toolCalls: one.toolCalls + other.toolCalls,
    modelCalls: one.modelCalls + other.modelCalls,
    tokens: one.tokens + other.tokens,
    usd: roundMoney(one.usd + other.usd),
    duration: one.duration + other.duration,
  }
}

export function subtractSpent(now: Spent, then: Spent): Spent {
  return {
    steps: now.steps - then.steps,
    toolCalls: now.toolCalls - then.toolCalls,
    modelCalls: now.modelCalls - then.modelCalls,
    tokens: now.tokens - then.tokens,
    usd: roundMoney(now.usd - then.usd),
    duration: now.duration - then.duration,
  }
}
