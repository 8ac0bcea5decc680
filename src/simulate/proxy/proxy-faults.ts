/** The faults of a scenario at a proxy: it sees the requests of an agent that is not a graph of this package. */
import type { Fault as SpecFault } from '../../core/watch/data/fault.ts'
import type { Fault, When } from '../scenario/fault.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** Where a call at a proxy comes from: a proxy sees neither nodes nor attempts. */
export const PROXIED = { node: '', visit: 1, attempt: 1 } as const

const UNSEEN: readonly (keyof When)[] = ['attempt', 'node', 'visit']

/** The faults that cannot occur at a proxy. */
export function proxyFaults({ faults }: Pick<Scenario, 'faults'>): readonly SpecFault[] {
  return faults.flatMap((fault, index) =>
    problemsOf(fault).map(({ path, message }) => ({ path: `faults[${index}].${path}`, message })),
  )
}

function problemsOf({ on, when, what }: Fault): readonly SpecFault[] {
  if (on.kind === 'human' || on.kind === 'commit')
    return [{ path: 'on', message: `a proxy has no ${on.kind}; expected tool:NAME or model:NAME` }]
  const unseen = UNSEEN.filter(key => when[key] !== undefined).map(key => {
    const message = 'a proxy sees no nodes and no attempts; expected calls, time or afterFault'
    return { path: `when.${key}`, message }
  })
  const message = 'a proxy does not know the hints of an agent; expected another effect'
  return what.ignoreHint ? [...unseen, { path: 'what', message }] : unseen
}
