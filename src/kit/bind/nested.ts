/** The specs of a bound graph and of the graphs below it, as the worst case reads them. */
import type { Nested } from '../../core/graph/worst-case/worst-case.ts'
import type { SpecGraph } from './bind.ts'

export function nestedOf(code: Pick<SpecGraph, 'spec' | 'graphs' | 'tools'>): Nested {
  const { spec, graphs = {} } = code
  const inside = (name: string) => graphs[name] && nestedOf(graphs[name] as SpecGraph)
  return { spec, inside, code }
}
