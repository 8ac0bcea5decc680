/** What a person types for the decisions `edited` and `applied`: its JSON Schema, and the value to start from. */
import type { Interrupt } from '../../core/run/effects.ts'
import { type JsonSchema, outputSchema, pathsOf } from '../../core/graph/channel-schema.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import { workingNodes } from '../../core/graph/spec/spec.ts'
import { kindOf } from '../../core/review/answers.ts'
import type { Row, Run } from '../../core/run/run.ts'
import { defined, type Json } from '../../core/watch/data/json.ts'
import type { Graph } from '../../runtime/ports.ts'
import { nestedGraph } from '../drive/load.ts'

/** `edited`, or `applied` for the result of a call, takes `output` with this schema. `value` is what is decided about now. */
export interface Edit {
  readonly schema?: JsonSchema
  readonly value?: Json
}

/** The edit of a question. `row` is the event that asked it. */
export function editOf(
  graph: Graph,
  run: Run,
  asked: Interrupt,
  row: Row | undefined,
): Edit | undefined {
  const kind = kindOf(asked)
  if (kind === 'permission') return editOfCall(graph, asked, row)
  if (kind === 'call') return resultOfCall(graph, asked)
  return kind === 'node' ? editOfNode(nestedGraph(graph).spec, run, asked) : undefined
}

/** The question has the arguments cut, the event that proposed them has all. */
function editOfCall({ tools }: Graph, { call }: Interrupt, row: Row | undefined): Edit {
  const { event } = row ?? {}
  const proposed =
    event?.type === 'call.proposed' && event.call === call?.call ? event.args : undefined
  const tool = call && tools[call.tool]
  return defined({ schema: tool?.parameters, value: proposed })
}

function resultOfCall({ tools }: Graph, { call }: Interrupt): Edit {
  const tool = call && !call.child ? tools[call.tool] : undefined
  return defined({ schema: tool?.returns as JsonSchema | undefined })
}

/** A write appends to a list: it starts empty. */
function editOfNode(spec: Spec, { snapshot }: Run, { node }: Interrupt): Edit {
  const out = workingNodes(spec).find(([name]) => name === node)?.[1].out
  const schema = outputSchema(spec.channels, out)
  if (schema === undefined) return {}
  const current = Object.entries(pathsOf(out)).flatMap(([name, path]) => {
    const value = snapshot.context[name]
    const isKept = value != null && spec.channels[name]?.reducer !== 'append'
    return isKept ? [[path, value] as const] : []
  })
  const [whole] = current
  const value = whole?.[0] === '.' ? whole[1] : Object.fromEntries(current)
  return { schema, ...defined({ value: schema.type === 'object' || whole ? value : undefined }) }
}
