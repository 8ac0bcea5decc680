/** Faults of a scenario beyond its shape. The names of the graph are checked once the graph is known. */
import type { Fault as SpecFault } from '../../core/watch/data/fault.ts'
import { spanText } from '../../core/watch/data/duration.ts'
import { nameHint } from '../../core/watch/data/schema-faults.ts'
import { matchesTool } from '../../core/watch/policy/policy.ts'
import { compileCondition, gateCompiler } from './condition.ts'
import type { Fault, Target } from './fault.ts'

interface Checked extends Occurring {
  readonly policies: object
  readonly oracle: {
    readonly always: readonly string[]
    readonly never: readonly string[]
    readonly sometimes: readonly string[]
    readonly eventually: readonly { readonly is: string }[]
    readonly correct?: string | undefined
    readonly degraded?: string | undefined
  }
  readonly gates: readonly string[]
}

/** All faults of a scenario that its shape does not show. */
export function scenarioFaults(scenario: Checked): readonly SpecFault[] {
  return [...occurrenceFaults(scenario), ...conditionFaults(scenario)]
}

function conditionFaults({ oracle, gates, policies }: Checked): readonly SpecFault[] {
  const { always, never, sometimes, eventually, correct, degraded } = oracle
  const listed = (list: string, texts: readonly string[]) =>
    texts.map((text, index) => [`${list}[${index}]`, text] as const)
  const conditions = [
    ...listed('oracle.always', always),
    ...listed('oracle.never', never),
    ...listed('oracle.sometimes', sometimes),
    ...eventually.map(({ is }, index) => [`oracle.eventually[${index}].is`, is] as const),
    ['oracle.correct', correct ?? 'true'],
    ['oracle.degraded', degraded ?? 'true'],
  ] as const
  const compileGate = gateCompiler(Object.keys(policies))
  const faultsIn = (all: readonly (readonly [string, string])[], compile: typeof compileGate) =>
    all.flatMap(([path, text]) => {
      const { fault } = compile(text)
      return fault === undefined ? [] : [{ path, message: fault }]
    })
  return [
    ...faultsIn(conditions, compileCondition),
    ...faultsIn(listed('gates', gates), compileGate),
  ]
}

interface Occurring {
  readonly faults: readonly Fault[]
  readonly heal?: number | undefined
}

/** Duplicate ids, references to missing faults, and processes that cannot occur. */
function occurrenceFaults({ faults, heal }: Occurring): readonly SpecFault[] {
  const ids = faults.map(({ id }) => id)
  return faults.flatMap(({ id, when, how, limit }, index) => {
    const at = `faults[${index}]`
    const found: SpecFault[] = []
    if (ids.indexOf(id) !== index)
      found.push({ path: `${at}.id`, message: `'${id}' is used twice` })
    if (when.afterFault !== undefined && !ids.includes(when.afterFault))
      found.push({ path: `${at}.when.afterFault`, message: nameHint(when.afterFault, ids) })
    if (limit === 0)
      found.push({
        path: `${at}.limit`,
        message: 'is 0, so the fault cannot occur; remove the fault',
      })
    const start = typeof how === 'object' ? how.outage?.at : undefined
    if (heal !== undefined && start !== undefined && start >= heal)
      found.push({
        path: `${at}.how.outage`,
        message: `starts at ${spanText(start)}, and heal ends all faults at ${spanText(heal)}; it cannot occur`,
      })
    return found
  })
}

/** The names that targets can match. */
export type Names = Readonly<{ tool: readonly string[]; model: readonly string[] }>

export const matchesTarget = ({ pattern }: Target, name: string): boolean =>
  pattern === name || matchesTool(pattern, name)

/** The targets that match no tool and no model of the graph. */
export function targetFaults(faults: readonly Fault[], names: Names): readonly SpecFault[] {
  return faults.flatMap(({ on }, index) => {
    if (on.kind !== 'tool' && on.kind !== 'model') return []
    const known = names[on.kind]
    if (known.some(name => matchesTarget(on, name))) return []
    const message =
      known.length === 0
        ? `the graph has no ${on.kind}s; this fault cannot occur`
        : `the graph has no ${on.kind} '${on.pattern}'; ${nameHint(on.pattern, known)}`
    return [{ path: `faults[${index}].on`, message }]
  })
}
