/**
 * Stories: behaviour as text files, `stories/*.story`. How they are written is described in story-runner/story.ts and in the two runners.
 * `REWRITE=1 npx vitest run test/stories.test.ts` rewrites the answers: read the diff, and keep it only if you understand it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runStory } from './story-runner/story.ts'

const folder = new URL('stories/', import.meta.url)
const files = readdirSync(folder).filter(file => file.endsWith('.story'))

test.each(files)('%s', async file => {
  const at = new URL(file, folder)
  const written = readFileSync(at, 'utf8')
  expect(written, 'a story opens with a comment that says what it shows').toMatch(/^# \S/)
  expect(written, 'a story has at least one answer').toMatch(/^----$/m)
  const output = await runStory(written)
  if (process.env.REWRITE) writeFileSync(at, output)
  else expect(output).toBe(written)
})

test('stories cover all subjects', () => {
  expect(files.length).toBeGreaterThanOrEqual(44)
})
