/** Keys of a list: `j` and `k` move between its rows, `x` selects one, and `Enter` opens it as a link does. */
import { type RefObject, useEffect } from 'react'
import { isTyping } from '../run/use-keys.ts'

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 }

/** The rows are those of the element that have a link in their header. */
export function useRowKeys(list: RefObject<HTMLElement | null>, select: (row: string) => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isInText(event.target)) return
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('tr[data-row]') ?? [])]
      const place = rows.findIndex(row => row.contains(document.activeElement))
      const step = STEPS[event.key]
      if (step !== undefined) {
        const next = rows[Math.min(rows.length - 1, Math.max(0, place + step))]
        next?.querySelector<HTMLElement>('th a')?.focus()
      } else if (event.key === 'x' && place >= 0) select(rows[place]?.dataset.row ?? '')
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

/** A checkbox is an `input` that takes no letters. */
const isInText = (target: EventTarget | null): boolean =>
  isTyping(target) && !(target instanceof HTMLInputElement && target.type === 'checkbox')
