/** The elements inside the indicator. Texts of the agent are text nodes only. */
import { ICONS } from './style.ts'
import type { Look, Shown } from './shown.ts'

const SVG = 'http://www.w3.org/2000/svg'

/** Writes what is shown into the elements. */
export type Render = (shown: Shown) => void

export function build(root: ShadowRoot): Render {
  const line = make('div', 'line')
  const icon = document.createElementNS(SVG, 'svg')
  icon.setAttribute('viewBox', '0 0 16 16')
  icon.setAttribute('aria-hidden', 'true')
  icon.setAttribute('part', 'icon')
  const path = icon.appendChild(document.createElementNS(SVG, 'path'))
  // The count of steps changes all the time: only the rest is announced.
  const status = make('div', 'status')
  status.setAttribute('role', 'status')
  const title = status.appendChild(make('span', 'title'))
  const errors = status.appendChild(make('span', 'errors'))
  const steps = make('span', 'steps')
  const bar = steps.appendChild(document.createElement('progress'))
  bar.setAttribute('part', 'bar')
  bar.setAttribute('aria-label', 'Steps')
  const count = steps.appendChild(make('span', 'count'))
  line.append(icon, status, steps)
  const summary = make('p', 'summary')
  summary.setAttribute('role', 'status')
  const command = make('div', 'command')
  const code = command.appendChild(document.createElement('code'))
  code.setAttribute('part', 'code')
  command.append(copyButton(code))
  root.append(line, summary, command)
  return shown => {
    line.classList.toggle('is-turning', shown.look === 'working')
    setText(title, shown.title)
    setText(errors, shown.errors)
    setText(summary, shown.summary)
    setText(code, shown.command ?? '')
    setText(count, countOf(shown))
    path.setAttribute('d', ICONS[shown.look])
    bar.max = shown.stepsMax ?? 1
    bar.value = Math.min(shown.steps, bar.max)
    bar.hidden = shown.stepsMax === undefined
    errors.hidden = shown.errors === ''
    summary.hidden = shown.summary === ''
    command.hidden = shown.command === undefined
    setLook(root, shown.look)
  }
}

function make(tag: string, classes: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = classes
  element.setAttribute('part', classes.split(' ')[0] ?? '')
  return element
}

/** An equal text is left alone: a screen reader would read it again. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

function setLook({ host }: ShadowRoot, look: Look): void {
  host.setAttribute('look', look)
  if (host instanceof HTMLElement) host.style.setProperty('--look', `var(--look-${look})`)
}

function countOf({ steps, stepsMax }: Shown): string {
  const unit = (stepsMax ?? steps) === 1 ? 'step' : 'steps'
  return stepsMax === undefined ? `${steps} ${unit}` : `${steps} of ${stepsMax} ${unit}`
}

function copyButton(code: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.setAttribute('part', 'copy')
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent ?? '')
    button.textContent = 'Copied'
  })
  return button
}
