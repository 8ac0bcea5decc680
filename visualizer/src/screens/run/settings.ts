/** Policy changes as lines of `path=value`, in the notation of the command line. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** @throws Error that names the line */
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
