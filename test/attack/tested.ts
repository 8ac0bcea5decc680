/** Checks between edits. */
import type { Shape } from './loops.ts'
import { draftOf, type Part } from './outcomes.ts'

const tested = (shown: string, fix: Part, result: Part): Shape => ({
  name: `edits and tests, ${shown}`,
  lap: n =>
    n % 2
      ? { tool: 'edit', args: { path: 'a.ts', ...(fix(n) as object) }, result: { ok: true } }
      : { tool: 'bash', args: { command: 'npm test' }, result: result(n) },
})

/** A check between edits that change nothing of it, or that are the same. */
export const TESTED: readonly Shape[] = [
  tested(
    'new edits, answered by "3 failed, 38 passed"',
    n => ({ text: draftOf(n) }),
    () => 'Tests: 3 failed, 38 passed, 41 total',
  ),
  tested(
    'the same edit, answered by "41 passed"',
    () => ({ text: draftOf(1) }),
    () => 'Tests: 41 passed, 41 total',
  ),
  tested(
    'three edits in turn, answered by "41 passed"',
    n => ({ text: draftOf(n % 3) }),
    () => 'Tests: 41 passed, 41 total',
  ),
]
