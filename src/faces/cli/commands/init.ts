/** `init`: writes a small project, or a guide for coding agents. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, EXIT, UsageError } from '../app/app.ts'
import type { Template } from '../app/choices.ts'
import { bold, styled } from '../print/layout.ts'

const TEMPLATES = new URL('../../../../templates/', import.meta.url)
/** Where coding agents look for the skills of a project (agentskills.io). */
const SKILL_FOLDER = join('.agents', 'skills', 'escapement')

/** Existing files stay as they are: if one of the project has the name of a template file, nothing is written. */
export async function init(
  app: App,
  folder: string,
  { as, skill }: { readonly as: Template; readonly skill?: boolean },
): Promise<number> {
  const target = resolve(app.cwd, folder, ...(skill ? [SKILL_FOLDER] : []))
  const files = await templateFiles(skill ? 'skill' : as)
  const existing = [...files.keys()].filter(file => existsSync(join(target, file)))
  if (existing.length > 0)
    throw new UsageError(
      `${join(relative(app.cwd, target), existing[0] ?? '')} already exists; nothing was written`,
      {
        hint: skill
          ? 'remove the file to get the guide of this version'
          : 'escapement init my-agent',
      },
    )
  await createFolder(target)
  for (const [file, text] of files)
    await writeFile(join(target, file), file === 'package.json' ? named(text, target) : text, {
      flag: 'wx',
    })
  app.print([
    ...[...files.keys()].map(file => styled(`  ${join(relative(app.cwd, target), file)}`)),
    ...(skill ? [] : [[styled('next  '), bold(nextCommand(relative(app.cwd, target), as))]]),
  ])
  return EXIT.goal
}

/** File name → text. npm leaves files named `.gitignore` out of a package, so templates have `gitignore`. */
async function templateFiles(template: string): Promise<ReadonlyMap<string, string>> {
  const folder = fileURLToPath(new URL(template, TEMPLATES))
  const names = (await readdir(folder)).toSorted()
  return new Map(
    await Promise.all(
      names.map(async name => {
        const text = await readFile(join(folder, name), 'utf8')
        return [name === 'gitignore' ? '.gitignore' : name, text] as const
      }),
    ),
  )
}

/** The package takes the name of its folder, as far as npm allows the name. */
function named(text: string, target: string): string {
  const name = basename(target)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name === '' ? text : text.replace(/"name": "[^"]*"/, `"name": "${name}"`)
}

function nextCommand(folder: string, as: Template): string {
  const enter = folder === '' ? '' : `cd ${folder} && `
  return `${enter}npm install && npm ${as === 'yaml' ? 'start' : 'test'}`
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw new UsageError(`${folder} cannot be created: ${(error as Error).message}`)
  }
}
