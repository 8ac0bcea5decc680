/** Characters of texts, by their codes. */

/** The character code at an index, 0 outside of the text. */
export const codeAt = (text: string, at: number): number =>
  at >= 0 && at < text.length ? text.charCodeAt(at) : 0

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

export const COMMA = 44
export const PLUS = 43
export const LETTER_M = 109
export const DASH = 45
export const POINT = 46
export const SLASH = 47
export const COLON = 58
export const EQUALS = 61
export const QUOTE = 34
