/** The colors and links that programs write for a terminal. */

export const ESCAPE = '\u001b'
const BELL = '\u0007'

/** Colors, the end of a line that `grep` clears, and the two ends of a link. */
export const STYLE = new RegExp(
  `${ESCAPE}(?:\\[[\\d;:]*[A-Za-z]|\\(B|\\][^${ESCAPE}${BELL}]*(?:${BELL}|${ESCAPE}\\\\))`,
  'g',
)

export const withoutStyle = (text: string): string =>
  text.includes(ESCAPE) ? text.replace(STYLE, '') : text
