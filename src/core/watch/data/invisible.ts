/** Control characters, marks of the text direction and characters without a glyph: what a terminal or a reader would not show as it is. */

/** A pattern of marks of the text direction and of characters without a glyph. The joiners and the selectors U+FE0E and U+FE0F are part of words and of emoji. */
export const INVISIBLE = String.raw`[\u2028\u2029\u2800]|(?![\u200c\u200d\ufe0e\ufe0f])[\p{Cf}\p{DI}]`

const ESCAPED = new RegExp(String.raw`[\p{Cc}\p{Cs}]|${INVISIBLE}`, 'gu')
const CONTROLS = new RegExp(String.raw`[^\P{Cc}\n\t]|${INVISIBLE}`, 'gu')

/** Writes line breaks, other control characters, halves of surrogate pairs, marks of the text direction and invisible characters as escapes. */
export function oneLine(text: string): string {
  return text.replace(ESCAPED, sign => {
    if (sign === '\n') return '\\n'
    const code = (sign.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

/** Removes control characters, marks that change the text direction and invisible characters. Line breaks and tabs stay. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '')

/** Writes them as escapes instead, as JSON does, two for a character beyond U+FFFF: data stays complete. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, sign =>
    sign
      .split('')
      .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** Writes a message on one line: a line break in a name or in an error must not look like another message. */
export const messageLine = (text: string): string =>
  escapeControls(text).replaceAll(/\n(?!$)/g, '\\n')
