/** The output for two policies over the same traces. */
import { expect, it } from 'vitest'
import { comparedBlocks, differenceBlock, TOTAL } from '../../src/faces/cli/print/traces.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'

it('prints a trace with different results in one line, side by side', () => {
  const block = differenceBlock({
    id: 'ticket-7',
    events: 31,
    solved: true,
    a: { at: 5, kind: 'sequence', saved: 25 },
  })
  expect(draw([block], PIPE)).toBe(
    'A at 5 (sequence), saves 25   B finds nothing               ticket-7 (31 events, solved)\n',
  )
})

it('prints the sums of both policies below each other', () => {
  const total = {
    ...TOTAL,
    traces: 120,
    solved: 40,
    both: 9,
    onlyA: 3,
    differ: 5,
    savedA: 1204,
    savedB: 77,
    disturbedA: 2,
  }
  expect(draw(comparedBlocks(total, 'a.yaml', 'patient.yaml'), PIPE)).toBe(
    [
      '120 traces, 40 solved; 9 stopped by both, 5 judged differently',
      '                stopped  alone  events saved  disturbed',
      'A a.yaml             12      3         1,204          2',
      'B patient.yaml        9      0            77          0',
      '',
    ].join('\n'),
  )
})
