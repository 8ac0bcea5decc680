/** Who stands in for whom, by the names of a spec. */
type Standing = Readonly<Record<string, { readonly substitutes?: readonly string[] | undefined }>>

/** The substitutes of a name, nearest first: its own in their order, then theirs. */
export function substitutesOf(all: Standing, name: string): readonly string[] {
  const names = [name]
  for (const one of names) {
    for (const next of (Object.hasOwn(all, one) ? all[one]?.substitutes : undefined) ?? [])
      if (!names.includes(next)) names.push(next)
  }
  return names.slice(1)
}
