/** The same message in each round is noticed in a graph agent, whatever a harness adds to it. Other questions and requests are not. */
import { expect, test } from 'vitest'
import { withoutAdded } from '../src/core/watch/text/without-numbers.ts'
import { runStory } from './story-runner/story.ts'

const SENDS = 40

/** The send at which a graph agent that answers each message alike is found to repeat itself. */
async function foundAfter(
  message: (n: number) => string,
  answer: (n: number) => string = () => 'I continue with the task.',
): Promise<number | undefined> {
  const sends = Array.from(
    { length: SENDS },
    (_, index) =>
      `message ${JSON.stringify({ goal: message(index + 1) })}; ask fast -> ${answer(index + 1)}; node.done`,
  )
  const output = await runStory(`# Sends messages.

graph:
  models: { fast: { id: any } }
  input: [goal]
  channels: { goal: {} }
  nodes:
    chat: { use: model, model: fast, on: { done: end } }
    end: { final: success }

start {"goal":"Write a poem."}
ask fast -> I begin.; node.done
${sends.join('\n')}
----
`)
  const answers = output.slice(output.indexOf('----'))
  const found = answers.search(/^\d* +found /m)
  if (found < 0) return undefined
  return answers.slice(0, found).match(/^\d+ +ended/gm)?.length
}

const two = (n: number) => String(n % 60).padStart(2, '0')
const isoOf = (n: number) => new Date(1.77e12 + n * 61_000).toISOString()
const dayOf = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10)

test.each<[name: string, message: (n: number) => string, after: number]>([
  ['nothing', () => 'Continue.', 5],
  ['a counter in brackets', n => `Continue (${n}).`, 5],
  ['a counter in brackets before it', n => `[${n}/100] Continue.`, 5],
  ['a clock in a sentence', n => `It is 03:${two(n)}. Continue.`, 5],
  ['a clock in a sentence after it', n => `Continue. The time is 03:${two(n)} UTC.`, 5],
  ['a clock and a rest in brackets', n => `It is 03:${two(n)} (${n} min left). Continue.`, 5],
  ['a time in a line', n => `Current time: ${isoOf(n)}\nContinue.`, 5],
  ['a date in a sentence', n => `Today is ${dayOf(n)}. Continue.`, 5],
  ['a date in brackets', n => `[${dayOf(n)}] Continue.`, 5],
  ['an ISO stamp in brackets', n => `[${isoOf(n)}] Continue.`, 5],
  ['a stamp of a log', n => `${isoOf(n)} Continue.`, 5],
  ['a clock of a log', n => `08:01:${two(n)} Continue.`, 5],
  ['a step of many', n => `Step ${n} of 100: continue.`, 5],
  ['a reminder with its number', n => `Reminder #${n}: continue.`, 5],
  ['a counter after a question', n => `Are you done? ${n}/100`, 5],
  ['a clock before a question', n => `It is 12:${two(n)}. Are you done?`, 5],
  ['another attempt of many after it', n => `Continue. Attempt ${n} of 60.`, 5],
  ['a new id in JSON', n => JSON.stringify({ id: uuidOf(n), text: 'Continue.' }), 5],
  ['a new id and a time in JSON', n => envelope(n, { type: 'nudge', text: 'Continue.' }), 5],
  ['a new id of a request', n => JSON.stringify({ request_id: uuidOf(n), do: 'Continue.' }), 5],
  ['a new id of a message in a line', n => `Continue.\n\nmessage-id: ${uuidOf(n)}`, 5],
  ['a new id of a request before it', n => `X-Request-ID: ${uuidOf(n)}\nContinue.`, 5],
  ['a new id after its sentence', n => `Continue. Trace id: ${uuidOf(n)}`, 5],
  ['a new id in a list of messages', n => JSON.stringify([chat(n)]), 5],
  [
    'a new time in a list of messages',
    n => JSON.stringify([{ role: 'user', content: 'Continue.', timestamp: isoOf(n) }]),
    5,
  ],
  [
    'a new id of a message in parts',
    n => JSON.stringify({ id: uuidOf(n), parts: [{ type: 'text', text: 'Continue.' }] }),
    5,
  ],
  ['a new id in fenced JSON', n => `\`\`\`json\n${JSON.stringify(chat(n))}\n\`\`\``, 5],
  ['a new id in JSON behind a label', n => `Incoming message: ${JSON.stringify(chat(n))}`, 5],
  ['a new id in JSON before a sentence', n => `${JSON.stringify(chat(n))}\nAnswer it.`, 5],
  ['a new id in a tag', n => `<message message_id="${uuidOf(n)}">Continue.</message>`, 5],
  [
    'a new id and a time in the tag of a message',
    n => `<message id="${uuidOf(n)}" time="${isoOf(n)}">Continue.</message>`,
    5,
  ],
  ['one emoji or more', n => `Continue${'🙏'.repeat(1 + (n % 7))}`, 5],
  ['one of many emoji', n => `Continue. ${EMOJI[n % 7] ?? ''}`, 5],
  ['"Go on." in turn', n => (n % 2 ? 'Continue.' : 'Go on.'), 6],
  ['"Proceed." in turn', n => (n % 2 ? 'Continue.' : 'Proceed.'), 6],
  ['two others in turn', n => ['Continue.', 'Go on.', 'Proceed.'][n % 3] ?? '', 7],
  ['"Go on." and a clock in turn', n => (n % 2 ? `It is 03:${two(n)}. Continue.` : 'Go on.'), 6],
])('a message that is sent again with %s is noticed', async (_, message, after) => {
  expect(await foundAfter(message)).toBe(after)
})

const EMOJI = ['🙏', '👍🏽', '🚀', '', '🔥', '❤️', '💪💪']
const uuidOf = (n: number) => {
  const hex = (n * 0x9e3779b1).toString(16).padStart(12, 'a')
  return `${hex.slice(0, 8)}-${hex.slice(-4)}-4${hex.slice(1, 4)}-a${hex.slice(2, 5)}-${hex.slice(-12)}`
}
const chat = (n: number) => ({ id: uuidOf(n), role: 'user', content: 'Continue.' })
const envelope = (n: number, of: object) =>
  JSON.stringify({ message_id: uuidOf(n), sent_at: isoOf(n), ...of })

const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

const EMOJI_VOTES = ['🙏', '👍', '👎', '🚀', '🔥', '🍎', '🐞']

test.each<[name: string, message: (n: number) => string]>([
  ['a question about another invoice', n => `Is invoice ${n + 7} paid?`],
  ['a question about another date', n => `What happened on ${dayOf(n)}?`],
  ['a date, and a question about it', n => `${dayOf(n)}: what happened?`],
  ['a question about another time', n => `Is the room free at 10:${two(n)}?`],
  ['a time, and a request for it', n => `10:${two(n)}: book the room.`],
  ['a request for another date', n => `Book the room on ${dayOf(n)}.`],
  ['a request that names its date first', n => `Date: ${dayOf(n)}. Book the room.`],
  ['another order', n => `Cancel order ${4_410 + n * 13}.`],
  ['another order before its request', n => `Order ${4_410 + n * 13}: cancel it.`],
  ['another order after its request', n => `Cancel this order. #${4_410 + n * 13}`],
  ['another row of many', n => `Row ${n} of 100: which category?`],
  ['another step that is done', n => `Step ${n} is done.`],
  ['another message before its request', n => `Message ${n}: delete it.`],
  ['another document by its id', n => `Process the document ${uuidOf(n)}.`],
  ['another document in JSON', n => JSON.stringify({ document_id: uuidOf(n), do: 'process' })],
  ['another id without a text', n => JSON.stringify({ id: uuidOf(n), do: 'process' })],
  ['another number and a text', n => JSON.stringify({ id: 4_410 + n, text: 'Cancel the order.' })],
  ['the id of another order in a line', n => `Cancel this order.\norder-id: ${uuidOf(n)}`],
  [
    'another order in a list of messages',
    n => JSON.stringify([{ ...chat(n), content: `Cancel order ${n}.` }]),
  ],
  [
    'another order in the parts of a message',
    n => JSON.stringify({ id: uuidOf(n), parts: [{ type: 'text', text: `Cancel order ${n}.` }] }),
  ],
  ['another label of the same JSON', n => `Order ${n}: ${JSON.stringify({ do: 'cancel' })}`],
  ['another number in fenced JSON', n => `\`\`\`json\n${JSON.stringify({ order: n })}\n\`\`\``],
  ['another document by the id in its tag', n => `<document id="${uuidOf(n)}">Read it.</document>`],
  ['another order in the tag of a message', n => `<message order="${n}">Cancel it.</message>`],
  ['another emoji', n => EMOJI_VOTES[n % 7] ?? ''],
  ['another emoji to react with', n => `React with ${EMOJI_VOTES[n % 7]}`],
  ['another vote', n => `Vote: ${EMOJI_VOTES[n % 7]}`],
  ['another number alone', n => `${n}`],
  ['another number in brackets alone', n => `[${n}]`],
  ['another time alone', n => `It is 10:${two(n)}.`],
  ['another day', n => `Is the shop open on ${DAYS[n % 7]} of week ${n}?`],
  [
    'a new question between two questions that return',
    n => (n % 3 ? (n % 3 === 1 ? 'What is new?' : 'Is there more?') : `Who is customer ${n}?`),
  ],
])('%s is another message', async (_, message) => {
  expect(await foundAfter(message, () => 'Yes, I noted it in the list.')).toBeUndefined()
})

test('messages in turn with new answers are not a loop', async () => {
  const turns = (n: number) => (n % 2 ? 'What is new?' : 'Is there more?')
  expect(await foundAfter(turns, n => `The letter of ${DAYS[n % 7]} ${n} arrived.`)).toBeUndefined()
})

test('a long message of blanks, brackets and digits is read in time', () => {
  const long = [' ', '(1', '[', '1', '? 1/', 'it is ', '\n'].map(part => part.repeat(60_000))
  const since = performance.now()
  for (const text of long) withoutAdded(`${text} what?`)
  expect(performance.now() - since).toBeLessThan(2_000)
})
