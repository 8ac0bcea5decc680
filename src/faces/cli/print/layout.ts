/** Lines, paragraphs and tables as data, and their text for a screen. Every text is stripped of what a terminal would obey. */
import { styleText } from 'node:util'

export interface Screen {
  /** Cells of a line; Infinity where no line is cut, as in a pipe. */
  readonly columns: number
  readonly color: boolean
  /** Whether symbols beyond ASCII can be shown. */
  readonly unicode: boolean
}

export const PIPE: Screen = { columns: Number.POSITIVE_INFINITY, color: false, unicode: true }

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
interface Styled {
  readonly text: string
  readonly styles: readonly Style[]
}
export type Span = string | Styled
/** One line, in pieces. */
export type Text = Span | readonly Span[]
/** A line that is cut at the edge of the screen, a paragraph that is wrapped, or a table. */
export type Block =
  | Text
  | { readonly wrap: Text; readonly hang: number }
  | { readonly rows: readonly (readonly Text[])[]; readonly right?: readonly number[] }

export const styled = (text: string, ...styles: readonly Style[]): Span => ({ text, styles })
export const dim = (text: string): Span => styled(text, 'dim')
export const bold = (text: string): Span => styled(text, 'bold')

/** Symbols that have an ASCII form. */
const ASCII: Readonly<Record<string, string>> = {
  '→': '->',
  '⟳': '@',
  '✓': 'ok',
  '✗': 'x',
  '…': '...',
  '×': 'x',
  '·': '|',
  '–': '-',
}

/** The text of blocks, each on lines of its own. */
export function draw(blocks: readonly Block[], screen: Screen): string {
  return blocks
    .flatMap(block => linesOf(block, screen))
    .map(line => `${paint(line, screen).trimEnd()}\n`)
    .join('')
}

function linesOf(block: Block, screen: Screen): readonly (readonly Styled[])[] {
  if (typeof block === 'object' && 'rows' in block) return tableOf(block, screen)
  if (typeof block === 'object' && 'wrap' in block)
    return wrapped(clean(block.wrap, screen), screen.columns, block.hang)
  return [cut(clean(block, screen), screen)]
}

/** Shrinks the widest columns until the table fits. */
function tableOf(
  { rows, right = [] }: Extract<Block, { rows: unknown }>,
  screen: Screen,
): readonly (readonly Styled[])[] {
  const cells = rows.map(row => row.map(cell => clean(cell, screen)))
  const widths: number[] = []
  for (const row of cells)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, Math.min(widthOf(cell), screen.columns))
  const gaps = GAP.length * (widths.length - 1)
  let excess = widths.reduce((sum, width) => sum + width, gaps) - screen.columns
  for (; excess > 0; excess--) {
    const widest = Math.max(...widths)
    widths[widths.lastIndexOf(widest)] = widest - 1
  }
  return cells.map(row =>
    row.flatMap((cell, column) => {
      const width = widths[column] ?? 0
      const shown = cut(cell, { ...screen, columns: width })
      const pad = { text: ' '.repeat(Math.max(0, width - widthOf(shown))), styles: [] }
      const gap = { text: column === 0 ? '' : GAP, styles: [] }
      return right.includes(column) ? [gap, pad, ...shown] : [gap, ...shown, pad]
    }),
  )
}

const GAP = '  '
/** A space at which no line is wrapped. */
export const NBSP = '\u00a0'

function clean(text: Text, { unicode }: Screen): readonly Styled[] {
  const spans = typeof text === 'string' || 'text' in text ? [text] : text
  return spans.map(span => {
    const { text, styles } = typeof span === 'string' ? { text: span, styles: [] } : span
    const one = withoutControls(text.replace(/[\t\n\r]\s*/g, ' '))
    return {
      styles,
      text: unicode ? one : one.replace(/[^ -~\u00a0]/gu, sign => ASCII[sign] ?? '?'),
    }
  })
}

function cut(line: readonly Styled[], { columns, unicode }: Screen): readonly Styled[] {
  if (widthOf(line) <= columns) return line
  const end = unicode ? '…' : '...'
  const kept: Styled[] = []
  let left = columns - end.length
  for (const { text, styles } of line) {
    const part = fitting(text, left)
    kept.push({ text: part === text ? part : `${part}${end}`, styles })
    if (part !== text) return kept
    left -= cells(part)
  }
  return kept
}

function wrapped(
  line: readonly Styled[],
  columns: number,
  hang: number,
): readonly (readonly Styled[])[] {
  const room = Math.max(columns, hang + 10)
  const lines: Styled[][] = [[]]
  let used = 0
  const put = (text: string, styles: readonly Style[]) => {
    lines.at(-1)?.push({ text, styles })
    used += cells(text)
  }
  const next = () => {
    lines.push([{ text: ' '.repeat(hang), styles: [] }])
    used = hang
  }
  for (const { text, styles } of line)
    for (const word of text.match(/ +|[^ ]+/g) ?? []) {
      const fits = used + cells(word) <= room
      if (!fits && used > hang) next()
      if (!fits && word.trim() === '') continue
      let rest = word
      for (; used + cells(rest) > room; next()) {
        const part = fitting(rest, room - used)
        put(part, styles)
        rest = rest.slice(part.length)
      }
      put(rest, styles)
    }
  return lines
}

function paint(line: readonly Styled[], { color }: Screen): string {
  return line
    .map(({ text, styles }) =>
      color && styles.length > 0 && text !== ''
        ? styleText([...styles], text, { validateStream: false })
        : text,
    )
    .join('')
    .replaceAll(NBSP, ' ')
}

/** The beginning of a text that takes at most `columns` cells. */
function fitting(text: string, columns: number): string {
  let used = 0
  let end = 0
  for (const sign of text) {
    used += cells(sign)
    if (used > columns) break
    end += sign.length
  }
  return text.slice(0, end)
}

const widthOf = (line: readonly Styled[]) => line.reduce((sum, { text }) => sum + cells(text), 0)

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** The cells that a text takes on a screen. */
function cells(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let sum = 0
  for (const sign of text) sum += /[\p{M}\p{Cf}]/u.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1
  return sum
}

/** Texts of tools, models and files, shown in such a way that no terminal obeys them. */

/** On one line. */
export function plain(text: string): string {
  return withoutControls(text.replace(/\s+/g, ' '))
}

/** Lines and tabs stay; signs that reverse the direction of what follows go. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '')
}
