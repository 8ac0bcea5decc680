/** The watchdog observes what the model reads of a call: the output of `toModelOutput`, if the tool has one. */
import { generateText, isStepCount, jsonSchema, streamText, type Tool, tool } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { type AiSdkOptions, watch } from '../../src/adapters/wrap/ai-sdk.ts'
import { explain } from '../../src/watchdog.ts'

type Output = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>

const WORDS =
  'birch cedar dune ember fjord grove heath inlet jade knoll lagoon mesa nook opal pier quarry reef slope tarn vale'.split(
    ' ',
  )
const word = (turn: number) => WORDS[turn % WORDS.length] ?? ''
const NOTE = (turn: number) => ({ title: word(turn), body: `${word(turn * 7)} ${word(turn * 3)}` })
const SAME = () => ({ article: 'clock' })
const TURNS = 20

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that calls the tool in each turn. */
function calling(args: (turn: number) => object) {
  let turn = 0
  const answer = () => {
    const input = JSON.stringify(args(turn++))
    const call = { type: 'tool-call', toolCallId: `c${turn}`, toolName: 'use', input } as const
    return turn > TURNS
      ? ({ part: { type: 'text', text: 'done' }, unified: 'stop' } as const)
      : ({ part: call, unified: 'tool-calls' } as const)
  }
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const { part, unified } = answer()
      return { content: [part], finishReason: { unified, raw: undefined }, usage, warnings: [] }
    },
    doStream: async () => {
      const { part, unified } = answer()
      const finish = { type: 'finish', finishReason: { unified, raw: undefined }, usage } as const
      const chunks = part.type === 'text' ? [finish] : [part, finish]
      return {
        stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
      }
    },
  })
}

/** A tool whose raw result is new in each turn, unless `raw` says otherwise. */
function reading(output: (turn: number) => Output | Promise<Output>, raw = counted) {
  let turn = 0
  let converted = 0
  const use = tool({
    inputSchema: jsonSchema({ type: 'object' }),
    execute: async () => raw(turn++),
    toModelOutput: () => output(converted++),
  })
  return { use, conversions: () => converted }
}

const counted = (turn: number): object => ({ rows: 1_000 + 3 * turn, at: word(turn) })

function settings(use: Tool, options: AiSdkOptions) {
  const { tools, watchdog, stopWhen, prepareStep, toolApproval, onStepEnd } = watch(options)
  const stop = [isStepCount(TURNS + 5), stopWhen]
  const set = { tools: tools({ use }), stopWhen: stop, prepareStep, toolApproval, onStepEnd }
  return { set: { ...set, prompt: 'Find it.' }, watchdog }
}

async function ran(use: Tool, args: (turn: number) => object, options: AiSdkOptions = {}) {
  const { set, watchdog } = settings(use, options)
  await generateText({ model: calling(args), ...set })
  const { ended, because } = watchdog.state
  return `${ended}: ${because ? explain(because) : ''}`
}

const text = (value: string): Output => ({ type: 'text', value })
const NONE = 'Not in the catalogue.'
const REFUSED = 'The folder is read-only.'

describe('what the model reads decides', () => {
  test.each<[string, Output]>([
    ['a text', text(NONE)],
    ['JSON', { type: 'json', value: { found: false } }],
    ['content', { type: 'content', value: [{ type: 'text', text: NONE }] }],
  ])('the same call with the same answer is a loop: %s', async (_, output) => {
    expect(await ran(reading(() => output).use, SAME)).toMatch(
      /^loop: use ran 3 times with the same arguments and the same results/,
    )
  })

  test('also if the output is a promise, and in a stream', async () => {
    const { use } = reading(async () => text(NONE))
    const { set, watchdog } = settings(use, {})
    await streamText({ model: calling(SAME), ...set }).consumeStream()
    expect(watchdog.state.ended).toBe('loop')
  })

  test.each<[string, (turn: number) => object, Output, AiSdkOptions]>([
    ['the same call', SAME, { type: 'error-text', value: REFUSED }, {}],
    ['a declared write', NOTE, { type: 'error-text', value: REFUSED }, { writes: ['use'] }],
    ['an undeclared write', NOTE, { type: 'error-json', value: { error: REFUSED } }, {}],
    [
      'a write that is refused in content',
      NOTE,
      { type: 'content', value: [{ type: 'text', text: `Error: ${REFUSED}` }] },
      { writes: ['use'] },
    ],
  ])('an error that only the model reads is a failure: %s', async (_, args, output, options) => {
    expect(await ran(reading(() => output).use, args, options)).toMatch(
      /^(loop|stall): .*The folder is read-only/,
    )
  })

  test('an error of the resource opens the breaker, as if the tool had thrown it', async () => {
    const { use } = reading(() => ({ type: 'error-text', value: 'HTTP 503: no' }))
    const { set, watchdog } = settings(use, {})
    await generateText({ model: calling(NOTE), ...set })
    expect(watchdog.unavailableTools(Date.now())).toEqual(['use'])
  })

  test('an error that the client of MCP flags is a failure, though the output has only its texts', async () => {
    const content = (turn: number) => [
      {
        type: 'text' as const,
        text: `The ${word(turn)} has ${turn * 7} notes from the ${word(turn * 3)}.`,
      },
    ]
    const raw = (turn: number) => ({ content: content(turn), isError: true })
    const { use } = reading(turn => ({ type: 'content', value: content(turn) }), raw)
    expect(await ran(use, NOTE, { writes: ['use'] })).toMatch(/^(loop|stall): /)
  })
})

test('the raw result of a tool without toModelOutput is read with what JSON lacks', async () => {
  const returning = (result: (turn: number) => unknown) => {
    let turn = 0
    const execute = async () => result(turn++)
    return tool({ inputSchema: jsonSchema({ type: 'object' }), execute })
  }
  const shot = (turn: number) => Buffer.alloc(90, turn)
  expect(await ran(returning(shot), SAME)).toBe('undefined: ')
  const refused = () => new Error(REFUSED)
  expect(await ran(returning(refused), NOTE, { writes: ['use'] })).toMatch(/^(loop|stall): /)
})

describe('a healthy agent goes on', () => {
  const place = (turn: number) =>
    text(`The ${word(turn)} is ${turn * 7} m from the ${word(turn * 3)}.`)

  test.each<[string, (turn: number) => object, (turn: number) => Output, AiSdkOptions]>([
    ['if the model reads new answers, and the raw results are the same', NOTE, place, {}],
    ['with new writes', NOTE, () => text('Saved.'), { writes: ['use'] }],
    [
      'after single errors',
      NOTE,
      turn => (turn % 5 === 1 ? { type: 'error-text', value: 'No such page.' } : place(turn)),
      {},
    ],
  ])('%s', async (_, args, output, options) => {
    expect(await ran(reading(output, () => ({ ok: true })).use, args, options)).toBe('undefined: ')
  })
})

test('the tool converts each result as often as without the watchdog', async () => {
  const output = (turn: number) => text(`${word(turn)} ${word(turn * 3)}`)
  const plain = reading(output)
  const model = () => calling(NOTE)
  const stopWhen = isStepCount(TURNS + 5)
  await generateText({ model: model(), prompt: 'Find it.', tools: { use: plain.use }, stopWhen })
  const watched = reading(output)
  await ran(watched.use, NOTE)
  expect([plain.conversions(), watched.conversions()]).toEqual([TURNS, TURNS])
})

test('an exception in toModelOutput ends the call as without the watchdog, and the next call is watched', async () => {
  let broken = true
  const { use } = reading(() => {
    if (broken) throw new Error('no output')
    return text(NONE)
  })
  const { set, watchdog } = settings(use, { thread: 'ticket-44' })
  await expect(generateText({ model: calling(SAME), ...set })).rejects.toThrow('no output')
  broken = false
  await generateText({ model: calling(SAME), ...set })
  expect(watchdog.state.ended).toBe('loop')
})
