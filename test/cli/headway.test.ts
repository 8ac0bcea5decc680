/** The progress of reading recorded traces: shown on a terminal, and removed before other output. */
import { expect, it } from 'vitest'
import type { ReadOptions } from '../../src/adapters/trace/traces.ts'
import type { App } from '../../src/faces/cli/app/app.ts'
import { watch } from '../../src/faces/cli/commands/watch.ts'
import { progressText, skippedText } from '../../src/faces/cli/print/traces.ts'
import { terminalOf } from '../../src/faces/cli/app/terminal.ts'

/** A terminal or a pipe, and a file of two pieces of 20 MB with a trace in each, half a second apart. */
function screen(isTTY: boolean) {
  let now = 0
  const said: string[] = []
  const stream = { isTTY, columns: 80, write: (text: string) => said.push(text) }
  const never = new AbortController().signal
  const traces = async function* (_: string, { read }: ReadOptions = {}) {
    for (const id of ['one', 'two']) {
      now += 500
      read?.(20_000_000)
      yield { id, acts: [] }
    }
  }
  const app: Partial<App> = {
    ...terminalOf(stream, stream, {}),
    signal: never,
    leave: never,
    environment: {},
    elapsed: () => now,
    traces,
  }
  return { app: app as App, said }
}

it('is one line on a terminal, which is removed before other output', async () => {
  const { app, said } = screen(true)
  await watch(app, ['traces.jsonl'], { format: 'trace' })
  expect(said).toEqual([
    '0 traces, 20 MB, 40 MB/s',
    '\r\x1b[K',
    '1 trace, 40 MB, 40 MB/s',
    '\r\x1b[K',
    '2 traces, 0 with loops\n',
  ])
})

it('is not written to a pipe', async () => {
  const { app, said } = screen(false)
  await watch(app, ['traces.jsonl'], { format: 'trace' })
  expect(said.filter(text => text.startsWith('{'))).toHaveLength(2)
  expect(said.join('')).not.toMatch(/MB|\p{Cc}(?<!\n)/u)
})

it('names the most frequent skipped kinds in quotes, and counts all', () => {
  expect(progressText({ traces: 0, bytes: 0 }, 0)).toBe('0 traces, 0 MB, 0 MB/s')
  expect(skippedText(new Map())).toBe('')
  const many = new Map(
    Array.from(
      { length: 10 },
      (_, nth) => [nth === 0 ? '\x1b[31m' : `kind${nth}`, nth + 1] as const,
    ),
  )
  expect(skippedText(many)).toBe(
    'skipped 55 of unknown kinds: 10 "kind9", 9 "kind8", 8 "kind7", 7 "kind6", 6 "kind5", 5 "kind4", 4 "kind3", 3 "kind2" and 2 kinds more\n',
  )
  expect(skippedText(new Map([['\x1b[31m', 1]]))).toBe(
    'skipped 1 of unknown kinds: 1 "\\u001b[31m"\n',
  )
})
