/** A value that changes fast, such as the event of a play: components that are slow to compute see it when it rests. */
import { useEffect, useState } from 'react'

/** A seek that moves on within this time computes nothing. */
const SETTLED_MS = 60

export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
