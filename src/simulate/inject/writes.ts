/** What is true about the writes of a run: what a person finds who looks up whether a call took effect. */
import { toJson } from '../../runtime/call/stored-json.ts'
import type { Calling, Reconciliation, Tool } from '../../runtime/ports.ts'

/** `open`: the call has not returned. The result is there if the tool promises one. */
export type FoundWrite =
  | { readonly state: 'applied'; readonly result?: unknown }
  | { readonly state: 'not-applied' | 'open' }

interface Write {
  readonly tool: string
  /** Executions that have not returned. */
  open: number
  /** `promised`: the tool has a contract of its results. */
  applied?: { readonly result: unknown; readonly promised: boolean }
}

interface ToolWrite {
  readonly tool: Tool
  /** The name of the tool in its graph. */
  readonly name: string
  readonly key: string
}

/** A tool that throws has not taken effect. */
export class Writes {
  /** By idempotency key: one write may have several attempts. */
  readonly #writes = new Map<string, Write>()

  /** Performs a write without its injected effects. */
  async perform<T>({ tool, name, key }: ToolWrite, execute: () => Promise<T>): Promise<T> {
    const write: Write = this.#writes.get(key) ?? { tool: name, open: 0 }
    this.#writes.set(key, write)
    write.open++
    try {
      const result = await execute()
      write.applied = { result, promised: tool.checkResult !== undefined }
      return result
    } finally {
      write.open--
    }
  }

  /** What `reconcile` of a fake tool answers: a call that has not returned may still take effect. */
  reconcile({ idempotencyKey }: Pick<Calling, 'idempotencyKey'>): Reconciliation {
    const write = this.#writes.get(idempotencyKey)
    const { state } = foundOf(write)
    if (state === 'open') return { answer: 'unknown' }
    return { answer: state, result: toJson(write?.applied?.result).value ?? null }
  }

  find(
    thread: string,
    { call, tool }: { readonly call: string; readonly tool: string },
  ): FoundWrite {
    const key = `${thread}/${call}`
    const own = this.#writes.get(key)
    if (own) return foundOf(own)
    // The call is a child, and the tool was called in it or below it. The answer has no result: it would be that of the child's graph.
    const inChild = [...this.#writes].findLast(
      ([other, write]) => other.startsWith(`${key}/`) && write.tool === tool,
    )
    return { state: foundOf(inChild?.[1]).state }
  }
}

function foundOf(write: Write | undefined): FoundWrite {
  if (write?.applied) {
    const { result, promised } = write.applied
    return { state: 'applied', ...(promised && { result }) }
  }
  return { state: write && write.open > 0 ? 'open' : 'not-applied' }
}
