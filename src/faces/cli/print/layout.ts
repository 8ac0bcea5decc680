/** Lines, paragraphs and tables as data, their text for a screen without control sequences, and amounts as people read them. */
import { styleText } from 'node:util'
import { type Spent, SPENDABLE } from '../../../core/watch/event/call-event.ts'
import { formatAmount } from '../../../core/graph/worst-case/limit.ts'

export interface Screen {
  /** Cells of a line. Infinity: lines are not cut, as in a pipe. */
  readonly columns: number
  readonly color: boolean
  readonly unicode: boolean
}

export const PIPE: Screen = { columns: Number.POSITIVE_INFINITY, color: false, unicode: true }

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
type Styled = Readonly<{ text: string; styles: readonly Style[] }>
export type Span = string | Styled
/** One line, in pieces. */
export type Text = Span | readonly Span[]
/** A line that is cut at the edge of the screen, a wrapped paragraph, or a table. */
export type Block =
  | Text
  | { readonly wrap: Text; readonly hang: number }
  | { readonly rows: readonly (readonly Text[])[]; readonly right?: readonly number[] }
export type Blocks = readonly Block[]

export const styled = (text: string, ...styles: readonly Style[]): Span => ({ text, styles })
export const dim = (text: string): Span => styled(text, 'dim')
export const bold = (text: string): Span => styled(text, 'bold')

const COLORS: Readonly<Record<string, Style>> = {
  ...{ success: 'green', closed: 'green', accepted: 'green', waiting: 'cyan', active: 'cyan' },
  ...{ failure: 'red', error: 'red', open: 'red' },
  ...{ stopped: 'yellow', cancelled: 'yellow', 'half-open': 'yellow', warning: 'yellow' },
}

/** A text in the color of a status, an outcome or a severity. */
export const colored = (name: string, text = name): Span =>
  COLORS[name] ? styled(text, COLORS[name]) : text

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

/** The text of blocks. Each block starts a new line. */
export function draw(blocks: Blocks, screen: Screen): string {
  return blocks
    .flatMap(block => linesOf(block, screen))
    .map(line => `${paint(line, screen).trimEnd()}\n`)
    .join('')
}

function linesOf(block: Block, screen: Screen): readonly (readonly Styled[])[] {
  if (typeof block === 'object' && 'rows' in block) return layTable(block, screen)
  if (typeof block === 'object' && 'wrap' in block)
    return wrap(clean(block.wrap, screen), screen.columns, block.hang)
  return [cut(clean(block, screen), screen)]
}

/** Shrinks the widest columns until the table fits. */
function layTable({ rows, right = [] }: Extract<Block, { rows: unknown }>, screen: Screen) {
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
/** A space at which a line is not wrapped. */
export const NBSP = '\u00a0'

function clean(text: Text, { unicode }: Screen): readonly Styled[] {
  const spans = typeof text === 'string' || 'text' in text ? [text] : text
  return spans.map(span => {
    const { text, styles } = typeof span === 'string' ? { text: span, styles: [] } : span
    const line = withoutControls(text.replace(/[\t\n\r]\s*/g, ' '))
    const shown = unicode ? line : line.replace(/[^ -~\u00a0]/gu, sign => ASCII[sign] ?? '?')
    return { styles, text: shown }
  })
}

function cut(line: readonly Styled[], { columns, unicode }: Screen): readonly Styled[] {
  if (widthOf(line) <= columns) return line
  const end = unicode ? '…' : '...'
  const kept: Styled[] = []
  let left = columns - end.length
  for (const { text, styles } of line) {
    const part = prefix(text, left)
    kept.push({ text: part === text ? part : `${part}${end}`, styles })
    if (part !== text) return kept
    left -= cells(part)
  }
  return kept
}

function wrap(line: readonly Styled[], columns: number, hang: number): Styled[][] {
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
        const part = prefix(rest, room - used)
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

/** The start of a text, at most `columns` cells wide. */
function prefix(text: string, columns: number): string {
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

/** The width of a text on a screen. */
function cells(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let sum = 0
  for (const sign of text) sum += /[\p{M}\p{Cf}]/u.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1
  return sum
}

/** A text of a tool, a model or a file on one line, without control characters. */
export const plain = (text: string): string => withoutControls(text.replace(/\s+/g, ' '))

/** Removes control characters and marks that change the text direction. Line breaks and tabs stay. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '')

/** Writes them as escapes instead, as JSON does: data stays complete. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const CONTROLS = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** `2026-03-01 09:30:00Z` */
export const timeText = (at: number): string =>
  new Date(at).toISOString().replace('T', ' ').replace(/\.\d+/, '')

/** `1 call`, `1,200 calls`. */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

type Unit = keyof Spent

const NOUNS: Readonly<Partial<Record<Unit, string>>> = {
  steps: 'step',
  toolCalls: 'tool call',
  modelCalls: 'model call',
  tokens: 'token',
}

function amountText(unit: Unit, value: number): string {
  if (unit !== 'usd') return formatAmount(value, unit)
  return `$${value < 1 ? Number(value.toFixed(4)) : value.toFixed(2)}`
}

/** The amounts spent, each with its limit if it has one. An amount close to its limit is colored. */
export function spentText(
  spent: Spent,
  limits: Partial<Spent> = {},
  units: readonly Unit[] = SPENDABLE,
): readonly Span[] {
  // Without a price, no model costs anything.
  const shown = units.filter(
    unit => spent[unit] > 0 || (limits[unit] !== undefined && unit !== 'usd'),
  )
  if (shown.length === 0) return ['nothing']
  return shown.flatMap((unit, index): readonly Span[] => {
    const { [unit]: limit } = limits
    const most = limit === undefined ? '' : `/${amountText(unit, limit)}`
    const noun = NOUNS[unit] ? ` ${NOUNS[unit]}${(limit ?? spent[unit]) === 1 ? '' : 's'}` : ''
    const text = `${amountText(unit, spent[unit])}${most}${noun}`.replaceAll(' ', NBSP)
    const ratio = limit === undefined ? 0 : spent[unit] / limit
    const color = ratio >= 1 ? 'red' : 'yellow'
    return [...(index > 0 ? [' · '] : []), ratio >= 0.8 ? styled(text, color) : text]
  })
}
