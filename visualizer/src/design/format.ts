/** Numbers and times for people. */
const NUMBER = new Intl.NumberFormat('en-US')

export const numberText = (value: number): string => NUMBER.format(Math.round(value))

export function moneyText(usd: number): string {
  if (usd === 0) return '$0'
  if (usd < 0.0001) return '<$0.0001'
  return `$${usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
] as const

/** `1 tool call`, `2 tool calls`. */
export const countText = (count: number, name: string): string =>
  `${numberText(count)} ${name}${count === 1 ? '' : 's'}`

/** `1.2 s`, `2 m 14 s`, `3 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const [size, name] = UNITS.find(([size]) => ms >= size) ?? UNITS[2]
  const rest = ms % size
  const [next, inner] = UNITS[UNITS.findIndex(([each]) => each === size) + 1] ?? [1_000, 's']
  return `${Math.floor(ms / size)} ${name} ${Math.floor(rest / next)} ${inner}`
}

/** `12 s ago`. `now` may be fixed for screenshots. */
export const agoText = (at: number, now: number): string => `${durationText(now - at)} ago`

/** Like `agoText`, without seconds that change while they are read. */
export const sinceText = (at: number, now: number): string =>
  now - at < 60_000 ? 'less than a minute ago' : agoText(at, now)

/** `14:32`, or `Nov 28, 09:00` on another day. */
export const clockText = (at: number): string =>
  new Date(at).toLocaleString('en-US', {
    ...(new Date(at).toDateString() !== new Date().toDateString() && DAY),
    ...CLOCK,
  })

export const dateText = (at: number): string =>
  new Date(at).toLocaleString('en-US', { ...DAY, ...CLOCK, second: '2-digit' })

const DAY = { month: 'short', day: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hour12: false } as const

export const timeText = (at: number): string =>
  new Date(at).toLocaleTimeString('en-US', { hour12: false })

/** JSON for reading. Long texts are cut, because the browser lays out every character. */
export function jsonText(value: unknown, most = 20_000): string {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  return text.length > most
    ? `${text.slice(0, most)}\n… ${numberText(text.length - most)} more characters`
    : text
}

/** One line of a value, cut to a length. */
export function lineText(value: unknown, most = 160): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return cutText(text.replace(/\s+/g, ' '), most)
}

export const cutText = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
