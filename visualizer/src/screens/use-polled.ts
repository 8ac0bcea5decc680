/** Reads a value once, or again and again while the screen is visible. */
import { useEffect, useState } from 'react'

export interface Polled<T> {
  readonly value: T | undefined
  readonly problem: unknown
  readonly again: () => void
}

/** A read of a large store is repeated after this many times its duration, so that the page does not keep the service busy. */
const REST = 20

/** `everyMs`: without it, the value is read once, and again on request. */
export function usePolled<T>(read: () => Promise<T>, everyMs?: number): Polled<T> {
  const [value, setValue] = useState<T>()
  const [problem, setProblem] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads at once.
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = async () => {
      const start = performance.now()
      if (!document.hidden || everyMs === undefined) {
        try {
          const found = await read()
          if (!isCurrent) return
          setValue(found)
          setProblem(undefined)
        } catch (error) {
          if (isCurrent) setProblem(error)
        }
      }
      if (!isCurrent || everyMs === undefined) return
      const waitMs = Math.max(everyMs, REST * (performance.now() - start))
      timer = setTimeout(() => void next(), waitMs)
    }
    void next()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [read, everyMs, attempt])
  return { value, problem, again: () => setAttempt(attempt + 1) }
}
