/** Amounts as people read them: durations, money, counts, points in time, and what was spent of each limit. */
import { type Spent, SPENDABLE } from '../../../core/watch/event/call-event.ts'
import { formatAmount } from '../../../core/graph/worst-case/limit.ts'
import { NBSP, type Span, styled } from './layout.ts'

/** `2026-03-01 09:30:00Z` */
export const timeText = (at: number): string =>
  new Date(at).toISOString().replace('T', ' ').replace(/\.\d+/, '')

/** `1 call`, `1,200 calls`. */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

type Unit = keyof Spent

const NOUNS: Readonly<Partial<Record<Unit, string>>> = {
  steps: 'step',
  toolCalls: 'tool call',
  modelCalls: 'model call',
  tokens: 'token',
}

function amountText(unit: Unit, value: number): string {
  if (unit !== 'usd') return formatAmount(value, unit)
  return `$${value < 1 ? Number(value.toFixed(4)) : value.toFixed(2)}`
}

/** The amounts spent, each with its limit if it has one. An amount close to its limit is colored. */
export function spentText(
  spent: Spent,
  limits: Partial<Spent> = {},
  units: readonly Unit[] = SPENDABLE,
): readonly Span[] {
  // Without a price, no model costs anything.
  const shown = units.filter(
    unit => spent[unit] > 0 || (limits[unit] !== undefined && unit !== 'usd'),
  )
  if (shown.length === 0) return ['nothing']
  return shown.flatMap((unit, index): readonly Span[] => {
    const { [unit]: limit } = limits
    const most = limit === undefined ? '' : `/${amountText(unit, limit)}`
    const noun = NOUNS[unit] ? ` ${NOUNS[unit]}${(limit ?? spent[unit]) === 1 ? '' : 's'}` : ''
    const text = `${amountText(unit, spent[unit])}${most}${noun}`.replaceAll(' ', NBSP)
    const ratio = limit === undefined ? 0 : spent[unit] / limit
    const color = ratio >= 1 ? 'red' : 'yellow'
    return [...(index > 0 ? [' · '] : []), ratio >= 0.8 ? styled(text, color) : text]
  })
}
