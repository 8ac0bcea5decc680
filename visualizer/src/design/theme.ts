/** The theme of the page: that of the system, or one that the person has chosen. `?theme=` fixes it. */
import { useLayoutEffect, useState } from 'react'

const THEMES = ['system', 'dark', 'light'] as const
type Theme = (typeof THEMES)[number]

const KEY = 'escapement theme'

function initial(): Theme {
  const fixed = new URLSearchParams(location.search).get('theme')
  const kept = fixed ?? remembered()
  return THEMES.find(theme => theme === kept) ?? 'system'
}

export function useTheme(): { readonly theme: Theme; readonly next: () => void } {
  const [theme, setTheme] = useState(initial)
  // Before the paint: the page is never seen in another theme.
  useLayoutEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
  const next = () => {
    const following = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
    remember(following)
    setTheme(following)
  }
  return { theme, next }
}

/** A page in a frame without an origin of its own may have no storage. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // The theme holds until the page closes.
  }
}
