/** Reads the thread of the screen in components. A component renders again only when what it reads has changed. */
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { RunModel } from './run-model.ts'

export const RunContext = createContext<RunModel | undefined>(undefined)

export function useModel(): RunModel {
  const model = useContext(RunContext)
  if (!model) throw new Error('a component of the run is outside of its screen')
  return model
}

/** `read` returns a primitive, or an object that stays the same while nothing has changed. */
export function useRun<T>(read: (model: RunModel) => T): T {
  const model = useModel()
  return useSyncExternalStore(model.subscribe, () => read(model))
}

/** Whether the thread comes from a file, without a service. */
export const useIsFile = (): boolean => useRun(({ link }) => link.kind === 'file')

/** Whether the thread can only be looked at: it comes from a file, or the service does not hold its graph. */
export const useIsReadOnly = (): boolean =>
  useRun(({ link }) => link.kind === 'file' || link.kind === 'stored')
