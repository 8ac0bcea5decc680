/** Watched agents in a store: `show` opens them like any other thread, and nothing about their journal can make them stumble. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recorder as recorderOf } from '../src/runtime/store/recorder.ts'
import { memoryStore, recorder, sqliteStore } from '../src/index.ts'
import { expectRefused, newDesks } from './cli/desk.ts'
import { type DogOptions, watchdog } from '../src/watchdog.ts'

const newDesk = newDesks()

/** An agent that searches for the same thing until it is stopped. */
function stuck(options: DogOptions, turns = 20) {
  const dog = watchdog(options)
  for (let turn = 0; turn < turns && dog.state.ended === undefined; turn++) {
    const at = 1_000_000 + turn * 1_000
    dog.asks(at)
    dog.turn({ at, text: '', calls: [{ tool: 'search', args: { key: 'sk-abcdefghijklmnopqrstuvwx' }, result: 'nothing', fate: { began: at, ended: at + 1 } }] })
  }
  return dog
}

describe('a recorded agent', () => {
  test('is shown with its escapes and what it spent, listed, and left to its own framework', async () => {
    const desk = newDesk()
    const store = sqliteStore({ file: join(desk.folder, 'threads.db') })
    const { record, flush } = recorder(store)
    stuck({ agent: 'helper', thread: 'ticket-42', record })
    await flush()
    await store.close()
    const shown = await desk.type('show', 'ticket-42', '--store', 'threads.db')
    expect(shown).toMatchObject({ code: 0, err: '' })
    expect(shown.out).toMatch(/^ticket-42: stopped \(loop\)\n {2}escape at event 12: sequence: search 3 times over.* → rethink: helper → helper\n/)
    expect(shown.out).toMatch(/ {2}6 chosen +stop \(loop\)/)
    expect(shown.out).not.toContain('sk-abcdefgh')
    const early = await desk.type('show', 'ticket-42', '--store', 'threads.db', '--at', '5', '--json')
    expect(JSON.parse(early.out)).toMatchObject({ status: 'active', events: 6, escapes: [] })
    expect((await desk.type('threads', '--store', 'threads.db')).out).toMatch(/^ticket-42 +helper +stopped +loop/)
    expectRefused(await desk.type('resume', 'ticket-42', '--store', 'threads.db'), /'ticket-42' is recorded from an agent in another framework/)
    expectRefused(await desk.type('show', 'ticket-42', '--store', 'threads.db', '--rejudge'), /not known here/)
  })

  test('waits for a person like any other, as long as one is asked', async () => {
    const desk = newDesk()
    const store = sqliteStore({ file: join(desk.folder, 'threads.db') })
    const { record, flush } = recorder(store)
    const dog = stuck({ record, policy: { escape: { ladder: ['review', 'stop'], review: { deadline: 60_000, otherwise: 'stop' } } } }, 3)
    await flush()
    expect((await store.thread('agent'))?.status).toBe('waiting')
    expect((await desk.type('show', 'agent', '--store', 'threads.db')).out).toMatch(/^agent: waiting for a person\n[\s\S]* {2}\? agent#3: The agent seems to be stuck/)
    dog.answer('approved', 1_010_000)
    await flush()
    expect((await store.thread('agent'))?.status).toBe('active')
    await store.close()
  })

  test('that begins anew under the name of another is not mixed up with it', async () => {
    const store = memoryStore()
    const first = recorder(store)
    stuck({ record: first.record })
    await first.flush()
    const rows = await store.rows('agent')
    const second = recorder(store)
    stuck({ record: second.record })
    await expect(second.flush()).rejects.toThrow("there is a thread 'agent' already")
    expect(await store.rows('agent')).toEqual(rows)
  })

  test('goes on in another process with the state that was kept', async () => {
    const store = memoryStore()
    const [first, second, whole] = [recorder(store), recorder(store), recorder(store)]
    const { state } = stuck({ record: first.record }, 2)
    await first.flush()
    const dog = watchdog({ state, record: second.record })
    dog.asks(1_002_000)
    await second.flush()
    stuck({ thread: 'whole', record: whole.record }, 2)
    await whole.flush()
    expect((await store.rows('agent')).map(({ event }) => event.type)).toEqual([...(await store.rows('whole')).map(({ event }) => event.type), 'model.called'])
  })

  test('does not stumble over a store that fails', async () => {
    const store = { ...memoryStore(), append: () => Promise.reject(new Error('the disk is full')) }
    const { record, flush } = recorderOf({ store, wall: () => 0, owner: 'a/1/x', dead: () => false, redact: value => value })
    expect(stuck({ record }).state.ended).toBe('loop')
    await expect(flush()).rejects.toThrow('the disk is full')
  })
})
