/** Runs one thread: `npm start -- "My clock from order 17 is broken."`, then `npm start -- --answer approved`. */
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

const runtime = createRuntime({ store: sqliteStore('threads.db'), graphs: [agent] })
const goal = positionals.join(' ') || 'My clock from order 17 is broken. I want my money back.'
const thread = await runtime.start(agent, { goal }, { thread: values.thread, resume: true })

const { seq, questions } = await thread.state()
if (answer && questions[0]) await thread.answer(questions[0].id, answer)
for await (const event of thread.events({ after: seq, until: 'waiting' }))
  if (event.type === 'token') process.stdout.write(event.text)

const state = await thread.state()
for (const { question } of state.questions)
  console.log(`\n? ${question}\n  npm start -- --answer approved`)
if (state.questions.length === 0) {
  const { outcome, because } = await thread.result()
  console.log(`\n${outcome}: ${because}`)
}
await runtime.close()
