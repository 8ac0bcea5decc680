import type { SourceFile } from './source.ts'

type Linked = Pick<SourceFile, 'path' | 'imports'>

/** Import circles, one for each knot of files: the shortest way from a file back to itself. */
export function circlesIn(files: readonly Linked[]): readonly (readonly string[])[] {
  const links = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target, own }) => (own ? [target] : [])),
    ]),
  )
  const reported = new Set<string>()
  return files.flatMap(({ path }) => {
    const circle = reported.has(path) ? undefined : shortestCircle(path, links)
    for (const file of circle ?? []) reported.add(file)
    return circle ? [circle] : []
  })
}

function shortestCircle(
  start: string,
  links: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const from = new Map<string, string>()
  const next = [start]
  for (let file = next.shift(); file !== undefined; file = next.shift()) {
    for (const target of links.get(file) ?? []) {
      if (from.has(target)) continue
      from.set(target, file)
      if (target === start) return traced(start, from)
      next.push(target)
    }
  }
  return undefined
}

function traced(start: string, from: ReadonlyMap<string, string>): readonly string[] {
  const way = [start]
  for (let at = from.get(start); at !== undefined && at !== start; at = from.get(at))
    way.unshift(at)
  return [start, ...way]
}
