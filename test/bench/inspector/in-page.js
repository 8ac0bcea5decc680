/** Measurements inside of the page: `measured` calls them by name. A script, because the project is compiled without the types of a browser. */
globalThis.measurements = {
  /** The times from key presses to their painted frames, in ms. */
  async pressed({ key, times }) {
    const taken = []
    for (let press = 0; press < times; press++) {
      // A press comes at the start of a frame: its script, styles, layout and paint are counted, waiting for the frame is not.
      await nextFrame()
      const start = performance.now()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      // A message that is sent before the styles and the layout of a frame arrives after its paint.
      await nextMessage()
      taken.push(performance.now() - start)
    }
    return taken
  },

  /** The time until the page shows anything, in ms. */
  async firstPaint() {
    for (;;) {
      const paints = performance.getEntriesByType('paint')
      const first = paints.find(({ name }) => name === 'first-contentful-paint')
      if (first) return first.startTime
      await nextFrame()
    }
  },

  /** The time from the navigation until all events of a thread that has ended are shown, in ms. */
  async opened({ end }) {
    for (;;) {
      const [position, follow] = ['.position', '.follow'].map(name => textOf(name))
      const isWhole = position.startsWith(`${end} /`) && follow === 'following'
      if (isWhole && textOf('.run-title').includes('ENDED success')) {
        await nextMessage()
        return performance.now()
      }
      await nextFrame()
    }
  },

  /** How often the position on the screen changed, and the frames in which it could, until the run has ended. */
  async commits() {
    const position = document.querySelector('.position')
    const counts = { commits: 0, frames: 0 }
    // React commits at once, so that each commit is one call of the observer.
    const observer = new MutationObserver(() => counts.commits++)
    observer.observe(position, { characterData: true, childList: true, subtree: true })
    while (!document.body.textContent.includes('ENDED success')) {
      await nextFrame()
      counts.frames++
    }
    return { ...counts, shown: Number.parseInt(position.textContent, 10) }
  },
}

const textOf = selector => document.querySelector(selector)?.textContent ?? ''

function nextFrame() {
  const { promise, resolve } = Promise.withResolvers()
  requestAnimationFrame(resolve)
  return promise
}

function nextMessage() {
  const { promise, resolve } = Promise.withResolvers()
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = resolve
  port2.postMessage(undefined)
  return promise
}
