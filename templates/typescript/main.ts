/**
 * Continues one conversation: `npm start -- "My clock from order 17 is broken."` sends a message, `npm start -- --answer approved`
 * answers a question. `npm start` alone continues after a crash.
 */
import { parseArgs } from 'node:util'
import { createRuntime, type QuestionState, sqliteStore } from 'escapement'
import { agent } from './agent.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { thread: { type: 'string', default: 'ticket-1' }, answer: { type: 'string' } },
})
const { answer } = values

if (!process.env.OPENAI_API_KEY && !process.env.OPENAI_BASE_URL) {
  console.error('set OPENAI_API_KEY, or OPENAI_BASE_URL for a compatible endpoint')
  process.exit(2)
}

const store = sqliteStore('threads.db')
const runtime = createRuntime({ store, graphs: [agent] })
// Otherwise each stop counts as a crash, and two of them in one call end the thread.
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => runtime.close().then(() => process.exit(143)))
const thread = runtime.thread(values.thread, agent)
const goal = positionals.join(' ')
const isNew = !(await store.thread(thread.id))
if (isNew && (answer || !goal)) {
  console.error(`thread '${thread.id}' does not exist: send a message first`)
  process.exit(2)
}

const after = isNew ? -1 : (await thread.state()).seq
if (answer || goal) {
  const sent = answer ? await answerQuestion(answer) : await thread.send({ goal })
  if (!sent.applied) {
    console.error(sent.because)
    process.exitCode = 1
  }
} else await thread.resume()
for await (const event of thread.events({ after, until: 'waiting' }))
  if (event.type === 'token') process.stdout.write(event.text)

const state = await thread.state()
for (const open of state.questions) {
  const [first, ...others] = choicesOf(open)
  const more = others.length > 0 ? `   # or ${others.join(', ')}` : ''
  console.log(`\n? ${open.question}\n  npm start -- --thread ${thread.id} --answer ${first}${more}`)
}
if (state.questions.length === 0) {
  const { outcome, because } = await thread.result()
  console.log(`\n${outcome}: ${because}`)
  if (outcome !== 'success') process.exitCode = 1
}
await runtime.close()
await store.close()

/** The decisions that fit a question. `edited` also needs arguments, which this program does not take. */
function choicesOf({ options }: QuestionState) {
  const decisions = options.map(({ decision }) => decision)
  return [...new Set(decisions)].filter(decision => decision !== 'edited')
}

/** Answers the first open question, also that of a child thread. */
async function answerQuestion(text: string) {
  const [open] = (await thread.state()).questions
  if (!open) return { applied: false, because: 'no question is open' } as const
  const decision = choicesOf(open).find(choice => choice === text)
  if (decision) return runtime.thread(open.thread ?? thread.id).answer(open.id, decision)
  const because = `--answer takes one of: ${choicesOf(open).join(', ')}`
  return { applied: false, because } as const
}
