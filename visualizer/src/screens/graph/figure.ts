/** A figure of the worst case, as JSON has it: `null` where no limit is known. */
import { durationText, moneyText, numberText } from '../../design/format.ts'

export interface Figure {
  readonly most: number | null
  readonly because: string
  /** Stops at this amount, and after the calls that run then. */
  readonly stopsAt?: number
}

const TEXTS: Readonly<Record<string, (amount: number) => string>> = {
  usd: moneyText,
  duration: durationText,
}

export function figureText(unit: string, { most, stopsAt }: Figure): string {
  const textOf = TEXTS[unit] ?? numberText
  if (stopsAt !== undefined) return `${textOf(stopsAt)} + calls`
  return most === null ? 'unknown' : textOf(most)
}
