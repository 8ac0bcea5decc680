/** Rounds on the command line: `send` to idle and busy threads, and threads with a killed process. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Desk, expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const TALK = spec(`
input: [ask]
channels: { ask: { type: string }, asked: { reducer: append } }
output: [asked]
nodes:
  A: { use: ./tools.mjs#read, out: { asked: . }, on: { done: B } }
  B: { use: tool, tool: slow, on: { done: E } }
  E: { final: success }
tools:
  slow: { use: ./tools.mjs#slow }
rounds: { busy: queue }
`)

const TOOLS = `
import { existsSync } from 'node:fs'
export const read = async task => task.input.ask
export const slow = {
  name: 'slow', description: '', parameters: {}, effects: 'read', idempotent: true, timeout: 60000, parse: args => args,
  execute: async (_, { signal }) => { while (!existsSync('go') && !signal.aborted) await new Promise(look => setTimeout(look, 20)) },
}
`

/** A desk with a spec whose tool runs until the file `go` exists. */
function talking(): Desk {
  const desk = newDesk()
  desk.file('talk.yaml', TALK)
  desk.file('tools.mjs', TOOLS)
  return desk
}

function go(desk: Desk): Desk {
  desk.file('go', '')
  return desk
}

async function rowsOf(
  desk: Desk,
  thread: string,
): Promise<readonly { readonly event: { readonly type: string } }[]> {
  const { out } = await desk.type('export', thread)
  return out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

/** Until the thread has an event of this type. */
async function reached(desk: Desk, thread: string, type: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { code, out } = await desk.type('export', thread)
    if (code === 0 && out.includes(`"type":"${type}"`)) return
    await pause(50)
  }
  throw new Error(`thread '${thread}' has no ${type}`)
}

describe('send', () => {
  it('begins the next round of a thread that has ended, with the context of the last', async () => {
    const desk = go(talking())
    await desk.type('run', 'talk.yaml', '--thread', 't', '--input', '{"ask":"one"}')
    desk.file('two.json', '{"ask":"two"}')
    const said = await desk.type('send', 't', '--input', '@two.json', '--json')
    expect(said.code).toBe(0)
    expect(JSON.parse(said.out)).toMatchObject({
      thread: 't',
      round: 2,
      outcome: 'success',
      result: { asked: ['one', 'two'] },
    })
    expect((await desk.type('show', 't')).out).toContain('message')
  })

  it('notifies the process at work, and the message waits for its round', async () => {
    const desk = talking()
    const running = desk.start(
      'run',
      'talk.yaml',
      '--thread',
      't',
      '--input',
      '{"ask":"one"}',
      '--json',
    )
    await reached(desk, 't', 'tool.called')
    const said = await desk.type('send', 't', '--input', '{"ask":"two"}')
    expect(said).toMatchObject({ code: 0, err: "applied by the process that drives 't'\n" })
    go(desk)
    const { code, out } = await running.ended
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ round: 2, result: { asked: ['one', 'two'] } })
  })

  it('rejects a value that is not an input and an input that the thread does not accept', async () => {
    const desk = go(talking())
    await desk.type('run', 'talk.yaml', '--thread', 't', '--input', '{"ask":"one"}')
    expectRefused(await desk.type('send', 't', '--input', '{"ask":'), /--input is not JSON/)
    desk.file('deep.json', `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`)
    expectRefused(
      await desk.type('send', 't', '--input', '@deep.json'),
      /is nested deeper than 1000 levels/,
    )
    expectRefused(
      await desk.type('send', 't', '--input', '@nowhere.json'),
      /--input @nowhere.json: file not found/,
    )
    expectRefused(
      await desk.type('send', 't', '--input', '{"question":"two"}'),
      /refused: the input is invalid: input.ask is missing/,
    )
    expectRefused(
      await desk.type('send', 't', '--input', '[1]'),
      /input: expected an object, received an array/,
    )
    expectRefused(
      await desk.type('send', 'missing', '--input', '{}'),
      /thread 'missing' does not exist/,
    )
    expectRefused(await desk.type('send', 't'), /required option '--input <json>'/)
  })
})

describe('a thread with an open question in another store', () => {
  const ASKING = spec(`
input: [ask]
channels: { ask: { type: string } }
nodes:
  A: { use: human, question: Go on?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E } }
  E: { final: success }
notify: [log]
`).replace('', '')
  const STORE = ['--store', 'own.db']

  it('refuses a message, and its hints name the store', async () => {
    const desk = newDesk()
    const file = desk.file('asking.yaml', ASKING)
    const ran = await desk.type('run', file, '--thread', 't', '--input', '{"ask":"one"}', ...STORE)
    expect(ran.err).toContain('escapement show t --store own.db has the evidence')
    expectRefused(
      await desk.type('send', 't', '--input', '{"ask":"two"}', ...STORE),
      /question 'A#1' is open: answer it first.*\n.*escapement resume t --decision approved --store own\.db/,
    )
    const forked = await desk.type('fork', 't', '--effects', 'refuse', '--as', 'u', ...STORE)
    expect(forked.err).toContain('`escapement resume u --store own.db`')
    expect(ran.out).not.toContain('$0')
  })
})

describe('a killed process', () => {
  it('leaves its thread due at once: the lease of a dead owner does not delay it', async () => {
    const desk = talking()
    const running = desk.start('run', 'talk.yaml', '--thread', 't', '--input', '{"ask":"one"}')
    await reached(desk, 't', 'tool.called')
    running.child.kill('SIGKILL')
    await running.ended
    go(desk)
    expect(await desk.type('tick')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^✓ t: success \(goal\)\n/),
    })
  })

  // A test for each delay: a busy machine takes seconds to start each of its five processes.
  it.each([200, 300, 400, 500, 'message'] as const)(
    'between two rounds loses no message and applies none twice, killed after %s',
    async delay => {
      const desk = go(talking())
      await desk.type('run', 'talk.yaml', '--thread', 't', '--input', '{"ask":"one"}')
      const sending = desk.start('send', 't', '--input', '{"ask":"two"}')
      await (delay === 'message' ? reached(desk, 't', delay) : pause(delay))
      sending.child.kill('SIGKILL')
      await sending.ended
      await desk.type('tick')
      const messages = (await rowsOf(desk, 't')).filter(
        ({ event }) => event.type === 'message',
      ).length
      expect(messages).toBeGreaterThanOrEqual(delay === 'message' ? 1 : 0)
      expect(messages).toBeLessThanOrEqual(1)
      const asked = ['one', 'two'].slice(0, 1 + messages)
      expect(JSON.parse((await desk.type('show', 't', '--json')).out)).toMatchObject({
        round: 1 + messages,
        outcome: 'success',
        result: { asked },
      })
    },
  )
})
