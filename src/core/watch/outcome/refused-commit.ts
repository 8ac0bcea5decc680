/**
 * Whether a hook of pre-commit has refused the commit of an output.
 *
 * Intuition: `black....Failed`, and below it `- hook id: black`. The hooks after it still run, and may pass.
 * Hard case: a second `git commit` in the same command, which ends with `[main abc1234] Fix the login`. Rejected: the exit code of the
 * hook, which is missing if it has only modified files.
 */

const FAILED_HOOK = /\.{3}[^\n]{0,80}Failed\r?\n- hook id: /g
const COMMITTED = /^\[[^\]\n]{1,120} [\da-f]{7,40}\] /m

export function isRefusedCommit(text: string): boolean {
  const hook = [...text.matchAll(FAILED_HOOK)].at(-1)
  return hook !== undefined && !COMMITTED.test(text.slice(hook.index))
}
