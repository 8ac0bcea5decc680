/** Seeded chance: the same seed draws the same attack. */

export interface Chance {
  /** A number in [0, 1). */
  next(): number
  /** A whole number in [0, below). */
  below(below: number): number
  pick<T>(list: readonly T[]): T
  /** Another chance, which depends on this seed and the name only. */
  of(name: string | number): Chance
}

/** mulberry32, with the seed mixed from a text. */
export function chance(seed: string | number): Chance {
  let state = mixed(String(seed))
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return {
    next,
    below,
    pick: list => list[below(list.length)] as (typeof list)[number],
    of: name => chance(`${seed}/${name}`),
  }
}

function mixed(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  return hash
}
