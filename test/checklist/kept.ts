import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { type Claim, checklist, claimOf, isTitled } from './claims.ts'

interface Ran {
  readonly file: string
  readonly title: string
  readonly state: string
}

/** What the checklist names and has not passed. One of the tests that fit must have passed, and none of them failed or been skipped. */
export function unkept(claims: readonly Claim[], ran: readonly Ran[]): readonly string[] {
  return claims
    .filter(({ file, title }) => {
      const fitting = ran.filter(test => test.file === file && isTitled(test.title, title))
      return fitting.length === 0 || fitting.some(({ state }) => state !== 'passed')
    })
    .map(({ row, file, title }) => `${row}: ${file} > ${title}`)
}

/** Whether a test file skips its tests on a machine without a browser. */
export const needsBrowser = (root: string, { file }: Claim): boolean =>
  existsSync(`${root}/${file}`) &&
  readFileSync(`${root}/${file}`, 'utf8').includes('skipIf(!hasBrowser)')

/** Fails a full test run if a test of the checklist has not run or has not passed. Partial runs are not checked, and neither are tests of the page without a browser. */
export default class ChecklistKept implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const { config } = this.#vitest ?? {}
    if (!config || config.testNamePattern) return
    const here = (path: string) => relative(config.root, path)
    const files = new Set(modules.map(({ moduleId }) => here(moduleId)))
    const all = readdirSync(`${config.root}/test`, { recursive: true, encoding: 'utf8' }).filter(
      file => file.endsWith('.test.ts'),
    )
    if (all.some(file => !files.has(`test/${file}`))) return
    const ran = modules.flatMap(module =>
      [...module.children.allTests()].map(test => ({
        file: here(module.moduleId),
        title: test.name,
        state: test.result().state,
      })),
    )
    const claims = Object.entries(checklist()).flatMap(([row, { shown = [] }]) =>
      shown.flatMap(each => claimOf(row, each) ?? []),
    )
    // Loaded here, because a partial run needs no browser.
    const { hasBrowser } = await import('../inspector/browser.ts')
    const checked = claims.filter(claim => hasBrowser || !needsBrowser(config.root, claim))
    const broken = unkept(checked, ran)
    if (broken.length === 0) return
    process.exitCode = 1
    process.stderr.write(
      `The checklist names what has not passed:\n${broken.map(line => `  ${line}\n`).join('')}`,
    )
  }
}
