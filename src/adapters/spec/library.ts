/** The graphs that a spec runs, and those that these run: files from the spec's folder, each read once. */
import { dirname, resolve } from 'node:path'
import type { Nested } from '../../core/graph/worst-case/worst-case.ts'
import { inlineGraphs, type Spec } from '../../core/graph/spec/spec.ts'
import { canonical, hash } from '../../core/watch/data/signature.ts'
import { loadSpec, type SpecSource } from './load-spec.ts'
import { placed, resolveInside } from './resolve-module.ts'
import type { PlacedFault } from './source.ts'

/** Specs by the absolute paths of their files. */
export type Library = Readonly<Record<string, Spec>>

/** A graph, and the file it stands in. */
export interface GraphFile {
  readonly file: string
  readonly spec: Spec
}

export type LibraryLoaded =
  | { readonly library: Library; readonly faults?: undefined }
  | { readonly library?: undefined; readonly faults: readonly PlacedFault[] }

/** The most files of one library. */
const FILES_MAX = 64

/** Reads all files that a spec leads to. A fault of a file is returned, not thrown. */
export async function loadLibrary(root: SpecSource): Promise<LibraryLoaded> {
  const library: Record<string, Spec> = {}
  const open = [{ ...root, file: resolve(root.file) }]
  const known = new Map(open.map(one => [one.file, one]))
  for (const { file, spec, place } of open) {
    for (const [at, path] of filesIn(spec)) {
      const wanted = resolve(dirname(file), path)
      const loaded = known.get(wanted) ?? (await loadNextTo(file, path))
      if (loaded.faults) return { faults: placed(loaded.faults, at, place) }
      library[wanted] = loaded.spec
      if (known.has(wanted)) continue
      if (known.size >= FILES_MAX)
        return { faults: [place({ path: at, message: `leads to more than ${FILES_MAX} files` })] }
      open.push({ ...loaded, file: wanted })
      known.set(wanted, { ...loaded, file: wanted })
    }
  }
  return { library }
}

async function loadNextTo(file: string, path: string) {
  const found = await resolveInside(dirname(file), path)
  return found.value === undefined ? found : loadSpec(found.value)
}

/** The files that a spec and the graphs inside it name, each with the path where it is named. */
function filesIn(spec: Spec, at = ''): readonly (readonly [at: string, path: string])[] {
  const named = Object.entries(spec.graphs).flatMap(([name, graph]) =>
    typeof graph === 'string' ? [[`${at}graphs.${name}`, graph] as const] : [],
  )
  return [
    ...named,
    ...inlineGraphs(spec).flatMap(([name, graph]) => filesIn(graph, `${at}graphs.${name}.`)),
  ]
}

/** What a spec means by the name of a graph; `undefined` where the library does not hold it. */
export function graphIn(
  library: Library,
  { file, spec }: GraphFile,
  name: string,
): GraphFile | undefined {
  const graph = spec.graphs[name]
  if (typeof graph === 'object') return { file, spec: graph }
  const path = resolve(dirname(file), graph ?? '')
  const found = library[path]
  return found && { file: path, spec: found }
}

/** A spec with all graphs inside it. */
export function nestedIn(library: Library, from: GraphFile): Nested {
  return {
    spec: from.spec,
    inside: name => {
      const graph = graphIn(library, from, name)
      return graph && nestedIn(library, graph)
    },
  }
}

/** Names a graph: its file and all that stands in it. */
export function nameOf({ file, spec }: GraphFile): string {
  return `${file} ${hash(canonical(spec))}`
}

/** The names of the graphs by which a spec is run again, by themselves or by way of others. */
export function recursiveIn(library: Library, from: GraphFile): ReadonlySet<string> {
  const own = nameOf(from)
  const names = Object.keys(from.spec.graphs).filter(name => {
    const graph = graphIn(library, from, name)
    return graph && [graph, ...graphsBelow(library, graph)].some(below => nameOf(below) === own)
  })
  return new Set(names)
}

/** All graphs that this one may run, at any depth; itself too, where it may run itself. */
export function graphsBelow(library: Library, from: GraphFile): readonly GraphFile[] {
  const found = new Map<string, GraphFile>()
  const open = [from]
  for (const one of open) {
    for (const name of Object.keys(one.spec.graphs)) {
      const graph = graphIn(library, one, name)
      if (!graph || found.has(nameOf(graph))) continue
      found.set(nameOf(graph), graph)
      open.push(graph)
    }
  }
  return [...found.values()]
}
