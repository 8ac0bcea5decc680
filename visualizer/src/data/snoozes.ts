/** Questions that a person has put off, in this browser alone: no thread notices. A question wakes before its deadline. */
import { useSyncExternalStore } from 'react'

const KEY = 'escapement.snoozed'
const SNOOZES_MAX = 200
const MINUTE = 60_000
const HOUR = 3_600_000
const MORNING = 9

interface Asked {
  readonly thread: string
  readonly id: string
  readonly deadline?: number
}

/** When each question wakes, in ms, by its key. */
export type Snoozes = Readonly<Record<string, number>>

export const keyOf = ({ thread, id }: Asked): string => `${thread} ${id}`

/** When a question wakes. Returns `undefined` for one that is awake. */
export function snoozedUntil(snoozes: Snoozes, asked: Asked, now: number): number | undefined {
  const until = Math.min(snoozes[keyOf(asked)] ?? 0, latestFor(asked, now))
  return until > now ? until : undefined
}

export function snooze(asked: Asked, until: number): void {
  const others = Object.entries(read()).filter(([key]) => key !== keyOf(asked))
  write(Object.fromEntries([[keyOf(asked), until], ...others].slice(0, SNOOZES_MAX)))
}

export function wake(asked: Asked): void {
  write(Object.fromEntries(Object.entries(read()).filter(([key]) => key !== keyOf(asked))))
}

export interface SnoozeChoice {
  readonly name: string
  readonly until: number
}

/** How long a question can be put off: no longer than its deadline leaves time for an answer. */
export function snoozeChoices(asked: Asked, now: number): readonly SnoozeChoice[] {
  const latest = latestFor(asked, now)
  const all = [
    { name: '15 min', until: now + 15 * MINUTE },
    { name: '1 h', until: now + HOUR },
    { name: 'Until tomorrow', until: tomorrow(now) },
  ]
  const possible = all.filter(({ until }) => until <= latest)
  if (possible.length === all.length || latest <= now) return possible
  return [...possible, { name: 'Until shortly before the deadline', until: latest }]
}

/** The last moment at which a question wakes. What is left is a quarter of the time, at most 5 minutes. */
function latestFor({ deadline }: Asked, now: number): number {
  if (deadline === undefined) return Number.POSITIVE_INFINITY
  return deadline - Math.min(5 * MINUTE, Math.max(0, deadline - now) / 4)
}

function tomorrow(now: number): number {
  const day = new Date(now)
  day.setDate(day.getDate() + 1)
  return day.setHours(MORNING, 0, 0, 0)
}

let current: Snoozes = read()
const listeners = new Set<() => void>()

function changed(): void {
  current = read()
  for (const listener of listeners) listener()
}
// Another tab has put a question off, or woken it.
addEventListener('storage', changed)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSnoozes = (): Snoozes => useSyncExternalStore(subscribe, () => current)

/** What another program has written is left out. */
function read(): Snoozes {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    const entries = Object.entries(Object(stored)).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    )
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}

function write(snoozes: Snoozes): void {
  localStorage.setItem(KEY, JSON.stringify(snoozes))
  changed()
}
