/** How the timeline is laid out: by event or by the clock, with idle times folded or not, and the part of it that is shown. */
import { useEffect, useMemo, useState } from 'react'
import { type Axis, eventAxis, timeAxis } from '../../data/axis.ts'
import { type Extent, extentIn, extentText } from '../../data/extent.ts'
import { addressNow, setQuery, useQuery } from '../../data/route.ts'
import { useModel, useRun } from '../../data/use-run.ts'

export const useIsByTime = (): boolean => useQuery('axis') === 'time'

export const toggleAxis = (): void => {
  const isByTime = addressNow().query.axis === 'time'
  setQuery({ axis: isByTime ? undefined : 'time' })
}

export const setFolded = (folds: boolean): void => setQuery({ idle: folds ? undefined : 'shown' })

export function useAxis(): Axis {
  const model = useModel()
  const version = useRun(({ journal }) => journal.version)
  const isByTime = useIsByTime()
  const folds = useQuery('idle') !== 'shown'
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the journal has more rows.
  return useMemo(() => {
    const { rows, spans, journal } = model
    return isByTime ? timeAxis({ rows, spans: spans.all, folds }) : eventAxis(journal.end)
  }, [model, version, isByTime, folds])
}

/** The browser limits how often a page changes its address. */
const ADDRESS_EVERY_MS = 300

export function useExtent(): readonly [Extent, (extent: Extent) => void] {
  const named = useQuery('part')
  const [extent, setExtent] = useState(() => extentIn(named))
  // A link names another part.
  useEffect(() => setExtent(extentIn(named)), [named])
  useEffect(() => {
    const text = extentText(extent)
    const timer = setTimeout(() => setQuery({ part: text }), ADDRESS_EVERY_MS)
    return () => clearTimeout(timer)
  }, [extent])
  return [extent, setExtent]
}
