import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with one line that any reader, human or not, can count on: `N passed, N failed, N skipped`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const count = (state: string) => tests.filter(test => test.result().state === state).length
    // A file that does not load has no tests, but has failed.
    const broken = modules.filter(
      module => module.state() === 'failed' && [...module.children.allTests('failed')].length === 0,
    ).length
    const line = `${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped\n`
    // After the summary of the other reporters, which is printed at the end of this event.
    process.once('exit', () => process.stdout.write(line))
  }
}
