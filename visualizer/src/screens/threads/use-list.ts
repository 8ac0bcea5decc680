/** Reads the shown threads of the service, and the counts of their groups. */
import { useCallback } from 'react'
import type { ThreadPage } from '../../../../src/host/overview.ts'
import { service } from '../../data/service.ts'
import { usePolled } from '../use-polled.ts'
import { type ListQuery, PAGE } from './list-query.ts'

/** The most threads that the service returns at once. */
const REQUEST_MAX = 1_000
const EVERY_MS = 2_000
/** A long list is read less often. */
const LONG_EVERY_MS = 10_000

/** `key`: the filter as a text, so that an equal filter reads no second time. */
export function useThreads({ filter, shown }: ListQuery) {
  const key = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filter.
  const read = useCallback(() => firstThreads(filter, shown), [key, shown])
  return usePolled(read, shown > PAGE ? LONG_EVERY_MS : EVERY_MS)
}

async function firstThreads(filter: ListQuery['filter'], shown: number): Promise<ThreadPage> {
  const threads: ThreadPage['threads'][number][] = []
  for (let after: string | undefined; ; ) {
    const limit = Math.min(REQUEST_MAX, shown - threads.length)
    const page = await service.threads({ ...filter, limit, ...(after && { after }) })
    threads.push(...page.threads)
    after = page.next
    if (after === undefined || threads.length >= shown)
      return { threads, ...(after && { next: after }) }
  }
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
