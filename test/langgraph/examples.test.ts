/** The examples of LangGraph in `graphs` and `machines`. */
import { expect, test } from 'vitest'
import { triage } from '../../graphs/triage.ts'
import { lint, loadGraph, memoryStore } from '../../src/index.ts'
import { fromLangGraph, toLangGraph, watched } from '../../src/langgraph.ts'

test('graphs/triage.ts has no lint errors, and its loop ends in a hand-over', async () => {
  const { spec } = fromLangGraph(triage)
  expect(lint(spec).filter(({ severity }) => severity === 'error')).toEqual([])
  const refund = { ticket: 'Where is my refund?' }
  expect((await watched(triage).invoke(refund)).answer).toBe('We pay it back within a week.')
  await expect(triage.invoke({ ticket: 'My bill is wrong.' })).rejects.toThrow('Recursion limit')
  const { answer } = await watched(triage).invoke({ ticket: 'My bill is wrong.' })
  expect(answer).toBe('A colleague will write to you.')
})

test('machines/incident.ts is a LangGraph graph with a node for each state that works or asks', async () => {
  const incident = await loadGraph('graphs/incident.yaml', { models: {} })
  const drawing = await toLangGraph(incident, { store: memoryStore() }).getGraphAsync()
  const from = (name: string) =>
    drawing.edges.flatMap(({ source, target }) => (source.endsWith(name) ? [target] : []))
  expect(from('begin')).toEqual([
    'incident.handling.investigate.repairing.diagnose',
    'incident.handling.communicate.announce',
  ])
  // The escape of the superstate `repairing` is an edge of each of its states.
  for (const state of ['diagnose', 'mitigate', 'verify'])
    expect(from(state)).toContain('incident.handling.investigate.rollback')
})
