/** The scenario, the policy and the seed that a command of `sim` names. */
import { guardRun } from '../../../adapters/spec/exit-guard.ts'
import { loadFromToken, loadScenario } from '../../../host/simulation/load-scenario.ts'
import { isToken, readToken } from '../../../host/simulation/token.ts'
import { realWrites } from '../../../host/simulation/real-writes.ts'
import type { Subject } from '../../../simulate/run/simulate.ts'
import { type App, parseWholeNumber, UsageError } from '../app/app.ts'

export interface SubjectOptions {
  readonly seed?: string
  readonly policy?: string
}

/** @throws UsageError, SpecFaults, InvalidScenario */
export async function subjectIn(file: string, options: SubjectOptions) {
  const token = isToken(file) ? readToken(file) : undefined
  const { scenario, subjects, value } = await (token ? loadFromToken(token) : loadScenario(file))
  const names = Object.keys(subjects)
  const policy = options.policy ?? token?.policy ?? names[0] ?? ''
  const subject = Object.hasOwn(subjects, policy) ? subjects[policy] : undefined
  if (!subject) throw new UsageError(`--policy '${policy}': expected one of ${names.join(', ')}`)
  const seed =
    options.seed === undefined ? (token?.seed ?? 1) : parseWholeNumber('--seed', options.seed)
  return { scenario, subject, policy, seed, value }
}

/** Warns of tools that a simulation would call for real: a thousand runs send a thousand mails. */
export async function warnOfWrites(app: App, subject: Subject): Promise<void> {
  for (const name of await guardRun(async () => realWrites(subject)))
    app.err(
      `warning: tools.${name} writes, and each run calls it for real; replace it in the fake system (\`system\`)\n`,
    )
}
