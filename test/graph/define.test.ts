/** Graphs in TypeScript: what they name must be there, says the compiler; the rest says `defineGraph` when it is called. */
import { describe, expect, it } from 'vitest'
import { defineGraph, InvalidSpec } from '../../src/core/graph/spec/define.ts'
import { lint } from '../../src/core/graph/lint.ts'

const tools = { look: { use: 'flaky' } } as const
const models = { fast: { id: 'gpt-4o-mini' } } as const
const channels = { seen: { type: 'integer' } } as const
const end = { final: 'success' } as const

/** Whatever a wrong graph throws: these tests are about what is said of it before. */
function compiled(make: () => unknown): void {
  try {
    make()
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSpec)
  }
}

describe('a graph as an object', () => {
  it('is the spec that the same thing in YAML is', () => {
    const spec = defineGraph({
      id: 'ring',
      start: 'A',
      channels,
      tools,
      models,
      nodes: {
        A: {
          use: 'tool',
          tool: 'look',
          args: {},
          out: { seen: 'count' },
          on: { done: 'B', 'done.enough': 'end', error: 'end', loop: 'end' },
          when: { enough: 'seen > 3' },
          timeout: '5s',
        },
        B: {
          use: 'model',
          model: 'fast',
          tools: ['look'],
          in: ['seen'],
          on: { done: 'A', error: 'end' },
        },
        end,
      },
      escape: { alternatives: { A: ['end'], B: ['end'] } },
      limits: { steps: 20 },
    })
    expect(spec).toMatchObject({ escapement: 1, id: 'ring', nodes: { A: { timeout: 5_000 } } })
    expect(lint(spec).filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('has regions, too', () => {
    const spec = defineGraph({
      id: 'pair',
      start: 'both',
      tools,
      nodes: {
        both: {
          regions: {
            left: {
              start: 'A',
              nodes: {
                A: { use: 'tool', tool: 'look', on: { done: 'seen', error: 'seen' } },
                seen: { final: 'success' },
              },
            },
            right: {
              start: 'B',
              nodes: { B: { use: 'pass', on: { done: 'over' } }, over: { final: 'success' } },
            },
          },
          on: { done: 'end' },
        },
        end,
      },
    })
    expect(lint(spec)).toEqual([])
  })

  it('throws every fault that no type sees', () => {
    expect(() => defineGraph({ id: 'a b', start: 'end', nodes: { end } })).toThrow(
      /^id: expected a name/,
    )
    expect(() => defineGraph({ id: 'a', start: 'end', nodes: { end } })).toThrow(
      "start: 'end' is final; expected a node that works",
    )
  })
})

describe('the compiler refuses', () => {
  it('an edge to a node that is not there', () => {
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        // @ts-expect-error there is no node 'nowhere'
        nodes: { A: { use: 'pass', on: { done: 'nowhere' } }, end },
      }),
    )
    compiled(() =>
      defineGraph({
        id: 'a',
        // @ts-expect-error nor is there one to start with
        start: 'nowhere',
        nodes: { A: { use: 'pass', on: { done: 'end' } }, end },
      }),
    )
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        nodes: { A: { use: 'pass', on: { done: 'end' } }, end },
        // @ts-expect-error nor a way out to it
        escape: { alternatives: { A: ['nowhere'] } },
      }),
    )
  })

  it('an outcome that no work can have', () => {
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        // @ts-expect-error an error is transient, persistent, business, indeterminate or unknown
        nodes: { A: { use: 'pass', on: { done: 'end', 'error.sometimes': 'end' } }, end },
      }),
    )
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        // @ts-expect-error a set of regions is done, or done with a failure
        nodes: { A: { regions: {}, on: { done: 'end', error: 'end' } }, end },
      }),
    )
  })

  it('a tool, a model or a channel that nobody has declared', () => {
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        tools,
        // @ts-expect-error there is no tool 'find'
        nodes: { A: { use: 'tool', tool: 'find', on: { done: 'end' } }, end },
      }),
    )
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        // @ts-expect-error no tool is declared at all
        nodes: { A: { use: 'tool', tool: 'look', on: { done: 'end' } }, end },
      }),
    )
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        models,
        // @ts-expect-error there is no model 'smart'
        nodes: { A: { use: 'model', model: 'smart', on: { done: 'end' } }, end },
      }),
    )
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        models,
        tools,
        // @ts-expect-error nor may it be offered a tool that is not there
        nodes: { A: { use: 'model', model: 'fast', tools: ['find'], on: { done: 'end' } }, end },
      }),
    )
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        channels,
        // @ts-expect-error there is no channel 'heard'
        nodes: { A: { use: 'pass', in: ['heard'], on: { done: 'end' } }, end },
      }),
    )
    compiled(() =>
      defineGraph({
        id: 'a',
        start: 'A',
        channels,
        // @ts-expect-error nor can it be written
        nodes: { A: { use: 'pass', out: 'heard', on: { done: 'end' } }, end },
      }),
    )
    compiled(() =>
      // @ts-expect-error a node of one's own stands in a file
      defineGraph({ id: 'a', start: 'A', nodes: { A: { use: 'mine', on: { done: 'end' } }, end } }),
    )
  })
})
