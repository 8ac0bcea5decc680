/** The next process of a service: `node finish.ts <folder>`. It finishes all threads of the store, and reports what could not continue. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { createRuntime } from '../../../src/host/runtime.ts'
import { isConflict, isUnknownThread } from '../../../src/runtime/store/store.ts'
import { orderGraph, storeIn } from './graphs.ts'
import { answerAll } from './person.ts'
import { shopIn } from './shop.ts'

/** The longest time in ms that a restart may take. */
const LONGEST = 60_000

const [folder = '.'] = process.argv.slice(2)
const graph = await orderGraph()
const store = storeIn(folder)
const shop = shopIn(folder)
const runtime = createRuntime({ store, graphs: [graph] })
const stop = new AbortController()
const working = runtime.work({ signal: stop.signal, onError: report })
for (const began = Date.now(); Date.now() - began < LONGEST; await pause(20)) {
  const threads = await store.threads()
  const open = threads.filter(({ status }) => status !== 'ended')
  const inboxes = await Promise.all(threads.map(({ thread }) => store.inbox(thread)))
  if (open.length === 0 && inboxes.every(({ length }) => length === 0)) break
  for (const { thread, status } of open)
    if (status === 'waiting') await answerAll(runtime.thread(thread), shop).catch(report)
}
stop.abort()
await working
await runtime.close()
await store.close()

function report(error: unknown): void {
  if (isConflict(error) || isUnknownThread(error)) return
  process.stderr.write(`${(error as Error).stack}\n`)
}
