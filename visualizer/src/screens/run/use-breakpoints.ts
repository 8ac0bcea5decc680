/** The breakpoints that hold for this thread: it pauses before these states, and after events that make these conditions true. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Breakpoint } from '../../../../src/core/run/control.ts'
import type { RunModel } from '../../data/run-model.ts'
import { service } from '../../data/service.ts'
import { useIsFile } from '../../data/use-run.ts'
import type { Commands } from './commands.ts'

/** A state, or a condition over an event. */
export type BreakpointAt = { readonly node: string } | { readonly when: string }

export interface Breakpoints {
  readonly nodes: ReadonlySet<string>
  readonly conditions: ReadonlySet<string>
  /** Sets a breakpoint of this thread, or clears it. */
  readonly toggle: (at: BreakpointAt) => void
}

export function useBreakpoints(model: RunModel, commands: Commands): Breakpoints {
  const [all, setAll] = useState<readonly Breakpoint[]>([])
  const { send } = commands
  const { thread } = model
  const { graph } = model.graph
  const isFile = useIsFile()
  const load = useCallback(async () => {
    if (isFile) return
    const known = await service.breakpoints().catch(() => [])
    setAll(known.filter(of => of.graph === graph && (of.thread ?? thread) === thread))
  }, [graph, thread, isFile])
  useEffect(() => {
    void load()
  }, [load])
  const [nodes, conditions] = useMemo(
    () => [
      new Set(all.flatMap(of => (of.when === undefined ? of.node : []))),
      new Set(all.flatMap(of => of.when ?? [])),
    ],
    [all],
  )
  const toggle = (at: BreakpointAt) => {
    const isSet = 'node' in at ? nodes.has(at.node) : conditions.has(at.when)
    const change = isSet ? 'clear' : 'set'
    void send(`Breakpoint ${change}`, () =>
      service.changeBreakpoint({ graph, ...at, thread }, change),
    ).then(load)
  }
  return { nodes, conditions, toggle }
}
