/** `escapement watch --attribute`: the fault that began the trouble in a recorded trace. */
import { describe, expect, it } from 'vitest'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()

const call = (nth: number, tool: string, ok: boolean, text: string) => [
  { t: 'call', id: `c${nth}`, tool, args: { city: 'Oslo', nth } },
  { t: 'result', id: `c${nth}`, ok, text },
]

const TRACES = [
  {
    id: 'late',
    events: [
      { t: 'unknown' },
      ...call(1, 'weather', true, '{"city":"Oslo"}'),
      ...call(2, 'forecast', false, 'the request timed out after 30 s'),
      ...call(3, 'forecast', false, 'the request timed out after 30 s'),
    ],
  },
  { id: 'well', events: call(1, 'weather', true, '{"city":"Oslo"}') },
]

function recorded() {
  const desk = newDesk()
  desk.file('traces.jsonl', TRACES.map(trace => `${JSON.stringify(trace)}\n`).join(''))
  return desk
}

describe('watch --attribute', () => {
  it('adds the fault to each trace, by its place in the file, or null', async () => {
    const { out } = await recorded().type('watch', 'traces.jsonl', '--attribute')
    const [late, well] = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { fault: unknown })
    expect(late?.fault).toEqual({ kind: 'timeout', at: 3, subject: 'forecast', confidence: 0.95 })
    expect(well?.fault).toBeNull()
  })

  it('names nothing without the option', async () => {
    const { out } = await recorded().type('watch', 'traces.jsonl')
    expect(out).not.toContain('fault')
  })

  it('is refused beside --compare', async () => {
    const desk = recorded()
    desk.file('A.yaml', 'detect: {}\n')
    const said = await desk.type(
      ...['watch', 'traces.jsonl', '--attribute', '--compare', 'A.yaml', 'A.yaml'],
    )
    expectRefused(said, '--compare and --attribute: expected one of them')
  })
})
