/** The element `<escapement-indicator>`. */
import { follow } from './follow.ts'
import { build, type Render } from './parts.ts'
import { type IndicatorState, type Shown, shownOf } from './shown.ts'
import { STYLE } from './style.ts'

/** The time in ms for which the summary stays. */
const LINGER_MS = 2_000

/** A server that renders the page has no elements. There, the class exists and does nothing. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement

const UNKNOWN: Shown = {
  look: 'working',
  title: 'Connecting',
  ended: false,
  ...{ steps: 0, errors: '', summary: '' },
}

/**
 * Shows what an agent does, for the page of a chat: whether it works, waits or has ended, its steps of its limit, the consecutive
 * rounds in which all calls failed, and at the end a summary with the command that the agent suggests. Two seconds after the end, it
 * sets `hidden` and fires `hide`; the pointer or the focus on it keeps it.
 *
 * Attributes: `source`, the URL of a thread of the service; `linger`, the ms until it hides, or `never`; `theme`, `light` or `dark`
 * instead of the color scheme around it.
 *
 * @example <escapement-indicator source="/v1/threads/ticket-44"></escapement-indicator>
 */
export class EscapementIndicator extends Base {
  static readonly observedAttributes = ['source']
  #render: Render | undefined
  #shown = UNKNOWN
  #end = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Shows a state that the page received in another way. Without `source`. */
  set state(state: IndicatorState) {
    this.#show(shownOf(state))
  }

  /** Follows its `source` again, after the next message to a thread that had ended. */
  refresh(): void {
    this.#end()
    this.#end = () => {}
    const source = this.getAttribute('source')
    if (!this.isConnected || source === null) return
    this.#end = follow(source.replace(/\/$/, ''), {
      show: state => this.#show(shownOf(state)),
      lost: why => this.#show({ ...this.#shown, look: 'lost', title: why, ended: false }),
    })
  }

  connectedCallback(): void {
    if (!this.#render) {
      const root = this.attachShadow({ mode: 'open' })
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(STYLE)
      root.adoptedStyleSheets = [sheet]
      this.#render = build(root)
      for (const event of ['pointerleave', 'focusout'])
        this.addEventListener(event, () => this.#hideLater())
    }
    this.#render(this.#shown)
    this.refresh()
  }

  disconnectedCallback(): void {
    this.#end()
    clearTimeout(this.#timer)
  }

  attributeChangedCallback(): void {
    this.refresh()
  }

  #show(shown: Shown): void {
    const isNews = shown.ended !== this.#shown.ended
    this.#shown = shown
    this.#render?.(shown)
    if (!shown.ended) {
      clearTimeout(this.#timer)
      this.hidden = false
    } else if (isNews) this.#hideLater()
  }

  #hideLater(): void {
    clearTimeout(this.#timer)
    const linger = this.getAttribute('linger') ?? String(LINGER_MS)
    if (linger === 'never' || !this.#shown.ended) return
    this.#timer = setTimeout(() => {
      // A person reads it, or is about to copy the command.
      if (this.matches(':hover, :focus-within')) return
      this.hidden = true
      this.dispatchEvent(new Event('hide'))
    }, Number(linger))
  }
}
