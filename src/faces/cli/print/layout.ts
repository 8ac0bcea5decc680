/** Lines, paragraphs and tables as data, their text for a screen without control sequences, and amounts as people read them. */
import { styleText } from 'node:util'
import sliceAnsi from 'slice-ansi'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { withoutControls } from '../../../core/watch/data/invisible.ts'
import { type Spent, SPENDABLE } from '../../../core/watch/event/call-event.ts'
import { formatAmount } from '../../../core/graph/worst-case/amount.ts'

export interface Screen {
  /** Cells of a line. Infinity: lines are not cut, as in a pipe. */
  readonly columns: number
  readonly color: boolean
  readonly unicode: boolean
}

export const PIPE: Screen = { columns: Number.POSITIVE_INFINITY, color: false, unicode: true }

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Span = string | Readonly<{ text: string; styles: readonly Style[] }>
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
    .map(line => `${line.trimEnd().replaceAll(NBSP, ' ')}\n`)
    .join('')
}

function linesOf(block: Block, screen: Screen): readonly string[] {
  if (typeof block === 'object' && 'rows' in block) return layTable(block, screen)
  if (typeof block === 'object' && 'wrap' in block)
    return wrap(paint(block.wrap, screen), screen.columns, block.hang)
  return [cut(paint(block, screen), screen)]
}

/** Shrinks the widest columns until the table fits. */
function layTable({ rows, right = [] }: Extract<Block, { rows: unknown }>, screen: Screen) {
  const painted = rows.map(row => row.map(cell => paint(cell, screen)))
  const widths: number[] = []
  for (const row of painted)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, Math.min(stringWidth(cell), screen.columns))
  const gaps = GAP.length * (widths.length - 1)
  let excess = widths.reduce((sum, width) => sum + width, gaps) - screen.columns
  for (; excess > 0; excess--) {
    const widest = Math.max(...widths)
    widths[widths.lastIndexOf(widest)] = widest - 1
  }
  return painted.map(row =>
    row
      .map((cell, column) => {
        const columns = widths[column] ?? 0
        const shown = cut(cell, { ...screen, columns })
        const pad = ' '.repeat(Math.max(0, columns - stringWidth(shown)))
        return right.includes(column) ? pad + shown : shown + pad
      })
      .join(GAP),
  )
}

const GAP = '  '
/** A space at which a line is not wrapped. */
export const NBSP = '\u00a0'

/** A text without the control sequences that it came with, in its colors. */
function paint(text: Text, { unicode, color }: Screen): string {
  const spans = typeof text === 'string' || 'text' in text ? [text] : text
  const painted = spans.map(span => {
    const { text, styles } = typeof span === 'string' ? { text: span, styles: [] } : span
    const line = withoutControls(text.replace(/[\t\n\r]\s*/g, ' '))
    const shown = unicode ? line : line.replace(/[^ -~\u00a0]/gu, sign => ASCII[sign] ?? '?')
    if (!color || styles.length === 0 || shown === '') return shown
    return styleText([...styles], shown, { validateStream: false })
  })
  return painted.join('')
}

function cut(line: string, { columns, unicode }: Screen): string {
  if (stringWidth(line) <= columns) return line
  const end = unicode ? '…' : '...'
  return `${sliceAnsi(line, 0, columns - end.length)}${end}`
}

/** The first `hang` cells are the label of the paragraph. */
function wrap(line: string, columns: number, hang: number): readonly string[] {
  if (stringWidth(line) <= columns) return [line]
  const body = wrapAnsi(sliceAnsi(line, hang), Math.max(columns - hang, 10), { hard: true })
  const label = sliceAnsi(line, 0, hang)
  return body.split('\n').map((part, index) => (index === 0 ? label : ' '.repeat(hang)) + part)
}

/** A text of a tool, a model or a file on one line, without control characters. */
export const plain = (text: string): string => withoutControls(text.replace(/\s+/g, ' '))

/** `2026-03-01 09:30:00Z`, or the number if no date has this time. */
export function timeText(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  return date.toISOString().replace('T', ' ').replace(/\.\d+/, '')
}

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
