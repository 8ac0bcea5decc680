/** Draws the lanes of the budget and of channels: values that last until the next one. */
import type { BudgetUse, ChannelChange } from '../../data/tracks.ts'
import type { LanePen } from './lane-pen.ts'
import { laneHeight } from './lane-table.ts'

const TALL = laneHeight - 7

/** An area whose full height is the limit. */
export function drawBudget(pen: LanePen, uses: readonly BudgetUse[], end: number): void {
  const { context, color, y } = pen
  context.fillStyle = color
  for (const { x, wide, value } of boxesOf(pen, uses, end)) {
    const tall = Math.max(1, TALL * value.part)
    context.fillRect(x, y - 2 + TALL - tall, wide, tall)
  }
}

/** The room in pixels that a value needs to be readable. */
const TEXT_MIN = 34
const TEXT_MARGIN = 4

/** One bar for each value, with its text where there is room. */
export function drawChannel(pen: LanePen, changes: readonly ChannelChange[], end: number): void {
  const { context, color, ink, y } = pen
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`
  context.textBaseline = 'middle'
  for (const { x, wide, value } of boxesOf(pen, changes, end)) {
    context.globalAlpha = 0.22
    context.fillStyle = color
    context.fillRect(x, y - 1, Math.max(1, wide - 1), TALL - 1)
    context.globalAlpha = 1
    context.fillRect(x, y - 1, 2, TALL - 1)
    if (wide < TEXT_MIN) continue
    context.save()
    context.beginPath()
    context.rect(x, y - 2, wide - TEXT_MARGIN, TALL + 2)
    context.clip()
    context.fillStyle = ink
    context.fillText(value.text, x + TEXT_MARGIN, y + TALL / 2 - 1)
    context.restore()
  }
}

interface ValueBox<T> {
  readonly x: number
  readonly wide: number
  readonly value: T
}

/** The visible values. Of those that share a pixel, the last one is drawn. */
function boxesOf<T extends { readonly seq: number }>(
  { left, right, width }: LanePen,
  values: readonly T[],
  end: number,
): readonly ValueBox<T>[] {
  const boxes: ValueBox<T>[] = []
  let painted = 0
  for (const [index, value] of values.entries()) {
    const next = values[index + 1]
    const from = left(value.seq)
    const to = Math.min(width, next ? left(next.seq) : Math.max(from + 1, right(end)))
    if (to - painted < 1) continue
    const x = Math.max(painted, from)
    boxes.push({ x, wide: to - x, value })
    painted = to
  }
  return boxes
}
