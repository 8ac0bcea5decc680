/** The indicator for the page of a chat: `escapement/indicator`. Defines the element `<escapement-indicator>`. */
import { EscapementIndicator } from './faces/indicator/indicator.ts'

export { EscapementIndicator }
export type { IndicatorState } from './faces/indicator/shown.ts'

globalThis.customElements?.define('escapement-indicator', EscapementIndicator)
