/** The lanes that a person has asked for: the budget, and channels. The address names them. */
import { useEffect, useState } from 'react'
import { canFold, tracksIn } from '../../data/core-fold.ts'
import { addressNow, setQuery, useQuery } from '../../data/route.ts'
import type { TrackFold, Tracks } from '../../data/tracks.ts'
import { useModel, useRun } from '../../data/use-run.ts'

const NONE: Tracks = { budget: [], channels: new Map() }

/** Channel names may hold a comma. */
const channelsIn = (text: string | undefined): readonly string[] =>
  (text ?? '').split(',').filter(Boolean).map(decodeURIComponent)

const channelsText = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : names.map(encodeURIComponent).join(',')

export const useIsWatched = (channel: string): boolean =>
  channelsIn(useQuery('watch')).includes(channel)

export function toggleWatch(channel: string): void {
  const names = channelsIn(addressNow().query.watch)
  const others = names.filter(name => name !== channel)
  setQuery({
    watch: channelsText(others.length < names.length ? others : [...names, channel]),
  })
}

export const useHasBudget = (): boolean => useQuery('lanes') === 'budget'

export const toggleBudget = (): void =>
  setQuery({ lanes: addressNow().query.lanes === 'budget' ? undefined : 'budget' })

/** The number of lanes that a person has asked for. */
export function useTrackCount(): number {
  const watched = channelsIn(useQuery('watch')).length
  return watched + (useHasBudget() ? 1 : 0)
}

/** The tracks of all rows, once they are folded. Nothing is folded before a person asks for a lane. */
export function useTracks(): Tracks {
  const model = useModel()
  const watched = useQuery('watch')
  const hasBudget = useHasBudget()
  const isOn = canFold(model) && (hasBudget || watched !== undefined)
  const version = useRun(({ journal }) => journal.version)
  const [fold, setFold] = useState<TrackFold>()
  const [tracks, setTracks] = useState(NONE)
  useEffect(() => {
    if (!isOn) return
    let isCurrent = true
    tracksIn(model, channelsIn(watched)).then(made => {
      if (isCurrent) setFold(made)
    })
    return () => {
      isCurrent = false
      setFold(undefined)
      setTracks(NONE)
    }
  }, [model, watched, isOn])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the journal has more rows.
  useEffect(() => {
    if (!fold) return
    const left = new AbortController()
    fold.in(model.rows, left.signal).then(
      made => {
        if (!left.signal.aborted) setTracks(made)
      },
      // The next version goes on where this one was left.
      () => {},
    )
    return () => left.abort()
  }, [fold, model, version])
  return tracks
}
