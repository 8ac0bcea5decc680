/** The measured part of `docs/detection.md`. */
import { resolve } from 'node:path'

export const PAGE = resolve(import.meta.dirname, '../../docs/detection.md')

const BEGIN = '<!-- measured by `REWRITE=1 npm run detection`: -->\n\n'
const END = '\n<!-- : measured -->'

/** @throws Error if the page has no such part */
export function measuredIn(page: string): string {
  const [from, to] = places(page)
  return page.slice(from, to)
}

export function withMeasured(page: string, text: string): string {
  const [from, to] = places(page)
  return page.slice(0, from) + text + page.slice(to)
}

function places(page: string): readonly [from: number, to: number] {
  const begin = page.indexOf(BEGIN)
  const to = page.indexOf(END, begin)
  if (begin < 0 || to < 0)
    throw new Error(`${PAGE}: expected ${BEGIN.trim()} and, after it, ${END.trim()}`)
  return [begin + BEGIN.length, to]
}
