/** What a spec uses from beside it: modules with nodes and tools of one's own, and the scripts of its models. */
import { realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Fault } from '../../core/graph/spec/fault.ts'
import { isFinal } from '../../core/graph/spec/spec.ts'
import type { CustomNode, CustomTool } from '../../kit/bind.ts'
import { readScript, type Script } from '../../kit/script.ts'
import { contains } from '../../kit/workspace.ts'
import type { SpecLoaded } from './load-spec.ts'
import { type PlacedFault, readSource } from './source.ts'

/** By the names of the nodes, tools and models in the spec. */
export interface Uses {
  readonly nodes: Readonly<Record<string, CustomNode>>
  readonly tools: Readonly<Record<string, CustomTool>>
  readonly scripts: Readonly<Record<string, Script>>
}

export type UsesLoaded = { readonly uses: Uses; readonly faults?: undefined } | { readonly uses?: undefined; readonly faults: readonly PlacedFault[] }

/** Loads modules and scripts from the spec's folder, and from nowhere else. Never throws for what is wrong with them. */
export async function loadUses({ file, spec, place }: Extract<SpecLoaded, { place: unknown }>): Promise<UsesLoaded> {
  const folder = dirname(resolve(file))
  const faults: PlacedFault[] = []
  const loaded = async <T>(
    kind: string,
    entries: readonly (readonly [name: string, path: string, from: string])[],
    load: (from: string) => Promise<Loaded<T>>,
  ): Promise<Record<string, T>> => {
    const results = await Promise.all(entries.map(async ([name, path, from]) => ({ name, path, ...(await load(from)) })))
    for (const { name, path, value, faults: own = [] } of results)
      if (value === undefined) faults.push(...own.map(fault => ('file' in fault ? fault : place({ path: `${kind}.${name}.${path}`, message: fault.message }))))
    return Object.fromEntries(results.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  }
  const nodes = Object.entries(spec.nodes).flatMap(([name, node]) => (!isFinal(node) && isOwn(node.use) ? [[name, 'use', node.use] as const] : []))
  const tools = Object.entries(spec.tools).flatMap(([name, { use }]) => (isOwn(use) ? [[name, 'use', use] as const] : []))
  const scripts = Object.entries(spec.models).flatMap(([name, { offline }]) => (offline === undefined ? [] : [[name, 'offline', offline] as const]))
  const uses: Uses = {
    nodes: await loaded('nodes', nodes, from => exported<CustomNode>(folder, from, isFunction, 'a function (task, settings) => Promise')),
    tools: await loaded('tools', tools, from => exported<CustomTool>(folder, from, isToolLike, 'a tool, or a function that makes one')),
    scripts: await loaded('models', scripts, from => scriptAt(folder, from)),
  }
  return faults.length > 0 ? { faults } : { uses }
}

type Loaded<T> = { readonly value: T; readonly faults?: undefined } | { readonly value?: undefined; readonly faults: readonly (PlacedFault | Pick<Fault, 'message'>)[] }

function isOwn(use: string): boolean {
  return use.startsWith('./')
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isToolLike(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && 'run' in value)
}

async function exported<T>(folder: string, use: string, fits: (value: unknown) => boolean, expected: string): Promise<Loaded<T>> {
  const [path = '', name = ''] = use.split('#')
  const found = await inside(folder, path)
  if (found.value === undefined) return found
  let module: Readonly<Record<string, unknown>>
  try {
    module = await import(pathToFileURL(found.value).href)
  } catch (error) {
    return fault(`'${path}' cannot be loaded: ${(error as Error).message}`)
  }
  if (!Object.hasOwn(module, name)) return fault(`'${path}' exports no '${name}'; it exports: ${Object.keys(module).join(', ') || '(nothing)'}`)
  const value = module[name]
  return fits(value) ? { value: value as T } : fault(`'${name}' in '${path}' is a ${typeof value}; expected ${expected}`)
}

async function scriptAt(folder: string, path: string): Promise<Loaded<Script>> {
  const found = await inside(folder, path)
  if (found.value === undefined) return found
  const { source, faults } = await readSource(found.value)
  if (!source) return { faults }
  const read = readScript(source.value)
  return read.script ? { value: read.script } : { faults: read.faults.map(source.place) }
}

/** The real path of a file in the folder or below it. */
async function inside(folder: string, path: string): Promise<Loaded<string>> {
  const wanted = resolve(folder, path)
  if (!contains(folder, wanted)) return fault(`'${path}' leads out of the folder of the spec; only files beside it or below can be used`)
  try {
    const [home, real] = await Promise.all([realpath(folder), realpath(wanted)])
    return contains(home, real) ? { value: real } : fault(`'${path}' is a link that leads out of the folder of the spec`)
  } catch {
    return fault(`there is no file '${path}' beside the spec`)
  }
}

function fault(message: string): { readonly faults: readonly Pick<Fault, 'message'>[] } {
  return { faults: [{ message }] }
}
