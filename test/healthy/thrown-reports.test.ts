/** A test tool that throws its report works: neither its breaker nor a detector stops an agent that mends one failure after the other. */
import { expect, test } from 'vitest'
import { watchdog, type CompletedCall } from '../../src/watchdog.ts'

/** What test tools print, with the numbers of failed and passed tests. */
const REPORTS: readonly (readonly [
  name: string,
  report: (failed: number, passed: number) => string,
])[] = [
  ['Jest', (f, p) => `Tests: ${f} failed, ${p} passed, 40 total`],
  ['Vitest', f => `Tests  ${f} failed (${f})`],
  ['Mocha', (f, p) => `Command failed: npm test\n  ${p} passing (${p}ms)\n  ${f} failing`],
  ['Maven', f => `[ERROR] Tests run: 40, Failures: ${f}, Errors: 0, Skipped: 0`],
  ['node --test', (f, p) => `ℹ tests 40\nℹ pass ${p}\nℹ fail ${f}`],
  ['TAP', (f, p) => `# tests 40\n# pass ${p}\n# fail ${f}`],
  ['Bun', (f, p) => ` ${p} pass\n ${f} fail\nRan 40 tests across 3 files.`],
  ['Playwright', (f, p) => `  ${f} failed\n  ${p} passed (${p}.2s)`],
  ['Playwright without a passed test', f => `  ${f} failed\n    cart.spec.ts`],
  ['ESLint', f => `✖ ${f} problems (${f} errors, 0 warnings)`],
  ['ESLint, one line for each', f => `a.js:${f}:1: No var.\n\n${f} problem${f === 1 ? '' : 's'}`],
  ['RuboCop', f => `1 file inspected, ${f} offense${f === 1 ? '' : 's'} detected`],
  ['unittest', f => `FAILED (failures=${f})`],
  ['unittest with errors', f => `FAILED (failures=1, errors=${f})`],
  ['a sentence', f => `${f} of 40 tests failed`],
  ['Perl', f => `Failed ${f}/40 subtests`],
  ['dotnet', (f, p) => `Failed!  - Failed:    ${f}, Passed:    ${p}, Skipped:     0, Total:    40`],
  ['RSpec', f => `40 examples, ${f} failures`],
  ['webpack', f => `webpack compiled with ${f} error${f === 1 ? '' : 's'}`],
  ['a build', f => `Build failed with ${f} errors`],
  ['Swift', f => `Executed 40 tests, with ${f} failures (0 unexpected)`],
  ['Rust', f => `error: aborting due to ${f} previous errors`],
  ['JSON', (f, p) => JSON.stringify({ failed: f, passed: p })],
  ['JSON of Jest', (f, p) => JSON.stringify({ numFailedTests: f, numPassedTests: p })],
]

/** The first lap that is refused or escaped, if any. */
function disturbedAt(report: (failed: number, passed: number) => string, gap: number) {
  const monitor = watchdog({ writes: ['edit'] })
  let at = 1_760_000_000_000
  monitor.userMessage('Fix the tests.', at)
  for (let failed = 40; failed > 0; failed--) {
    for (const tool of ['edit', 'run_tests']) {
      at += gap
      monitor.beforeModelCall(at)
      const args =
        tool === 'edit' ? { path: 'src/cart.ts', old: `x${failed}`, new: `y${failed}` } : {}
      const permit = monitor.permit(tool, at, 0)
      if (permit.kind === 'no') return { failed, refused: tool }
      const error = new Error(report(failed, 40 - failed))
      const call: CompletedCall =
        tool === 'edit'
          ? { tool, args, result: 'ok', outcome: monitor.settle(permit, at + 900) }
          : { tool, args, outcome: monitor.settle(permit, at + 900, { error }) }
      const { kind } = monitor.afterModelTurn({ text: '', calls: [call], at: at + 1_000 })
      if (kind !== 'continue') return { failed, kind }
    }
  }
  return undefined
}

test.each(REPORTS)('an agent mends 40 failures that its test tool throws: %s', (_, report) => {
  for (const gap of [3_000, 12_000, 60_000]) expect(disturbedAt(report, gap)).toBeUndefined()
})
