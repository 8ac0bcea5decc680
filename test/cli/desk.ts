/** A working folder with specs and files, and the command. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { newFolders } from '../durability/folders.ts'
import { escapement, type Running, type Said, startEscapement } from '../durability/process.ts'
import { typed } from './typed.ts'

export interface Desk {
  readonly folder: string
  /** Writes a file and returns its name. */
  file(name: string, content: string | Uint8Array): string
  /** Runs a command line in this process, the folder being the current one. */
  type(...args: readonly string[]): Promise<Said>
  /** Runs a command line in a process of its own. */
  exec(...args: readonly string[]): Promise<Said>
  start(...args: readonly string[]): Running
}

export function newDesks(): () => Desk {
  const newFolder = newFolders()
  return () => {
    const folder = newFolder()
    return {
      folder,
      file(name, content) {
        writeFileSync(join(folder, name), content)
        return name
      },
      type: (...args) => typed(args, folder),
      exec: (...args) => escapement(args, { cwd: folder }),
      start: (...args) => startEscapement(args, { cwd: folder }),
    }
  }
}

/** Expects a usage error with a readable message and without a stack trace. */
export function expectRefused(
  { code, out, err }: Said,
  ...expected: readonly (string | RegExp)[]
): void {
  expect(err).not.toMatch(/\n\s+at |node:internal|\bundefined\b|\[object/)
  for (const each of expected) expect(err).toMatch(each)
  expect({ code, out, err }).toEqual({ code: 2, out: '', err })
}

const HEAD = `escapement: 1
id: trial
start: A
`

/** A spec that starts in A. */
export function spec(rest: string): string {
  return `${HEAD}${rest.replace(/^\n/, '')}`
}

/** Ends at once, with the goal. */
export const GOOD = spec(`
nodes:
  A: { use: pass, on: { done: E } }
  E: { final: success }
`)
