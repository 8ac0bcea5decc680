/** The colors of the page for a canvas, which knows no custom properties, and the changes after which it is drawn again. */
import { useSyncExternalStore } from 'react'

/** The color of a token as the element has it now. */
export function colorsOf(element: HTMLElement): (token: string) => string {
  const style = getComputedStyle(element)
  return token => {
    element.style.color = `var(${token})`
    return style.color
  }
}

const QUERIES = [
  '(prefers-color-scheme: dark)',
  '(prefers-contrast: more)',
  '(forced-colors: active)',
]

/** A text that differs whenever the colors of the page do. */
export const useColorScheme = (): string => useSyncExternalStore(subscribe, colorScheme)

const colorScheme = (): string =>
  [
    document.documentElement.dataset.theme ?? 'system',
    ...QUERIES.map(query => matchMedia(query).matches),
  ].join(' ')

function subscribe(listener: () => void): () => void {
  const queries = QUERIES.map(query => matchMedia(query))
  for (const query of queries) query.addEventListener('change', listener)
  const theme = new MutationObserver(listener)
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    for (const query of queries) query.removeEventListener('change', listener)
    theme.disconnect()
  }
}
