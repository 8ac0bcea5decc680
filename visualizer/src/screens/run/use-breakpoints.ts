/** The breakpoints of the thread's graph: threads pause before they enter these states. */
import { useCallback, useEffect, useState } from 'react'
import type { RunModel } from '../../data/run-model.ts'
import { service } from '../../data/service.ts'
import type { Commands } from './commands.ts'

export interface Breakpoints {
  readonly all: ReadonlySet<string>
  readonly toggle: (node: string) => void
}

export function useBreakpoints(model: RunModel, commands: Commands): Breakpoints {
  const [all, setAll] = useState<ReadonlySet<string>>(new Set())
  const { send } = commands
  const { thread } = model
  const { graph } = model.graph
  const load = useCallback(async () => {
    const known = await service.breakpoints().catch(() => [])
    const own = known.filter(of => of.graph === graph && (of.thread ?? thread) === thread)
    setAll(new Set(own.flatMap(({ node }) => node ?? [])))
  }, [graph, thread])
  useEffect(() => {
    void load()
  }, [load])
  const toggle = (node: string) => {
    const change = all.has(node) ? 'clear' : 'set'
    void send(`Breakpoint ${change}`, () =>
      service.changeBreakpoint({ graph, node, thread }, change),
    ).then(load)
  }
  return { all, toggle }
}
