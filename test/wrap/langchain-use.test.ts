/** An agent in production: many concurrent threads, shortened histories, and runs that are aborted and resumed. */
import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import {
  AIMessage,
  type BaseMessage,
  createAgent,
  HumanMessage,
  summarizationMiddleware,
  tool,
  ToolMessage,
} from 'langchain'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { ChatResult } from '@langchain/core/outputs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { watch } from '../../src/adapters/wrap/langchain.ts'
import type { WatchdogRow } from '../../src/watchdog.ts'

interface Options {
  readonly signal?: AbortSignal
}

/** A model that says what a function of the history says. */
class Saying extends BaseChatModel {
  readonly #say: (messages: readonly BaseMessage[], options: Options) => Promise<AIMessage>
  constructor(say: (messages: readonly BaseMessage[], options: Options) => Promise<AIMessage>) {
    super({})
    this.#say = say
  }
  _llmType(): string {
    return 'saying'
  }
  override bindTools(): this {
    return this
  }
  async _generate(messages: BaseMessage[], options: Options): Promise<ChatResult> {
    return { generations: [{ text: '', message: await this.#say(messages, options) }] }
  }
}

let ids = 0
const calling = (args: object, name = 'search') =>
  new AIMessage({ content: '', tool_calls: [{ id: `c${ids++}`, name, args: { ...args } }] })
const answers = (messages: readonly BaseMessage[]) =>
  messages.filter(message => ToolMessage.isInstance(message)).length
const search = tool(({ n }) => (n === undefined ? 'nothing' : `answer ${n}`), {
  name: 'search',
  description: '',
  schema: z.looseObject({}),
})
const BEGIN = { messages: [new HumanMessage('Find it.')] }
const typesOf = (rows: readonly WatchdogRow[]) => rows.map(({ event }) => event.type)

test('one agent watches each of many concurrent threads separately', async () => {
  const rows = new Map<string, WatchdogRow[]>()
  const record = (row: WatchdogRow, thread: string) =>
    void rows.set(thread, [...(rows.get(thread) ?? []), row])
  const model = new Saying(async messages => {
    await new Promise(resolve => setTimeout(resolve, ids % 3))
    if (messages[0]?.text === 'loop') return calling({})
    return answers(messages) < 5 ? calling({ n: answers(messages) }) : new AIMessage('done')
  })
  const agent = createAgent({
    model,
    tools: [search],
    middleware: [watch({ record })],
    checkpointer: new MemorySaver(),
  })
  const threads = Array.from({ length: 20 }, (_, thread) => `t${thread}`)
  const ran = await Promise.all(
    threads.map((thread, n) =>
      agent.invoke(
        { messages: [new HumanMessage(n % 2 === 0 ? 'loop' : 'work')] },
        { configurable: { thread_id: thread }, recursionLimit: 100 },
      ),
    ),
  )
  expect(ran.map(({ watchdog }) => [watchdog?.ended, watchdog?.turns])).toEqual(
    threads.map((_, n) => [n % 2 === 0 ? 'loop' : undefined, 6]),
  )
  for (const [n, thread] of threads.entries()) {
    const seqs = rows.get(thread)?.map(({ seq }) => seq)
    expect(seqs).toEqual(Array.from({ length: n % 2 === 0 ? 25 : 23 }, (_, seq) => seq))
  }
})

test.each([
  ['below', 0],
  ['above', 1],
])('finds a loop in a history that a middleware %s it shortens', async (_, place) => {
  const summary = summarizationMiddleware({
    model: new Saying(async () => new AIMessage('so far: nothing')),
    trigger: { messages: 4 },
    keep: { messages: 2 },
  })
  const guard = watch()
  const agent = createAgent({
    model: new Saying(async () => calling({})),
    tools: [search],
    middleware: place === 0 ? [guard, summary] : [summary, guard],
  })
  const { watchdog } = (await agent.invoke(BEGIN, { recursionLimit: 100 })) as {
    watchdog?: { ended?: string; turns: number }
  }
  expect(watchdog).toMatchObject({ ended: 'loop', turns: 6 })
})

test.each(['model', 'tool'])(
  'a run that is aborted during a call of the %s continues, and a repeated call is recorded once',
  async where => {
    const rows: WatchdogRow[] = []
    let first = true
    const hang = async (at: string, signal: AbortSignal | undefined) => {
      if (at !== where || !first) return
      first = false
      await new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      )
    }
    const model = new Saying(async (messages, { signal }) => {
      await hang('model', signal)
      return answers(messages) === 0 ? calling({}) : new AIMessage('done')
    })
    const slow = tool(
      async (_: object, { signal }: Options) => hang('tool', signal).then(() => 'found'),
      { name: 'search', description: '', schema: z.looseObject({}) },
    )
    const agent = createAgent({
      model,
      tools: [slow],
      middleware: [watch({ record: row => void rows.push(row) })],
      checkpointer: new MemorySaver(),
    })
    const thread = { configurable: { thread_id: 't' } }
    await expect(
      agent.invoke(BEGIN, { ...thread, signal: AbortSignal.timeout(30) }),
    ).rejects.toThrow()
    await agent.invoke(null, thread)
    expect(typesOf(rows)).toEqual([
      'thread.started',
      'model.called',
      'model.done',
      'tool.called',
      'tool.done',
      'model.called',
      'model.done',
    ])
  },
)

test('two tools of one turn ask a person each, and the turn is recorded once after both answers', async () => {
  const rows: WatchdogRow[] = []
  const ask = tool(({ q }) => `said ${interrupt(q)}`, {
    name: 'ask',
    description: '',
    schema: z.object({ q: z.string() }),
  })
  const turn = new AIMessage({
    content: '',
    tool_calls: ['one', 'two'].map(q => ({ id: q, name: 'ask', args: { q } })),
  })
  const model = new Saying(async messages =>
    answers(messages) === 0 ? turn : new AIMessage('done'),
  )
  const agent = createAgent({
    model,
    tools: [ask],
    middleware: [watch({ record: row => void rows.push(row) })],
    checkpointer: new MemorySaver(),
  })
  const thread = { configurable: { thread_id: 't' } }
  const { __interrupt__: asked } = (await agent.invoke(BEGIN, thread)) as unknown as {
    __interrupt__: { id: string; value: string }[]
  }
  const { messages } = await agent.invoke(
    new Command({
      resume: Object.fromEntries(asked.map(({ id, value }) => [id, `yes to ${value}`])),
    }),
    thread,
  )
  expect(messages.map(({ text }) => text).slice(2)).toEqual([
    'said yes to one',
    'said yes to two',
    'done',
  ])
  expect(typesOf(rows)).toEqual([
    'thread.started',
    'model.called',
    'model.done',
    'tool.called',
    'tool.called',
    'tool.done',
    'tool.done',
    'model.called',
    'model.done',
  ])
})
