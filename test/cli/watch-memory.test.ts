/** `escapement watch` over a file larger than memory: it holds one trace at a time. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolders } from '../durability/folders.ts'
import { here, start } from '../durability/process.ts'

const newFolder = newFolders()

/** Left to itself, V8 has more than this after half of the file. */
const FILE_MB = 100
const PEAK_MB = 220

/** Traces of many small things, of which more are still needed when memory is cleared: each call looks for something else, and finds it. */
function written(file: string, megabytes: number): void {
  const events = Array.from({ length: 3000 }, (_, nth) => [
    { t: 'call', id: `c${nth}`, tool: 'search', args: { q: `number ${nth}`, page: nth } },
    {
      t: 'result',
      id: `c${nth}`,
      ok: true,
      text: `page ${nth} has ${nth * 7919} names on it, all of them new`,
    },
  ]).flat()
  const rest = `${JSON.stringify({ events }).slice(1)}\n`
  const to = openSync(file, 'w')
  for (let bytes = 0, nth = 0; bytes < megabytes * 1_000_000; nth++)
    bytes += writeSync(to, `{"id":"trace-${nth}",${rest}`)
  closeSync(to)
}

const watched = (cwd: string, file: string) =>
  start(
    [
      '--import',
      here('../cli/fixture/peak.ts'),
      here('../../src/main.ts'),
      'watch',
      file,
      '--out',
      'verdicts.jsonl',
    ],
    { cwd },
  ).ended

it(`watches a file of ${FILE_MB} MB in less than ${PEAK_MB} MB of memory`, {
  timeout: 180_000,
}, async () => {
  const folder = newFolder()
  written(join(folder, 'long.jsonl'), FILE_MB)
  // The package is compiled. Here, Node.js compiles the source at the first run, which takes memory of its own.
  written(join(folder, 'short.jsonl'), 0.001)
  await watched(folder, 'short.jsonl')
  const said = await watched(folder, 'long.jsonl')
  expect(said).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining(' traces, 0 with loops\n'),
  })
  expect(Number(/^peak (\d+)$/m.exec(said.err)?.[1])).toBeLessThan(PEAK_MB)
})
