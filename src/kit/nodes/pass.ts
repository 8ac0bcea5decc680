import type { Node } from '../../runtime/ports.ts'

/** `use: pass` does nothing: its output is what its `in` gives it. What it is for stands in its `when` and its edges. */
export const pass: Node = async ({ input }) => ({ ...input })
