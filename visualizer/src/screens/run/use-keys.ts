/** Single keys of the run screen. They are off while a person types. */
import { useEffect } from 'react'
import type { Action, ActionContext } from './actions.ts'

export function useRunKeys(context: ActionContext, actions: readonly Action[]): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const pressed = event.key.toLowerCase()
      const perform = actions.find(({ key }) => key?.toLowerCase() === pressed)?.of(context)
      if (!perform) return
      event.preventDefault()
      perform()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (document.querySelector('dialog[open]')) return true
  return target.matches('input, textarea, select, [role=treeitem], [role=tab]')
}
