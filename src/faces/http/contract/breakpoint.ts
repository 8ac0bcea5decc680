/** Breakpoints, as the service accepts and returns them. */
import { z } from 'zod'
import { name } from './endpoint.ts'

const BEFORE_NODE = { graph: name, node: name, thread: name.optional() }

/** `when`: a condition in CEL over an event. */
const ON_CONDITION = { graph: name, when: z.string().min(1).max(2_000), thread: name.optional() }

export const Breakpoint = z.union([z.object(BEFORE_NODE), z.object(ON_CONDITION)])

const CHANGE = { do: z.enum(['set', 'clear']) }
const EXPECTED = { error: 'expected a graph, and either node or when' }

export const BreakpointChange = z.union(
  [z.strictObject({ ...BEFORE_NODE, ...CHANGE }), z.strictObject({ ...ON_CONDITION, ...CHANGE })],
  EXPECTED,
)
