import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/runtime/store/store.ts'
import type { PersonEvent } from '../../../src/core/watch/event/event.ts'
import { batch, begun, cancel, row, terms } from '../batches.ts'

export function settling(fresh: () => Store): void {
  describe('the inbox', () => submitting(fresh))
  describe('the status of a command', () => becoming(fresh))
}

function submitting(fresh: () => Store): void {
  it('rejects commands for an unknown thread and for one without a row', async () => {
    const store = fresh()
    await store.lease('leased', terms())
    for (const thread of ['leased', 'unknown']) {
      await expect(store.submit(thread, 'c1', cancel('enough'))).rejects.toMatchObject({
        name: 'UnknownThread',
        message: expect.stringContaining(`'${thread}'`),
      })
      expect(await store.inbox(thread)).toEqual([])
      expect(await store.command(thread, 'c1')).toEqual({ state: 'unknown' })
    }
  })

  it('returns commands in the order of their arrival', async () => {
    const store = fresh()
    await begun(store, 't')
    for (const command of ['z', 'a', 'm']) await store.submit('t', command, cancel(`by ${command}`))
    expect(await store.inbox('t')).toEqual(
      ['z', 'a', 'm'].map(command => ({ command, event: cancel(`by ${command}`) })),
    )
  })

  it('stores a repeated command of a thread once, in its first form', async () => {
    const store = fresh()
    await begun(store, 't')
    await store.submit('t', 'c1', cancel('first'))
    await store.submit('t', 'c1', cancel('second'))
    expect(await store.inbox('t')).toEqual([{ command: 'c1', event: cancel('first') }])
  })

  it('keeps the commands of different threads separate', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await begun(store, 'u')
    await store.submit('t', 'c1', cancel('t'))
    await store.submit('u', 'c1', cancel('u'))
    await store.append(batch(lease, [row(1)], { settled: [{ command: 'c1' }] }))
    expect(await store.inbox('t')).toEqual([])
    expect(await store.inbox('u')).toEqual([{ command: 'c1', event: cancel('u') }])
  })

  it.each([
    ['nothing', null, 'expected an event, received null'],
    [
      'an event of another kind',
      { type: 'node.done', effect: 'act#1', region: '', output: 1 },
      "type: expected one of resume, cancel, message, pause, continue, step, escape, stop, dismiss, inject, child.ended, deadlock.found, policy.change, received 'node.done'",
    ],
    [
      'an answer that is none',
      { type: 'resume', effect: 'act#1', decision: 'banana' },
      "decision: expected one of approved, rejected, edited, applied, not-applied, dismiss, stop, received 'banana'",
    ],
    [
      'an answer to nothing',
      { type: 'resume', decision: 'approved' },
      'effect: expected a string, received undefined',
    ],
    [
      'a reason that is not text',
      { type: 'cancel', reason: { a: 1 } },
      'reason: expected a string, received an object',
    ],
    [
      'an unknown field',
      { type: 'cancel', reason: 'enough', epoch: 7 },
      'epoch: unknown field of cancel; known fields: reason, at, command',
    ],
    [
      'an output that is not data',
      { type: 'resume', effect: 'act#1', decision: 'edited', output: { when: [new Date(0)] } },
      'output.when[0] is a Date; an event must be JSON',
    ],
    [
      'more than a megabyte',
      { type: 'cancel', reason: 'x'.repeat(1_048_576) },
      expect.stringContaining('1048576'),
    ],
  ])('rejects %s before anything is stored', async (_, event, message) => {
    const store = fresh()
    await begun(store, 't')
    await expect(store.submit('t', 'c1', event as PersonEvent)).rejects.toMatchObject({
      name: 'InvalidEvent',
      message,
    })
    expect(await store.inbox('t')).toEqual([])
    expect(await store.command('t', 'c1')).toEqual({ state: 'unknown' })
  })

  it('accepts commands with any driver, and after the end of the thread', async () => {
    const store = fresh()
    await begun(store, 't', 0, { summary: { status: 'ended' } })
    await store.submit('t', 'c1', cancel('late'))
    expect(await store.inbox('t')).toHaveLength(1)
  })
}

function becoming(fresh: () => Store): void {
  it('is waiting until a batch settles it as done, or as refused with the reason', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    for (const command of ['c1', 'c2', 'c3']) await store.submit('t', command, cancel('enough'))
    expect(await store.command('t', 'c1')).toEqual({ state: 'waiting' })
    await store.append(
      batch(lease, [row(1)], {
        settled: [{ command: 'c1' }, { command: 'c3', refused: { code: 'no-reviewer' } }],
      }),
    )
    expect(await store.command('t', 'c1')).toEqual({ state: 'done' })
    expect(await store.command('t', 'c2')).toEqual({ state: 'waiting' })
    expect(await store.command('t', 'c3')).toEqual({
      state: 'refused',
      reason: { code: 'no-reviewer' },
    })
    expect((await store.inbox('t')).map(({ command }) => command)).toEqual(['c2'])
  })

  it('is unknown if it never arrived', async () => {
    const store = fresh()
    await begun(store, 't')
    expect(await store.command('t', 'c1')).toEqual({ state: 'unknown' })
  })

  it('stays settled if the command is sent again', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await store.submit('t', 'c1', cancel('enough'))
    await store.append(batch(lease, [row(1)], { settled: [{ command: 'c1' }] }))
    await store.submit('t', 'c1', cancel('enough'))
    expect(await store.inbox('t')).toEqual([])
    expect(await store.command('t', 'c1')).toEqual({ state: 'done' })
  })

  it('is known for a command that was applied without the inbox, and it is not applied again', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await store.append(batch(lease, [row(1)], { settled: [{ command: 'c1' }] }))
    await store.submit('t', 'c1', cancel('enough'))
    expect(await store.inbox('t')).toEqual([])
    expect(await store.command('t', 'c1')).toEqual({ state: 'done' })
  })

  it('keeps its first result', async () => {
    const store = fresh()
    const lease = await begun(store, 't')
    await store.submit('t', 'c1', cancel('enough'))
    await store.append(
      batch(lease, [row(1)], {
        settled: [
          { command: 'c1', refused: { code: 'question-expired', params: { question: 'q' } } },
        ],
      }),
    )
    await store.append(batch(lease, [row(2)], { settled: [{ command: 'c1' }] }))
    expect(await store.command('t', 'c1')).toEqual({
      state: 'refused',
      reason: { code: 'question-expired', params: { question: 'q' } },
    })
  })
}
