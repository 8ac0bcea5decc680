/** Tools that a simulation would call for real. */
import { isMap, valueAt } from '../../core/watch/data/json.ts'
import { nestedGraphs } from '../../runtime/child/nested-graphs.ts'
import type { Graph } from '../../runtime/ports.ts'
import { createSystem } from '../../simulate/run/fake-system.ts'
import type { Subject } from '../../simulate/run/simulate.ts'

/** The tools that write, are not replaced by the fake system, and are not `use: flaky`, by name. @throws SystemFailed */
export function realWrites({ graph, system, redact = same }: Subject): readonly string[] {
  const { tools = {} } = createSystem(system, { seed: 1, redact })
  const found = nestedGraphs([graph]).flatMap(each => writesOf(each))
  return [...new Set(found)].filter(name => !Object.hasOwn(tools, name))
}

const same = <T>(value: T): T => value

function writesOf({ tools, source }: Graph): readonly string[] {
  const spec = isMap(source) && isMap(source.spec) ? source.spec : source
  const isSimulated = (name: string) => valueAt(spec, `tools.${name}.use`) === 'flaky'
  return Object.entries(tools).flatMap(([name, { effects }]) =>
    effects === 'write' && !isSimulated(name) ? [name] : [],
  )
}
