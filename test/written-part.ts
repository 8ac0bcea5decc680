/** Parts of the documentation that programs write, between two comments. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A part of a page in `docs`. `by`: the command that writes it. */
export interface WrittenPart {
  readonly page: string
  readonly name: string
  readonly by: string
}

/** @throws Error if the page does not have this part */
export function readPart(part: WrittenPart): string {
  const { text, from, to } = placeOf(part)
  return text.slice(from, to)
}

/** @throws Error if the page does not have this part */
export function writePart(part: WrittenPart, content: string): void {
  const { file, text, from, to } = placeOf(part)
  writeFileSync(file, text.slice(0, from) + content + text.slice(to))
}

const END = '\n<!-- : written -->'

function placeOf({ page, name, by }: WrittenPart) {
  const file = resolve(import.meta.dirname, '../docs', page)
  const text = readFileSync(file, 'utf8')
  const begin = `<!-- ${name}, written by \`${by}\`: -->\n\n`
  const at = text.indexOf(begin)
  const to = text.indexOf(END, at)
  if (at < 0 || to < 0) throw new Error(`${file}: expected ${begin.trim()} … ${END.trim()}`)
  return { file, text, from: at + begin.length, to }
}
