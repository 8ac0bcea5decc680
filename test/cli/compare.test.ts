/** `escapement watch --compare`: the same recorded traces under two policies. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()

const lap = (nth: number, tool: string, text: string) => [
  { t: 'call', id: `c${nth}`, tool, args: { q: 'opening hours' } },
  { t: 'result', id: `c${nth}`, ok: true, text },
]
const laps = (tool: string, text: (nth: number) => string) =>
  [1, 2, 3, 4, 5].flatMap(nth => lap(nth, tool, text(nth)))
const empty = () => 'the page is empty today'

const TRACES = [
  { id: 'both', events: laps('search', empty) },
  { id: 'waited', events: laps('status', empty), outcome: { success: true } },
  {
    id: 'neither',
    events: laps('search', nth => `twenty names from page ${nth}`),
    outcome: { success: true },
  },
]

/** A is the default; to B, `status` is polled, and `search` is left more time. */
function compared() {
  const desk = newDesk()
  desk.file('traces.jsonl', TRACES.map(trace => `${JSON.stringify(trace)}\n`).join(''))
  desk.file('A.yaml', 'detect: {}\n')
  desk.file(
    'B.yaml',
    'detect: { sequence: { repeats: 4 }, repetition: { times: 4 }, stale: false, tools: { status: { poll: true } } }\n',
  )
  return desk
}

describe('watch --compare', () => {
  it('prints for each trace where either policy would have stopped it, and the savings', async () => {
    const desk = compared()
    const said = await desk.type('watch', 'traces.jsonl', '--compare', 'A.yaml', 'B.yaml')
    const [both, waited, neither, all] = said.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as unknown)
    expect(both).toEqual({
      id: 'both',
      events: 10,
      solved: false,
      a: { at: 5, kind: 'sequence', saved: 4 },
      b: { at: 7, kind: 'sequence', saved: 2 },
    })
    expect(waited).toEqual({
      id: 'waited',
      events: 10,
      solved: true,
      a: { at: 5, kind: 'sequence', saved: 4 },
      b: null,
    })
    expect(neither).toEqual({ id: 'neither', events: 10, solved: true, a: null, b: null })
    const total = {
      traces: 3,
      solved: 2,
      both: 1,
      onlyA: 1,
      onlyB: 0,
      differ: 2,
      savedA: 8,
      savedB: 2,
      disturbedA: 1,
      disturbedB: 0,
    }
    expect(all).toEqual({ policies: { a: 'A.yaml', b: 'B.yaml' }, total })
    expect(said).toMatchObject({
      code: 0,
      err: expect.stringContaining('3 traces, 2 solved; 1 stopped by both, 2 judged differently\n'),
    })
    expect(said.err).toMatch(/^A A\.yaml +2 +1 +8 +1\nB B\.yaml +1 +0 +2 +0\n/m)

    await desk.type(
      'watch',
      'traces.jsonl',
      '--out',
      'compared.jsonl',
      '--compare',
      'B.yaml',
      'A.yaml',
    )
    const written = readFileSync(join(desk.folder, 'compared.jsonl'), 'utf8')
    expect(JSON.parse(written.trim().split('\n')[3] ?? '')).toMatchObject({
      total: { onlyA: 0, onlyB: 1, savedA: 2, savedB: 8 },
    })
  })

  it('accepts two policies, and no other policy option', async () => {
    const desk = compared()
    expectRefused(
      await desk.type('watch', 'traces.jsonl', '--compare', 'A.yaml'),
      /--compare: expected two policies, as --compare A\.yaml B\.yaml after the traces/,
    )
    expectRefused(
      await desk.type('watch', 'traces.jsonl', '--compare', 'A.yaml', 'B.yaml', 'A.yaml'),
      /expected two policies/,
    )
    expectRefused(
      await desk.type(
        'watch',
        'traces.jsonl',
        '--policy',
        'A.yaml',
        '--compare',
        'A.yaml',
        'B.yaml',
      ),
      /--compare and --policy: expected one of them/,
    )
    expectRefused(
      await desk.type(
        'watch',
        'traces.jsonl',
        '--compare',
        'A.yaml',
        desk.file('C.yaml', 'detect: 3\n'),
      ),
      /C\.yaml: detect/,
    )
  })
})
