/** What a spec uses from beside it: modules with nodes and tools of one's own, and the scripts of its models. */
import { dirname, resolve } from 'node:path'
import { pathsOf, workingNodes } from '../../core/graph/spec/spec.ts'
import type { CustomTool } from '../../kit/bind-tool.ts'
import type { CustomNode } from '../../kit/node.ts'
import { readScript, type Script } from '../../testing/script.ts'
import { resolveModule, resolveInside, type Resolved } from './resolve-module.ts'
import type { SpecLoaded } from './load-spec.ts'
import { type PlacedFault, readSource } from './source.ts'

/** By the names of the nodes, tools and models in the spec. */
export interface Uses {
  readonly nodes: Readonly<Record<string, CustomNode>>
  readonly tools: Readonly<Record<string, CustomTool>>
  readonly scripts: Readonly<Record<string, Script>>
}

export type UsesLoaded =
  | { readonly uses: Uses; readonly faults?: undefined }
  | { readonly uses?: undefined; readonly faults: readonly PlacedFault[] }

/** Loads modules and scripts from the spec's folder, and from nowhere else. Never throws for what is wrong with them. */
export async function loadUses({
  file,
  spec,
  place,
}: Extract<SpecLoaded, { place: unknown }>): Promise<UsesLoaded> {
  const folder = dirname(resolve(file))
  const faults: PlacedFault[] = []
  const loaded = async <T>(
    entries: readonly (readonly [name: string, path: string, from: string])[],
    load: (from: string) => Promise<Resolved<T>>,
  ): Promise<Record<string, T>> => {
    const results = await Promise.all(
      entries.map(async ([name, path, from]) => ({ name, path, ...(await load(from)) })),
    )
    for (const { path, value, faults: own = [] } of results)
      if (value === undefined)
        faults.push(
          ...own.map(fault => ('file' in fault ? fault : place({ path, message: fault.message }))),
        )
    return Object.fromEntries(
      results.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    )
  }
  const paths = pathsOf(spec)
  const nodes = workingNodes(spec).flatMap(([name, node]) =>
    isOwn(node.use) ? [[name, `${paths.get(name)}.use`, node.use] as const] : [],
  )
  const tools = Object.entries(spec.tools).flatMap(([name, { use }]) =>
    isOwn(use) ? [[name, `tools.${name}.use`, use] as const] : [],
  )
  const scripts = Object.entries(spec.models).flatMap(([name, { offline }]) =>
    offline === undefined ? [] : [[name, `models.${name}.offline`, offline] as const],
  )
  const uses: Uses = {
    nodes: await loaded(nodes, from =>
      resolveModule<CustomNode>(folder, from, isFunction, 'what node(…) returns'),
    ),
    tools: await loaded(tools, from =>
      resolveModule<CustomTool>(folder, from, isToolLike, 'a tool, or a function that makes one'),
    ),
    scripts: await loaded(scripts, from => scriptAt(folder, from)),
  }
  return faults.length > 0 ? { faults } : { uses }
}

function isOwn(use: string): boolean {
  return use.startsWith('./')
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isToolLike(value: unknown): boolean {
  return (
    typeof value === 'function' ||
    (typeof value === 'object' && value !== null && 'execute' in value)
  )
}

async function scriptAt(folder: string, path: string): Promise<Resolved<Script>> {
  const found = await resolveInside(folder, path)
  if (found.value === undefined) return found
  const { source, faults } = await readSource(found.value)
  if (!source) return { faults }
  const read = readScript(source.value)
  return read.script ? { value: read.script } : { faults: read.faults.map(source.place) }
}
