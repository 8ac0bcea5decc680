import { cyclesIn, type Pair, roundTrip } from './cycle.ts'
import type { Fault } from './fault.ts'
import type { Spec } from './spec.ts'

type Standing = Readonly<Record<string, { readonly substitutes?: readonly string[] | undefined }>>

/** Substitutes that lead round in a circle: there must be a last one. */
export function substituteFaults({ tools, models }: Pick<Spec, 'tools' | 'models'>): Fault[] {
  return [...substituteCycles('tools', tools), ...substituteCycles('models', models)]
}

function substituteCycles(kind: string, all: Standing): Fault[] {
  const pairs = Object.entries(all).flatMap(([name, { substitutes = [] }]) =>
    substitutes.filter(other => Object.hasOwn(all, other)).map((other): Pair => [name, other]),
  )
  return cyclesIn(Object.keys(all), pairs).map(([first = '']) => ({
    path: `${kind}.${first}.substitutes`,
    message: `leads round in a circle (${roundTrip(first, pairs).join(' → ')}); expected an end to it`,
  }))
}

/** The substitutes of a name, nearest first: its own in their order, then theirs. */
export function substitutesOf(all: Standing, name: string): readonly string[] {
  const names = [name]
  for (const one of names) {
    for (const next of (Object.hasOwn(all, one) ? all[one]?.substitutes : undefined) ?? [])
      if (!names.includes(next)) names.push(next)
  }
  return names.slice(1)
}
