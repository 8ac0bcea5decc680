/** What a thread spent. Only this file counts steps, calls, tokens and money. */

/** Tokens of one model call. `usd` is computed once, with the price at that time. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly usd: number
  /** The endpoint reported no usage. It was counted from the texts. */
  readonly estimated?: true
}

/**
 * Validates the usage that an endpoint reports. One NaN or negative number in a total would disable every limit. A request without
 * input does not exist: a report without input tokens counts as missing.
 */
export function readUsage(
  usage: { readonly input: number; readonly output: number; readonly cached?: number } | undefined,
): Omit<Usage, 'usd' | 'estimated'> | undefined {
  if (!usage || !isCount(usage.input) || !isCount(usage.output)) return undefined
  const { input, output, cached } = usage
  if (input === 0) return undefined
  return { input, output, cached: isCount(cached) ? Math.min(cached, input) : 0 }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

/** US dollars per million tokens. `cached`: input tokens from the provider's cache; default: the price of `input`. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cached?: number
}

export function cost(price: Price | undefined, usage: Omit<Usage, 'usd'>): number {
  if (!price) return 0
  const { input, output, cached } = usage
  const cachedPrice = price.cached ?? price.input
  return roundMoney(
    ((input - cached) * price.input + cached * cachedPrice + output * price.output) / 1e6,
  )
}

/** To 1e-12 dollars: enough for one token at a price of six decimals, and without the errors of binary fractions. */
export function roundMoney(usd: number): number {
  return Math.round(usd * 1e12) / 1e12
}

export const SPENDABLE = ['steps', 'toolCalls', 'modelCalls', 'tokens', 'usd', 'duration'] as const

/** `duration` is in ms, without the time in which the thread waited for people or had no driver. */
export type Spent = { readonly [K in (typeof SPENDABLE)[number]]: number }

export const NOTHING_SPENT = fillSpent(() => 0)

export function addSpent(one: Spent, other: Spent): Spent {
  return fillSpent(unit => one[unit] + other[unit])
}

export function subtractSpent(now: Spent, then: Spent): Spent {
  return fillSpent(unit => now[unit] - then[unit])
}

function fillSpent(amount: (unit: keyof Spent) => number): Spent {
  return {
    steps: amount('steps'),
    toolCalls: amount('toolCalls'),
    modelCalls: amount('modelCalls'),
    tokens: amount('tokens'),
    usd: roundMoney(amount('usd')),
    duration: amount('duration'),
  }
}
