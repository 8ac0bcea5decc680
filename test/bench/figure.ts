/** A figure: the measurement, that of the peer if it exists, and whether the target is met. */

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly peer: string | null
  readonly peerValue: number | null
  /** How many times our value goes into the peer's. */
  readonly ratio: number | null
  /** In words; `null`: the figure is reported and not judged. */
  readonly target: string | null
  readonly met: boolean | null
}

export interface Measured {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly peer?: { readonly name: string; readonly value: number }
  /** The most our value may be. */
  readonly atMost?: number
  /** How many times better than the peer it has to be. */
  readonly timesBetter?: number
}

/** A group of figures that are measured together. */
export type Group = () => Promise<readonly Figure[]>

export function figure({ name, value, unit, peer, atMost, timesBetter }: Measured): Figure {
  const ratio = peer ? peer.value / value : null
  const targets = [
    ...(atMost === undefined
      ? []
      : [{ text: `≤ ${atMost.toLocaleString('en')} ${unit}`, met: value <= atMost }]),
    ...(timesBetter === undefined
      ? []
      : [{ text: `≥ ${timesBetter} times`, met: (ratio ?? 0) >= timesBetter }]),
  ]
  return {
    name,
    value: rounded(value),
    unit,
    peer: peer?.name ?? null,
    peerValue: peer ? rounded(peer.value) : null,
    ratio: ratio === null ? null : rounded(ratio),
    target: targets.length > 0 ? targets.map(({ text }) => text).join(', ') : null,
    met: targets.length > 0 ? targets.every(({ met }) => met) : null,
  }
}

/** Four significant digits: what lies beyond them is noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
