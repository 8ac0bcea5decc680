/** Characters that a terminal does not show, and line breaks in names: none of them may hide or forge output. */
import { escapeControls, oneLine } from '../../src/core/watch/data/invisible.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ReasonError } from '../../src/core/watch/reason/reason.ts'
import { errorBlocks } from '../../src/faces/cli/print/error.ts'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { UnknownThread } from '../../src/runtime/store/store.ts'
import { expectRefused, GOOD, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const FORGED = 'x\nerror: forged'

/** Ranges of characters without a glyph, from the first to the last. */
const INVISIBLE = [
  ...[[0xad], [0x34f], [0x115f, 0x1160], [0x17b4, 0x17b5], [0x180b, 0x180f], [0x2028, 0x202e]],
  ...[[0x2060, 0x206f], [0x2800], [0x3164], [0xfe00, 0xfe0d], [0xfeff], [0xffa0]],
  ...[[0xe0001], [0xe0020, 0xe007f], [0xe0100, 0xe01ef]],
].flatMap(([first = 0, last = first]) =>
  Array.from({ length: last - first + 1 }, (_, nth) => String.fromCodePoint(first + nth)),
)

it('are removed from a line, and written as escapes in JSON and in names', () => {
  for (const sign of INVISIBLE) {
    const code = sign.codePointAt(0)?.toString(16)
    expect(draw([`A${sign}B`], PIPE), code).toBe('AB\n')
    expect(JSON.parse(`"${escapeControls(sign)}"`), code).toBe(sign)
    expect(escapeControls(sign), code).toMatch(/^(\\u[0-9a-f]{4})+$/)
    expect(oneLine(sign), code).toMatch(/^\\u/)
  }
})

it('stay in emoji and in words that need them', () => {
  for (const text of ['❤\ufe0f', '✈\ufe0e', '👩\u200d🚀', 'می\u200cخواهم', '한국어', 'ខ្មែរ']) {
    expect(draw([text], PIPE)).toBe(`${text}\n`)
    expect(oneLine(text)).toBe(text)
  }
})

it('in a key of a policy forge no line, also where the change is refused', async () => {
  const desk = newDesk()
  const asks = spec(`
nodes:
  A: { use: human, question: Go on?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E } }
  E: { final: success }
`)
  await desk.type('run', desk.file('asks.yaml', asks), '--thread', 't')
  const key = 'x\nerror: forged\n\u001b[31m'
  writeFileSync(join(desk.folder, 'evil.json'), JSON.stringify({ [key]: 1, limits: { [key]: 1 } }))
  const refused = await desk.type('policy', 't', '--file', 'evil.json')
  expectRefused(refused, 'refused: ', String.raw`x\nerror: forged\n\u001b`)
  expect(refused.err.trim().split('\n')).toHaveLength(1)
})

it('in the value of an option forge no line of an error about it', async () => {
  const { err } = await newDesk().type('breakers', '--reset', 'x\nerror: forged')
  expect(err).toMatch(/^error: unknown breaker 'x\\nerror: forged'; .*\n$/)
})

it.each([
  [['lint', 'g.json', '--max', FORGED], 'expected unit=amount'],
  [['threads', '--min-usd', FORGED], 'expected a number, such as 0.5'],
  [['run', 'g.json', '--set', FORGED], 'expected path=value'],
  [['resume', 't', '--decision', FORGED], 'Allowed choices are'],
  [['threads', `--${FORGED}`], 'unknown option'],
  [['threads', `--stal\n(Did you mean --forged?)`], 'unknown option'],
  [[FORGED], 'unknown command'],
])('in the argument of %j forge no line of its refusal', async (args, expected) => {
  const refused = await newDesk().type(...args)
  expectRefused(refused, expected)
  const [error, ...others] = refused.err.trimEnd().split('\n')
  expect(error).toMatch(String.raw`\n`)
  expect(others).toEqual([expect.stringMatching(/^\(escapement .*--help lists the /)])
})

it('leave a suggestion on a line of its own', async () => {
  const { err } = await newDesk().type('threads', '--stal')
  expect(err).toMatch(/^error: unknown option '--stal'\n\(Did you mean --stale\?\)\n\(escapement /)
})

it('in traces and reports are written to files as to a pipe', async () => {
  const desk = newDesk()
  const id = 'a\u202eb\u0085c'
  desk.file('trace.jsonl', `${JSON.stringify({ id, events: [{ t: 'say', text: 'x' }] })}\n`)
  expect((await desk.type('watch', 'trace.jsonl', '--out', 'out.jsonl')).code).toBe(0)
  expect(readFileSync(join(desk.folder, 'out.jsonl'), 'utf8')).toContain(
    String.raw`a\u202eb\u0085c`,
  )
  desk.file('graph.yaml', GOOD)
  desk.file('s.yaml', `{ scenario: 1, name: ${JSON.stringify(id)}, graph: ./graph.yaml, seeds: 1 }`)
  const monte = await desk.type('sim', 'monte', 's.yaml', '--workers', '1', '--report', 'r.json')
  expect(monte).toMatchObject({ code: 0, err: '' })
  expect(readFileSync(join(desk.folder, 'r.json'), 'utf8')).toContain(String.raw`a\u202eb\u0085c`)
})

it('in the name of a file forge no line of an error about it', async () => {
  const desk = newDesk()
  const file = desk.file('a\nerror: all is well.json', '{}')
  for (const command of ['watch', 'import']) {
    const { err } = await desk.type(command, file)
    expect({ command, lines: err.trim().split('\n') }).toEqual({
      command,
      lines: [expect.stringContaining(String.raw`a\nerror: all is well.json`)],
    })
  }
})

it.each(['export', 'watch'])(
  'in the output of %s forge no line of an error about it',
  async command => {
    const desk = newDesk()
    await desk.type('run', desk.file('graph.yaml', GOOD), '--thread', 't')
    desk.file('trace.jsonl', '{"id":"t","events":[]}\n')
    const subject = command === 'watch' ? 'trace.jsonl' : 't'
    const refused = await desk.type(command, subject, '--out', `gone/${FORGED}`)
    expectRefused(refused, String.raw`error: gone/x\nerror: forged: cannot be written`)
    expect(refused.err.trim().split('\n')).toHaveLength(1)
  },
)

it.each([
  [
    'of the system',
    Object.assign(new Error(`ENOENT: no such file, open '${FORGED}'`), { syscall: 'open' }),
  ],
  [
    'of Node.js',
    Object.assign(new Error(`Cannot find '${FORGED}'`), { code: 'ERR_MODULE_NOT_FOUND' }),
  ],
  [
    'with a reason',
    new ReasonError('NotJson', { code: 'not-json', params: { path: FORGED, fault: 'x' } }),
  ],
  ['with a code', new UnknownThread(FORGED)],
])('in an error %s forge no line', (_, error) => {
  const [first, ...others] = draw(errorBlocks(error), PIPE).trimEnd().split('\n')
  expect(first).toContain(String.raw`x\nerror: forged`)
  expect(others.filter(line => !line.includes('→'))).toEqual([])
})

it('in an error of other code stay, indented', () => {
  expect(draw(errorBlocks(new Error('first\nsecond')), PIPE)).toBe('error: first\n       second\n')
})
