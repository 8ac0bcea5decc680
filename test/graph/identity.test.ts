/** What may change in a spec under its stored threads, and what may not. */
import { describe, expect, test } from 'vitest'
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { specOf } from './linted.ts'

const AGENT = {
  id: 'desk',
  start: 'plan',
  input: ['goal'],
  output: ['answer'],
  channels: {
    goal: { type: 'string' },
    answer: { type: 'string' },
    messages: { reducer: 'append', type: 'object' },
  },
  nodes: {
    plan: {
      use: 'model',
      model: 'fast',
      prompt: 'Help.',
      tools: ['find'],
      in: ['goal', 'messages'],
      out: { messages: 'message', answer: 'text' },
      on: { 'done.command': 'act', 'done.answer': 'ask' },
    },
    act: { use: 'tools', in: ['messages'], out: ['messages'], on: { done: 'plan' } },
    ask: {
      use: 'human',
      question: 'Send it?',
      deadline: '1h',
      on: { 'human.approved': 'end', 'human.rejected': 'plan', 'human.expired': 'end' },
    },
    end: { final: 'success' },
  },
  tools: { find: { use: './find.ts#find' } },
  models: { fast: { id: 'small' } },
}

type Change = (spec: typeof AGENT) => object

const hashOf = (change: Change) => machineOfSpec(specOf(change(AGENT))).hash
const nodes = (name: keyof typeof AGENT.nodes, fields: object): Change => {
  return spec => ({
    ...spec,
    nodes: { ...spec.nodes, [name]: { ...spec.nodes[name], ...fields } },
  })
}
const top = (fields: object): Change => {
  return spec => ({ ...spec, ...fields })
}

const COMPATIBLE: Readonly<Record<string, Change>> = {
  'the prompt of a model node': nodes('plan', { prompt: 'Help politely.' }),
  'its tools and history': nodes('plan', { tools: [], history: 60 }),
  'the text of a question': nodes('ask', { question: 'Send the answer?' }),
  'the detectors of a node': nodes('act', { detect: { sequence: { repeats: 4 } } }),
  'a model': top({ models: { fast: { id: 'large', temperature: 0 } } }),
  'a tool': top({ tools: { find: { use: './find.ts#find', timeout: '1m' } } }),
  'a new tool and a new model': spec => ({
    ...spec,
    tools: { ...spec.tools, other: { use: './find.ts#other' } },
    models: { ...spec.models, other: { id: 'other' } },
  }),
  'limits and retries': top({ limits: { steps: 9 }, retry: { attempts: 2 } }),
  'the rungs of the ladder': top({ escape: { ladder: ['stop'] } }),
  'the description': top({ description: 'A help desk.' }),
  'the order of the nodes': spec => ({
    ...spec,
    nodes: Object.fromEntries(Object.entries(spec.nodes).toReversed()),
  }),
}

const INCOMPATIBLE: Readonly<Record<string, Change>> = {
  'a node with another name': spec => {
    const { ask, ...others } = spec.nodes
    const plan = { ...others.plan, on: { 'done.command': 'act', 'done.answer': 'question' } }
    return { ...spec, nodes: { ...others, plan, question: ask } }
  },
  'another target of an edge': nodes('act', { on: { done: 'ask' } }),
  'another deadline': nodes('ask', { deadline: '2h' }),
  'another timeout': nodes('act', { timeout: '1m' }),
  'other writes': nodes('plan', { out: { messages: 'message' } }),
  'another condition': nodes('act', { when: { big: 'size(messages) > 3' } }),
  'another channel': spec => ({
    ...spec,
    channels: { ...spec.channels, note: { type: 'string' } },
  }),
  'another result': top({ output: ['goal', 'answer'] }),
  'another progress': top({ progress: 'size(answer)' }),
  'other alternatives': top({ escape: { alternatives: { plan: ['ask'] } } }),
  'a smarter model, which adds edges': top({
    models: { fast: { id: 'small', smarter: 'smart' }, smart: { id: 'large' } },
  }),
}

describe('a stored thread continues under a spec with', () => {
  test.each(Object.entries(COMPATIBLE))('%s changed', (_, change) => {
    expect(hashOf(change)).toBe(hashOf(spec => spec))
  })
})

describe('a stored thread does not continue under a spec with', () => {
  test.each(Object.entries(INCOMPATIBLE))('%s', (_, change) => {
    expect(hashOf(change)).not.toBe(hashOf(spec => spec))
  })
})
