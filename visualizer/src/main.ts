/** Starts the page. This file loads first and is small: the thread of the address is requested while the rest of the code loads. */
import './design/styles.ts'
import { requestAhead } from './data/ahead.ts'
import { addressNow } from './data/route.ts'
import { openSession } from './data/service.ts'

async function start(): Promise<void> {
  const app = import('./app.tsx')
  await openSession()
  const [place, thread] = addressNow().path
  if (place === 'threads' && thread !== undefined) {
    requestAhead(thread)
    void import('./screens/run/run-screen.tsx')
  }
  const { render } = await app
  render()
}

// Without `await`: the code that loads imports parts of this file.
void start()
