/** What people see of two policies over the same traces. */
import { expect, it } from 'vitest'
import { comparedBlocks, differenceBlock, TOTAL } from '../../src/faces/cli/print/traces.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'

it('a trace where two policies differ stands in one line, both side by side', () => {
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

it('the sums of both stand below one another', () => {
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
