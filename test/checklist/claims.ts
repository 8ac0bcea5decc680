/** The content of `checklist.json`: the stories and tests that show each requirement. */
import { readFileSync } from 'node:fs'

export interface Row {
  /** The words of the requirement. */
  readonly row: string
  /** How this project reads them. */
  readonly asks: string
  /** Where a default or the wording departs from the requirement. */
  readonly differs?: string
  readonly shown?: readonly string[]
  /** The reason why tests are missing. */
  readonly missing?: string
}

/** One test that is named: its file, from the root of the project, and its title as it stands in the source. */
export interface Claim {
  readonly row: string
  readonly file: string
  readonly title: string
}

const STORY = /^story: ([\w-]+\.story)$/
const TEST = /^test: (test\/[\w/-]+\.test\.ts) > (.+)$/

export function checklist(): Readonly<Record<string, Row>> {
  return JSON.parse(readFileSync(new URL('../checklist.json', import.meta.url), 'utf8')) as Record<
    string,
    Row
  >
}

const LINE = /^\| ([A-E]\d+) \| \w+ \| (.*) \|$/gm

/** The requirements in the text of their document, by id. */
export function requirementsIn(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(LINE)].map(([, id = '', words = '']) => [id, words]))
}

/** A story is a test of `stories.test.ts`, named for its file. What is written in no known way is `undefined`. */
export function claimOf(row: string, shown: string): Claim | undefined {
  const story = STORY.exec(shown)?.[1]
  if (story !== undefined) return { row, file: 'test/stories.test.ts', title: story }
  const [, file, title] = TEST.exec(shown) ?? []
  return file !== undefined && title !== undefined ? { row, file, title } : undefined
}

/** Whether a test that ran is one of that title; what a title leaves open (`%s`, `$name`, `${file}`) stands for anything. */
export function isTitled(name: string, title: string): boolean {
  const open = /%[sdifjo]|\$\{[^}]*\}|\$[\w.]+/
  const parts = title
    .split(open)
    .map(text => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name)
}
