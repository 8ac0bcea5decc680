/** A process with a warm vitest: runs one test file after another as its parent asks, with one mutant on or none. */
import process from 'node:process'
import { createVitest } from 'vitest/node'

export interface Order {
  readonly file: string
  /** Names of the tests to run; all if missing. */
  readonly tests?: readonly string[]
  readonly mutant?: number
  /** Where reached mutants are recorded. */
  readonly hits?: string
}

export interface Result {
  /** Milliseconds. */
  readonly duration: number
  readonly failed?: { readonly test: string; readonly message: string }
  readonly tests: number
}

const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  maxWorkers: 1,
  fileParallelism: false,
  reporters: [{}],
  silent: true,
  testTimeout: 20_000,
  setupFiles: ['test/drawn.ts', 'test/mutate/setup.ts'],
})
await vitest.standalone()

process.on('message', async (order: Order) => process.send?.(await run(order)))
process.send?.('ready')

async function run({ file, tests, mutant, hits }: Order): Promise<Result> {
  set('MUTANT', mutant)
  set('MUTANT_HITS', hits)
  const names = tests === undefined ? {} : { testNames: [...tests] }
  const began = performance.now()
  const specification = vitest.getRootProject().createSpecification(file, names)
  const { testModules: known, unhandledErrors } = await vitest.runTestSpecifications([
    specification,
  ])
  // The results of earlier files stay known.
  const testModules = known.filter(({ moduleId }) => moduleId === specification.moduleId)
  const all = testModules.flatMap(module => [...module.children.allTests()])
  const passed = all.filter(test => test.result().state === 'passed').length
  const done = { duration: performance.now() - began, tests: passed }
  const red = all.find(test => test.result().state === 'failed')
  if (red !== undefined)
    return {
      ...done,
      failed: { test: red.fullName, message: red.result().errors?.[0]?.message ?? '' },
    }
  const errors = [...testModules.flatMap(module => [...module.errors()]), ...unhandledErrors]
  if (errors.length === 0 && testModules.every(module => module.ok())) return done
  return {
    ...done,
    failed: { test: file, message: String((errors[0] as Error | undefined)?.message) },
  }
}

function set(name: string, value: string | number | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = String(value)
}
