/** Single keys of the run screen. They are off while a person types. */
import { useEffect } from 'react'
import { setQuery } from '../../data/route.ts'
import type { RunModel } from '../../data/run-model.ts'
import type { Commands } from './commands.ts'
import { lapTargets, outTargets } from './targets.ts'
import type { OpenDialog } from './toolbar.tsx'
import type { Breakpoints } from './use-breakpoints.ts'
import type { ThreadStatus } from './use-state.ts'

interface KeyContext {
  readonly model: RunModel
  readonly commands: Commands
  readonly status: ThreadStatus
  readonly open: (dialog: OpenDialog) => void
  readonly selected: string | undefined
  readonly breakpoints: Breakpoints
}

export function useRunKeys(context: KeyContext): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const action = actionOf(event.key, context)
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (document.querySelector('dialog[open]')) return true
  return target.matches('input, textarea, select, [role=treeitem], [role=tab]')
}

function actionOf(key: string, context: KeyContext): (() => void) | undefined {
  const { model, commands, status, open, selected, breakpoints } = context
  if (model.link.kind === 'file') return seekKey(key, model)
  const { ended, paused } = status
  const step = (name: string, until?: readonly string[]) => {
    if (ended || !paused || until?.length === 0) return undefined
    return () =>
      void commands.send(name, (thread, options) =>
        thread.step({ ...options, ...(until && { until }) }),
      )
  }
  switch (key) {
    case 'F5':
      return () => void commands.send('Continue', (thread, options) => thread.resume(options))
    case 'p':
    case 'P':
      return () =>
        void commands.send('Pause', (thread, options) => thread.pause(undefined, options))
    case 's':
    case 'S':
      return step('Step')
    case 'l':
    case 'L':
      return step('Lap', lapTargets(model))
    case 'u':
    case 'U':
      return step('Out', outTargets(model))
    case 'r':
    case 'R':
      return step('Run to here', selected === undefined ? [] : [selected])
    case 'f':
    case 'F':
      return () => open('fork')
    case 'e':
    case 'E':
      return () => open('send')
    case 'i':
    case 'I':
      return () => open('fault')
    case 'b':
    case 'B':
      return selected === undefined ? undefined : () => breakpoints.toggle(selected)
    default:
      return seekKey(key, model)
  }
}

function seekKey(key: string, model: RunModel): (() => void) | undefined {
  switch (key) {
    case 'ArrowLeft':
      return () => model.seek(Math.max(0, model.at - 1))
    case 'ArrowRight':
      return () => model.seek(model.at + 1)
    case 'Home':
      return () => model.seek(0)
    case 'End':
      return () => model.seek(undefined)
    case 'n':
    case 'N': {
      const next = model.rows.find(({ seq, findings }) => seq > model.at && findings.length > 0)
      return next && (() => model.seek(next.seq))
    }
    case '1':
      return () => setQuery({ view: 'drawing' })
    case '2':
      return () => setQuery({ view: 'outline' })
    default:
      return undefined
  }
}
