/** The time, again and again, for what changes with it alone. */
import { useEffect, useState } from 'react'
import { nowMs } from './route.ts'

export function useNow(everyMs: number): number {
  const [now, setNow] = useState(nowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
