/** The bar above every screen with its buttons: those of the page, the theme, and the list of keys. */
import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from '../design/icon.tsx'
import { useTheme } from '../design/theme.ts'
import { Bar } from './bar.tsx'
import { ShortcutsDialog } from './shortcuts.tsx'

interface TopBarProps {
  readonly name: string
  /** Where the name leads. */
  readonly home?: string
  /** Buttons before those that every page has. */
  readonly actions?: ReactNode
  /** The page has no service. */
  readonly readOnly?: boolean
  readonly children: ReactNode
}

export function TopBar({ name, home, actions, readOnly = false, children }: TopBarProps) {
  const { theme, next } = useTheme()
  const [help, setHelp] = useState(false)
  useHelpKey(() => setHelp(true))
  return (
    <>
      <Bar name={name} {...(home !== undefined && { home })}>
        {children}
        <span className="top-actions">
          {actions}
          <button type="button" className="button is-plain is-square" onClick={next}>
            <Icon name="sun" label={`Theme: ${theme}. Change it`} />
          </button>
          <button type="button" className="button is-plain is-square" onClick={() => setHelp(true)}>
            <Icon name="help" label="Keyboard shortcuts" />
          </button>
        </span>
      </Bar>
      {help && <ShortcutsDialog readOnly={readOnly} onClose={() => setHelp(false)} />}
    </>
  )
}

function useHelpKey(open: () => void): void {
  useEffect(() => {
    const press = ({ key, target }: KeyboardEvent) => {
      const isTyping = target instanceof Element && target.matches('input, textarea, select')
      if (key === '?' && !isTyping) open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
