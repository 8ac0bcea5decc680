/** What a person types in the dialogs: policy changes and channels as lines, inputs as JSON. */
import type { Json } from '../../../../src/core/watch/data/json.ts'

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** Policy changes as lines of `path=value`, in the notation of the command line. @throws Error that names the line */
export function settingsIn(text: string): object | undefined {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  if (lines.length === 0) return undefined
  const change: Record<string, unknown> = {}
  for (const line of lines) {
    const cut = line.indexOf('=')
    const path = line.slice(0, cut).trim().split('.')
    if (cut < 1 || path.some(key => key === '' || FORBIDDEN.has(key)))
      throw new Error(`'${line.trim()}': expected path=value, such as limits.steps=40`)
    place(change, path, valueIn(line.slice(cut + 1).trim()))
  }
  return change
}

function place(
  into: Record<string, unknown>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
) {
  if (rest.length === 0) {
    into[key] = value
    return
  }
  const known = into[key]
  const inner = typeof known === 'object' && known !== null ? known : {}
  into[key] = inner
  place(inner as Record<string, unknown>, rest, value)
}

/** JSON where it is JSON, otherwise the text itself. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Channels as lines of `name=JSON`. @throws Error that names the line */
export function channelsIn(text: string): Readonly<Record<string, Json>> | undefined {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  if (lines.length === 0) return undefined
  return Object.fromEntries(
    lines.map(line => {
      const cut = line.indexOf('=')
      const name = line.slice(0, cut).trim()
      if (cut < 1 || FORBIDDEN.has(name))
        throw new Error(`'${line.trim()}': expected name=JSON, such as lap=3`)
      return [name, valueIn(line.slice(cut + 1).trim()) as Json]
    }),
  )
}

/** A JSON object. @throws Error */
export function objectIn(text: string): Readonly<Record<string, Json>> {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, Json>>
  throw new Error('Input: expected a JSON object')
}
