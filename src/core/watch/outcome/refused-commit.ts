/**
 * Whether a hook of pre-commit has refused the commit of an output.
 *
 * Intuition: `black....Failed`, and below it `- hook id: black`. The hooks after it still run, and may pass.
 * Hard cases: a second `git commit` in the same command, which ends with `[main abc1234] Fix the login`, or in which the hook passes.
 * Rejected: the exit code of the hook, which is missing if it has only modified files.
 */

const FAILED_HOOK = /^([^\n.]{1,80})\.{3}[^\n]{0,80}Failed\r?\n- hook id: /gm
const COMMITTED = /^\[[^\]\n]{1,120} [\da-f]{7,40}\] /m

export function isRefusedCommit(text: string): boolean {
  const hook = [...text.matchAll(FAILED_HOOK)].at(-1)
  if (!hook) return false
  const [, name] = hook
  const after = text.slice(hook.index)
  const passes = (line: string) =>
    line.startsWith(`${name}...`) && line.trimEnd().endsWith('Passed')
  return !COMMITTED.test(after) && !after.split('\n').some(passes)
}
