/** Single keys of the inbox. They are off while a person types. */
import { useEffect } from 'react'
import { isTyping } from '../run/use-keys.ts'

/** The keys of the inbox, with what they do. */
export const INBOX_KEYS = [
  { key: 'J', hint: 'Next question' },
  { key: 'K', hint: 'Previous question' },
  { key: 'A', hint: 'Approve' },
  { key: 'E', hint: 'Edit the value' },
  { key: 'R', hint: 'Reject' },
] as const

type Key = (typeof INBOX_KEYS)[number]['key']

/** `perform`: what each key does now. Keys without an entry do nothing. */
export function useInboxKeys(perform: Readonly<Partial<Record<Key, (() => void) | undefined>>>) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isCombined = event.ctrlKey || event.metaKey || event.altKey
      if (isCombined || event.repeat || isTyping(event.target)) return
      const act = perform[event.key.toUpperCase() as Key]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
