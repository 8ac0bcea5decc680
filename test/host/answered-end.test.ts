/** A thread that ends in a failure state by an answer: the end gives the answer as its cause. */
import { describe, expect, it } from 'vitest'
import { createRuntime, defineGraph, memoryStore } from '../../src/index.ts'

type Decision = 'approved' | 'rejected'

async function answered(decision: Decision) {
  const edges = {
    'human.approved': 'end',
    'human.rejected': 'end',
    'human.expired': 'end',
  } as const
  const graph = defineGraph({
    id: 'release',
    start: 'ask',
    nodes: {
      ask: {
        use: 'human',
        question: 'Publish?',
        deadline: '1h',
        on: { ...edges, [`human.${decision}` as const]: 'kept' as const },
      },
      end: { final: 'success' },
      kept: { final: 'failure' },
    },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  await thread.answer('ask#1', decision)
  const result = await thread.result()
  await runtime.close()
  return result
}

describe('an answer whose edge leads to a failure state', () => {
  it.each(['rejected', 'approved'] as const)('is the cause of the end: %s', async decision => {
    expect(await answered(decision)).toMatchObject({
      outcome: 'failure',
      reason: 'failure',
      because: `the graph ended in a failure state: the question was answered '${decision}': Publish?`,
    })
  })
})
