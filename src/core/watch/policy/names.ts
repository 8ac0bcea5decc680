/** What nodes, channels, tools, models and detectors may be called. */
import { text } from './policy-kinds.ts'

export const NAME_EXPECTED = 'a name of letters, digits, _ and -, beginning with a letter'

/** Every object of JavaScript has fields such as `constructor`; names like these are reserved. */
export function isName(text: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(text) && text !== 'prototype' && !(text in {})
}

/** The source of a regular expression. */
function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'i')
    return true
  } catch {
    return false
  }
}

export const name = text({
  id: 'name',
  test: isName,
  expected: NAME_EXPECTED,
})`A name of letters, digits, _ and -, beginning with a letter.`

export const pattern = text({
  id: 'pattern',
  test: isPattern,
  expected: 'a regular expression',
})`A regular expression; case is ignored.`
