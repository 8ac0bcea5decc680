/** Threads that a program of its own has driven, at the command line. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { bindGraph } from '../../src/kit/bind.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { specOf } from '../graph/linted.ts'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()

const GRAPH = {
  nodes: { A: { use: './mine.ts#work', on: { done: 'E' } }, E: { final: 'success' } },
}

describe('a thread of a program of its own', () => {
  it('is shown by its spec, and carried on by that program alone', async () => {
    const desk = newDesk()
    const store = sqliteStore({ file: join(desk.folder, 'own.db') })
    const graph = bindGraph(specOf(GRAPH), {
      workspace: desk.folder,
      model: () => ({}) as never,
      nodes: { A: async () => ({}) },
    })
    await drive(nodePorts({ graph, store }), 'ticket', { start: { input: {}, seed: 1 } })
    await store.close()

    expect(await desk.type('show', 'ticket', '--store', 'own.db')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^✓ ticket: success \(goal\)\n/),
    })
    expectRefused(
      await desk.type('resume', 'ticket', '--store', 'own.db'),
      'a program of its own has bound the graph of this thread',
    )
  })
})
