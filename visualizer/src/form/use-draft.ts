/** What a person types where JSON is expected: one text behind the form and the JSON, its value, and its faults. */
import { useEffect, useMemo, useState } from 'react'
import type { Fault } from '../../../src/core/watch/data/fault.ts'
import type { Json } from '../../../src/core/watch/data/json.ts'
import type { Check } from './check.ts'
import type { JsonSchema } from './shape.ts'

export interface Draft {
  readonly schema: JsonSchema | undefined
  /** JSON. Empty without a value. */
  readonly text: string
  /** Returns `undefined` while the text is not JSON. */
  readonly value: Json | undefined
  /** Why the value cannot be sent. */
  readonly faults: readonly Fault[]
  /** How often the value was to be sent. From then on, all fields show their faults. */
  readonly attempts: number
  readonly isRevealed: boolean
  readonly setText: (text: string) => void
  readonly setValue: (value: Json | undefined) => void
  /** A field holds a text that is not JSON. */
  readonly setBroken: (path: string, isBroken: boolean) => void
  /** Shows all faults. Returns the value if it has none. */
  readonly accept: () => Json | undefined
}

const NOT_JSON = 'Expected JSON.'

export function useDraft(schema: JsonSchema | undefined, start: string): Draft {
  const [text, setText] = useState(start)
  const [broken, setBroken] = useState<readonly string[]>([])
  const [attempts, setAttempts] = useState(0)
  const check = useCheck(schema)
  const value = useMemo(() => valueIn(text), [text])
  const faults = useMemo(() => {
    if (value === undefined && text.trim() !== '') return [{ path: '', message: NOT_JSON }]
    const inside = broken.map(path => ({ path, message: NOT_JSON }))
    if (value !== undefined) return [...inside, ...(check?.(value) ?? [])]
    return [{ path: '', message: 'A value is required.' }]
  }, [value, text, broken, check])
  return {
    ...{ schema, text, value, faults, attempts, isRevealed: attempts > 0 },
    setText(next) {
      setBroken([])
      setText(next)
    },
    setValue: next => setText(next === undefined ? '' : JSON.stringify(next, null, 2)),
    setBroken: (path, isBroken) =>
      setBroken(all => [...all.filter(each => each !== path), ...(isBroken ? [path] : [])]),
    accept() {
      setAttempts(attempts + 1)
      return faults.length === 0 ? value : undefined
    },
  }
}

/** The code of the check is loaded when a schema is known. */
function useCheck(schema: JsonSchema | undefined): Check | undefined {
  const [check, setCheck] = useState<Check>()
  useEffect(() => {
    if (schema === undefined) return
    let isCurrent = true
    const load = async () => {
      const { checkOf } = await import('./check.ts')
      if (isCurrent) setCheck(() => checkOf(schema))
    }
    // Without it, the service checks the value.
    load().catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [schema])
  return schema === undefined ? undefined : check
}

function valueIn(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
