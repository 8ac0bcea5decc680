/** A scheduler restarts an agent that loops on a dead API, for a night without a person. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nightReport, runNight } from '../demos/night.ts'

test('a job that restarts each hour for eight hours costs little and leaves one question with its evidence', async () => {
  const whole = await runNight()
  expect(whole.spent.toolCalls).toBeLessThan(40)
  expect(whole.threads.map(({ run }) => run.ended?.reason ?? 'waiting')).toEqual([
    'waiting',
    'loop',
    ...Array.from({ length: 6 }, () => 'scope.held'),
  ])
  // The third thread and the later ones make no call.
  for (const { run } of whole.threads.slice(2))
    expect(run.watch.account.spent).toMatchObject({ toolCalls: 0, modelCalls: 0 })
  expect(whole.questions).toHaveLength(1)
  const [question = ''] = whole.questions
  for (const evidence of [
    'sales failed 3 times: the sales service does not answer (503)',
    '3, exactly the same',
    'rethink act → plan',
    '--decision dismiss',
    'the end: stopped (review.expired)',
  ])
    expect(question).toContain(evidence)

  const text = nightReport(whole)
  expect(text).toContain(`Total: ${whole.spent.toolCalls} tool calls`)
  expect(text).toContain('05:00  report-8')
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(
    `${whole.spent.toolCalls} tool calls and ${whole.spent.modelCalls} model calls`,
  )
  // A second run gives the same bytes.
  expect(nightReport(await runNight())).toBe(text)
})
