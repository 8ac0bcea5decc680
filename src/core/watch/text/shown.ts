/** A text as a terminal shows it: what stands after a line break, a tab or a color begins a word, and what begins a line is read as such. */
import { withoutStyle } from '../data/terminal-style.ts'

/** The signs that JSON escapes. */
const ESCAPED = /\\(\\|[nrtf]|u001[bB])/g
const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f' }
const RECORD = /^\s*[[{"]/

/** A record is read in this form, and no longer parsed. */
export const shown = (text: string): string =>
  withoutStyle(RECORD.test(text) ? decoded(text) : text)

const decoded = (text: string): string =>
  text.includes('\\')
    ? text.replace(ESCAPED, (all, sign: string) =>
        sign === '\\' ? all : (SIGNS[sign] ?? '\u001b'),
      )
    : text
