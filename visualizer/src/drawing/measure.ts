/** The width of texts in the fonts of the page. */
import type { Measure } from '../layout/diagram.ts'

/** Texts are measured before a layout, never assumed. */
export function canvasMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d')
  const family = getComputedStyle(document.body).fontFamily
  const fonts = { name: `600 14px ${family}`, label: `500 11px ${family}` }
  return (text, font) => {
    if (!context) return text.length * (font === 'name' ? 8 : 6.4)
    context.font = fonts[font]
    return context.measureText(text).width
  }
}
