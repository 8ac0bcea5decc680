/** The names of stored values. */
import { createHash } from 'node:crypto'
import { canonical, hash, type Json } from '../../core/watch/data/json.ts'

const digest = (value: Json): string => createHash('sha256').update(canonical(value)).digest('hex')

/** The kinds of stored values. Only a graph can come with an archive. */
type Kind = 'graph' | 'request' | 'made' | 'message' | 'imported'

/**
 * Names a value by what it holds. Another value cannot have this name: an archive would replace the graph of a thread that
 * starts later.
 */
export const nameOfValue = (kind: Kind, value: Json): string => `${kind}-${digest(value)}`

/** Whether a graph has the name under which it was stored. Earlier versions named graphs by a short hash. */
export const isNameOf = (name: string, graph: Json): boolean =>
  name === nameOfValue('graph', graph) || name === hash(canonical(graph))
