/**
 * Continues one conversation: `npm start -- "My clock from order 17 is broken."` sends a message, `npm start -- --answer approved`
 * answers a question. `npm start` alone continues after a crash.
 */
import { parseArgs } from 'node:util'
import { createRuntime, sqliteStore } from 'escapement'
import { agent } from './agent.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { thread: { type: 'string', default: 'ticket-1' }, answer: { type: 'string' } },
})
const { answer } = values
if (answer !== undefined && answer !== 'approved' && answer !== 'rejected')
  throw new Error('--answer takes approved or rejected')

if (!process.env.OPENAI_API_KEY && !process.env.OPENAI_BASE_URL) {
  console.error('set OPENAI_API_KEY, or OPENAI_BASE_URL for a compatible endpoint')
  process.exit(2)
}

const store = sqliteStore('threads.db')
const runtime = createRuntime({ store, graphs: [agent] })
const thread = runtime.thread(values.thread, agent)
const goal = positionals.join(' ')
const isNew = !(await store.thread(thread.id))
if (isNew && (answer || !goal)) {
  console.error(`thread '${thread.id}' does not exist: send a message first`)
  process.exit(2)
}

const after = isNew ? -1 : (await thread.state()).seq
if (answer || goal) {
  const [question] = answer ? (await thread.state()).questions : []
  const sent = await (answer ? thread.answer(`${question?.id}`, answer) : thread.send({ goal }))
  if (!sent.applied) console.error(sent.because)
} else await thread.resume()
for await (const event of thread.events({ after, until: 'waiting' }))
  if (event.type === 'token') process.stdout.write(event.text)

const state = await thread.state()
for (const { question } of state.questions)
  console.log(`\n? ${question}\n  npm start -- --thread ${thread.id} --answer approved`)
if (state.questions.length === 0) {
  const { outcome, because } = await thread.result()
  console.log(`\n${outcome}: ${because}`)
  if (outcome !== 'success') process.exitCode = 1
}
await runtime.close()
await store.close()
