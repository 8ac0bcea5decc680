/** Reads a value again and again while the screen is visible. */
import { useEffect, useState } from 'react'

export interface Polled<T> {
  readonly value: T | undefined
  readonly problem: unknown
  readonly again: () => void
}

export function usePolled<T>(read: () => Promise<T>, everyMs: number): Polled<T> {
  const [value, setValue] = useState<T>()
  const [problem, setProblem] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads at once.
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = async () => {
      if (!document.hidden) {
        try {
          const found = await read()
          if (!isCurrent) return
          setValue(found)
          setProblem(undefined)
        } catch (error) {
          if (isCurrent) setProblem(error)
        }
      }
      if (isCurrent) timer = setTimeout(() => void next(), everyMs)
    }
    void next()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [read, everyMs, attempt])
  return { value, problem, again: () => setAttempt(attempt + 1) }
}
