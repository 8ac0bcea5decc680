/** `init`: writes a small project, or a guide for coding agents. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, printResult, UsageError } from '../app/app.ts'
import { bold } from '../print/layout.ts'

const TEMPLATES = new URL('../../../../templates/', import.meta.url)
/** Where coding agents look for the skills of a project (agentskills.io). */
const SKILL_FOLDER = join('.agents', 'skills', 'escapement')

/** Writes nothing if one of the files exists. */
export async function init(
  app: App,
  folder = '.',
  options: {
    readonly as: 'typescript' | 'yaml'
    readonly skill?: boolean
    readonly json?: boolean
  },
): Promise<number> {
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
  await mkdir(target, { recursive: true }).catch(error => {
    throw new UsageError(`${target} cannot be created: ${error.message}`)
  })
  for (const [file, text] of files) {
    const content = file === 'package.json' ? withName(text, target) : text
    await writeFile(join(target, file), content, { flag: 'wx' })
  }
  const enter = shown === '' ? '' : `cd ${shown} && `
  const next = `${enter}npm install && npm ${as === 'yaml' ? 'start' : 'test'}`
  const written = [...files.keys()].map(file => join(shown, file))
  const value = { files: written, ...(skill ? {} : { next }) }
  return printResult(app, options, value, () => [
    ...written.map(file => `  ${file}`),
    ...(skill ? [] : [['next  ', bold(next)]]),
  ])
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
