/** Faults that the attack by inputs has found, each by its smallest input. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { complains } from '../../src/core/watch/normalize/complaint.ts'
import { unwrapped } from '../../src/core/watch/normalize/envelope.ts'
import { withSettings } from '../../src/adapters/spec/library.ts'
import { tool } from '../../src/kit/tool.ts'
import { InvalidEvent, personEvent } from '../../src/runtime/store/person-event.ts'
import { BadArchive } from '../../src/runtime/store/archive.ts'
import { parseArchive } from '../../src/runtime/store/archive-parser.ts'

describe('a message', () => {
  test('about arguments with many faults names twenty of them', () => {
    const reader = tool({
      description: 'reads',
      effects: 'read',
      inputSchema: z.object({ tags: z.array(z.string()) }),
      execute: () => null,
    })
    const act = () => reader.parse({ tags: Array.from({ length: 500 }, () => 1) })
    // The check itself stops at some two hundred faults, so it does not know how many there are.
    expect(act).toThrow(/tags\[19\]: [^;]*; and (\d+ )?more$/)
  })

  test('about a setting that is nested too deep says so', () => {
    const deep = `limits=${'['.repeat(5_000)}${']'.repeat(5_000)}`
    expect(() => withSettings({}, [deep])).toThrow(/^--set limits=\[+…: YAML: is nested too deep$/)
  })
})

test('an archive with a version that is not a text is refused', async () => {
  async function* lines() {
    yield JSON.stringify(header)
    yield JSON.stringify(row)
    const text = `${JSON.stringify(header)}\n${JSON.stringify(row)}\n`
    yield JSON.stringify({ sha256: createHash('sha256').update(text).digest('hex') })
  }
  const header = { format: 'escapement', version: 1, threads: [{ thread: 't', rows: 1 }] }
  const row = { seq: 0, event: { type: 'thread.started', at: 1, versions: { escapement: {} } } }
  await expect(parseArchive(lines())).rejects.toThrow(BadArchive)
})

test.each([[['cancel']], [{ toString: 'x' }], [[{ toString: 'x' }]], [null]])(
  'a command whose type is %j is refused',
  type => {
    expect(() => personEvent({ type, reason: 'enough' })).toThrow(InvalidEvent)
  },
)

test.each(['\n', ' ', '[', '(A', 'AError\n', 'a.', 'ab-c ', '"exit_code" '])(
  'an answer of 65,536 characters that repeats %j is read in time',
  part => {
    const text = part.repeat(Math.floor(65_536 / part.length))
    const since = performance.now()
    unwrapped(text)
    complains(text, false)
    expect(performance.now() - since).toBeLessThan(1_000)
  },
)
