/** Commands that write, draw or check a graph: they run nothing. */
import { specText } from '../../../adapters/spec/library.ts'
import { drawDot } from '../../../core/graph/draw/dot.ts'
import { drawMermaid } from '../../../core/graph/draw/mermaid.ts'
import { drawScxml } from '../../../core/graph/draw/scxml.ts'
import { drawText } from '../../../core/graph/draw/text.ts'
import { drawXState } from '../../../core/graph/draw/xstate.ts'
import type { Machine } from '../../../core/graph/machine.ts'
import { lint } from '../../../core/graph/lint/lint.ts'
import { CODE } from '../../../core/graph/spec/name.ts'
import { type Spec, specJsonSchema } from '../../../core/graph/spec/spec.ts'
import { worstCaseOf } from '../../../core/graph/worst-case/worst-case.ts'
import type { Spent } from '../../../core/watch/event/call-event.ts'
import { bindWithoutSecrets, isModule, loadExported, loadSpecs } from '../../../host/drive/load.ts'
import { machineOfLoaded } from '../../../host/drive/load.ts'
import { type App, EXIT, type Perform, printResult, UsageError } from '../app/app.ts'
import { bold } from '../print/layout.ts'
import { excessOf, lintBlocks, worstCaseBlocks } from '../print/tables.ts'
import { existsSync } from 'node:fs'
import { makeFolder } from '../../../adapters/node/make-folder.ts'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

type SpecOptions = { json?: boolean; set: readonly string[] }

const DRAWERS: Readonly<Record<string, (machine: Pick<Machine, 'chart' | 'config'>) => string>> = {
  text: ({ chart }) => drawText(chart),
  mermaid: ({ chart }) => drawMermaid(chart),
  dot: ({ chart }) => drawDot(chart),
  json: ({ chart }) => JSON.stringify(chart, undefined, 2),
  xstate: ({ config }) => drawXState(config),
  scxml: ({ config }) => drawScxml(config),
}

type DrawOptions = SpecOptions & { readonly as: string }

export const draw: Perform<DrawOptions> = async (app, file, { as, json, set }) => {
  const loaded = await load(file, set)
  if (as === 'spec' && !json) app.out(specText(loaded.spec))
  else {
    const machine = 'machine' in loaded ? loaded.machine : await machineOfLoaded(loaded)
    const drawing = DRAWERS[json || as === 'spec' ? 'json' : as]?.(machine) ?? ''
    app.out(`${drawing.trimEnd()}\n`)
  }
  return EXIT.goal
}

/** @throws UsageError if a setting would change the graph of a module */
async function load(file: string, set: readonly string[]) {
  if (!isModule(file)) return loadSpecs(file, set)
  if (set.length > 0) throw new UsageError(`--set changes a spec; ${file} is a module`)
  return loadExported(file)
}

type LintOptions = SpecOptions & { readonly max: Partial<Spent> }

/** Exit code 2 if the spec has an error that it does not accept by name, or can spend more than `max` allows. */
export const lintSpec: Perform<LintOptions> = async (app, file, options) => {
  const loaded = await load(file, options.set)
  const known = { ...loaded, ...(await codeOf(loaded, app.cwd)) }
  const findings = lint(loaded.spec, known)
  const errors = findings.filter(({ severity, accepted }) => severity === 'error' && !accepted)
  const bound = worstCaseOf(known)
  const excess = excessOf(bound, options.max)
  // In JSON, an amount without a bound is null.
  printResult(app, options, { file, findings, bound, excess }, () => [
    ...lintBlocks(file, findings, excess),
    ...worstCaseBlocks(bound),
  ])
  return errors.length + excess.length > 0 ? EXIT.usage : EXIT.goal
}

/** The code of a graph. A spec alone does not have the code that a program passes. */
async function codeOf(loaded: Awaited<ReturnType<typeof load>>, workspace: string) {
  if ('code' in loaded) return { code: loaded.code }
  return isBoundElsewhere(loaded.spec)
    ? {}
    : { code: await bindWithoutSecrets(loaded, { workspace }) }
}

/** Whether a program passes an implementation of the spec. */
const isBoundElsewhere = ({ tools, nodes, machine }: Spec): boolean =>
  machine === CODE ||
  [...Object.values(tools), ...Object.values(nodes)].some(of => 'use' in of && of.use === CODE)

export async function schema(app: App): Promise<number> {
  app.out(`${JSON.stringify(specJsonSchema(), undefined, 2)}\n`)
  return EXIT.goal
}

const TEMPLATES = new URL('../../../../templates/', import.meta.url)
/** Where coding agents look for the skills of a project (agentskills.io). */
const SKILL_FOLDER = join('.agents', 'skills', 'escapement')

type InitOptions = Readonly<{ as: 'typescript' | 'yaml'; skill?: boolean; json?: boolean }>

/** Writes nothing if one of the files exists. */
export async function init(app: App, folder = '.', options: InitOptions): Promise<number> {
  const { as, skill } = options
  const target = resolve(app.cwd, folder, ...(skill ? [SKILL_FOLDER] : []))
  const files = await templateFiles(skill ? 'skill' : as)
  const existing = [...files.keys()].filter(file => existsSync(join(target, file)))
  const shown = relative(app.cwd, target)
  if (existing[0] !== undefined) {
    const message = `${join(shown, existing[0])} already exists; nothing was written`
    const update = 'remove the file to get the guide of this version'
    throw new UsageError(message, { hint: skill ? update : 'escapement init my-agent' })
  }
  await makeFolder(target).catch(error => {
    throw new UsageError(`${target} cannot be created: ${error.message}`)
  })
  await writeFiles(target, files)
  const enter = shown === '' ? '' : `cd ${shown} && `
  const next = `${enter}npm install && npm ${as === 'yaml' ? 'start' : 'test'}`
  const written = [...files.keys()].map(file => join(shown, file))
  const value = { files: written, ...(skill ? {} : { next }) }
  return printResult(app, options, value, () => [
    ...written.map(file => `  ${file}`),
    ...(skill ? [] : [['next  ', bold(next)]]),
  ])
}

/** Writes all files or none. @throws UsageError */
async function writeFiles(target: string, files: ReadonlyMap<string, string>): Promise<void> {
  const made: string[] = []
  for (const [file, text] of files) {
    const path = join(target, file)
    const content = file === 'package.json' ? withName(text, target) : text
    try {
      await writeFile(path, content, { flag: 'wx' })
      made.push(path)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // The file of another process stays.
      const partial = code === 'EEXIST' ? made : [...made, path]
      // A folder that accepts no file removes none, and the first error says so.
      await Promise.allSettled(partial.map(one => rm(one, { force: true })))
      throw new UsageError(`${path} cannot be written: ${message}; nothing was written`)
    }
  }
}

/** File name → text. npm leaves files named `.gitignore` out of a package, so templates have `gitignore`. */
async function templateFiles(template: string): Promise<ReadonlyMap<string, string>> {
  const folder = fileURLToPath(new URL(template, TEMPLATES))
  const files = new Map<string, string>()
  for (const name of (await readdir(folder)).toSorted())
    files.set(
      name === 'gitignore' ? '.gitignore' : name,
      await readFile(join(folder, name), 'utf8'),
    )
  return files
}

/** Names the package after its folder, in characters that npm allows. */
function withName(text: string, target: string): string {
  const name = basename(target)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name === '' ? text : text.replace(/"name": "[^"]*"/, `"name": "${name}"`)
}
