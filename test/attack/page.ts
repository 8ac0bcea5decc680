/** The measured parts of `docs/reliability.md`. */
import { resolve } from 'node:path'

export const PAGE = resolve(import.meta.dirname, '../../docs/reliability.md')

export type Part = 'kills' | 'inputs' | 'loops' | 'mutations'

const beginOf = (part: Part) =>
  `<!-- ${part}, written by \`npm run ${part === 'mutations' ? 'mutate' : 'attack'} -- --write\`: -->\n\n`
const END = '\n<!-- : written -->'

/** @throws Error if the page does not have this part */
export function partOf(page: string, part: Part): string {
  const [from, to] = placesOf(page, part)
  return page.slice(from, to)
}

export function withPart(page: string, part: Part, text: string): string {
  const [from, to] = placesOf(page, part)
  return page.slice(0, from) + text + page.slice(to)
}

function placesOf(page: string, part: Part): readonly [from: number, to: number] {
  const begin = page.indexOf(beginOf(part))
  const to = page.indexOf(END, begin)
  if (begin < 0 || to < 0) throw new Error(`${PAGE}: expected ${beginOf(part).trim()} … ${END}`)
  return [begin + beginOf(part).length, to]
}
