/** Calls that wait for a person or for another process. Their results arrive later, often with another request. */
import { hash } from '../data/json.ts'
import type { CompletedCall, Turn } from './turn.ts'

/** The hash of its id in the framework, the number of its turn, and its number in this turn. */
export type WaitingCall = readonly [id: string, turn: number, n: number]

/** A waiting call that has ended. */
export type ArrivedCall = CompletedCall & { readonly id: string }

const WAITING_MAX = 64

/** Adds the calls of a turn. A call without an id is not recognized later. */
export function addWaiting(
  before: readonly WaitingCall[],
  { calls = [], waiting = [] }: Turn,
  turn: number,
): readonly WaitingCall[] {
  const added = waiting.flatMap(({ id }, index): WaitingCall[] =>
    id === undefined ? [] : [[hash(id), turn, calls.length + index + 1]],
  )
  const ids = added.map(([id]) => id)
  return [...before.filter(([id]) => !ids.includes(id)), ...added].slice(-WAITING_MAX)
}

/** The calls that waited, with their places, and those that still wait. */
export function takeWaiting(before: readonly WaitingCall[], arrived: readonly ArrivedCall[]) {
  const byId = new Map(arrived.map(call => [hash(call.id), call]))
  const calls = before.flatMap(([id, turn, n]) => {
    const call = byId.get(id)
    return call ? [{ ...call, turn, n }] : []
  })
  return { calls, waiting: before.filter(([id]) => !byId.has(id)) }
}
