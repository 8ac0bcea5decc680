/** Reads the shown threads of the service, and the counts of their groups. */
import { useCallback } from 'react'
import { service } from '../../data/service.ts'
import { usePolled } from '../use-polled.ts'
import { type ListQuery, PAGE } from './list-query.ts'

const EVERY_MS = 2_000
/** A long list is read less often. */
const LONG_EVERY_MS = 10_000

/** The latest ones. `key`: the filter as a text, so that an equal filter reads no second time. */
export function useThreads({ filter, shown }: ListQuery) {
  const key = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filter.
  const read = useCallback(
    async () => (await service.threads({ ...filter, order: 'latest', limit: shown })).threads,
    [key, shown],
  )
  return usePolled(read, shown > PAGE ? LONG_EVERY_MS : EVERY_MS)
}

/** The counts of all threads. They are read for groups only: the store reads a line of each thread. */
export function useCounts({ filter: { graph, prefix }, group }: ListQuery) {
  const isGrouped = group !== 'none'
  const read = useCallback(
    async () =>
      isGrouped
        ? service.tallies({ ...(graph && { graph }), ...(prefix && { prefix }) })
        : undefined,
    [isGrouped, graph, prefix],
  )
  return usePolled(read, LONG_EVERY_MS).value
}
