/** Reports: one offline HTML file, Markdown and JUnit, with the same figures. */
import { expect, test } from 'vitest'
import { reportOf } from '../../src/simulate/monte/report.ts'
import { htmlReport } from '../../src/simulate/report/html.ts'
import { paretoOf, paretoSvg } from '../../src/simulate/report/pareto.ts'
import { junitReport } from '../../src/simulate/report/junit.ts'
import { markdownReport } from '../../src/simulate/report/markdown.ts'
import { parseScenario } from '../../src/simulate/scenario/scenario.ts'
import { wilson } from '../../src/simulate/statistics/interval.ts'
import { inShop } from './fixture.ts'

async function report() {
  const scenario = parseScenario({
    scenario: 1,
    name: '<script>alert("ring")</script>',
    graph: './shop.yaml',
    policies: { default: {}, other: {} },
    oracle: { sometimes: ['steps > 100'] },
    gates: ['default.success.count == 2', 'default.success.low > 0.9'],
  })
  const runs = await Promise.all(
    ['default', 'other', 'healthy'].flatMap(policy =>
      [1, 2].map(async seed => ({ ...(await inShop([], { seed })), policy, because: 'a & b' })),
    ),
  )
  return reportOf(scenario, runs, { nondeterministic: [7] })
}

test('the HTML file has no script, makes no request, and escapes texts', async () => {
  const html = htmlReport(await report())
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`)
  expect(html).not.toMatch(/<script|<img|<link|<iframe|https?:|url\(|@import/)
  expect(html).toContain('&lt;script&gt;alert(&quot;ring&quot;)&lt;/script&gt;')
  expect(html).toContain('<html lang="en">')
  expect(html).toContain('prefers-color-scheme: dark')
})

test('each table has a caption, headings with a scope, and cells for each of them', async () => {
  const html = htmlReport(await report())
  const tables = [...html.matchAll(/<table>(.*?)<\/table>/gs)].map(([, text = '']) => text)
  expect(tables.length).toBeGreaterThan(3)
  for (const text of tables) {
    expect(text).toMatch(/^<caption>[^<]+<\/caption>/)
    const columns = text.match(/scope="col"/g)?.length ?? 0
    for (const [row] of text.split('<tbody>')[1]?.matchAll(/<tr>.*?<\/tr>/gs) ?? [])
      expect(row.match(/<t[hd]/g)).toHaveLength(columns)
  }
})

test('the figures are those of the runs, with intervals', async () => {
  const made = await report()
  expect(htmlReport(made)).toContain('100.0 % [34.2,\u00a0100.0]')
  expect(htmlReport(made)).toMatch(/NONDETERMINISTIC: a seed gave two journals/)
  const markdown = markdownReport(made)
  expect(markdown).toContain('| success | 100.0 [34.2, 100.0] | 100.0 [34.2, 100.0] |')
  expect(markdown).toContain('- ✗ `default.success.low > 0.9`')
  expect(markdown).toContain('scripted models and simulated faults')
})

test('JUnit has a case for each gate', async () => {
  const xml = junitReport(await report())
  expect(xml).toContain('tests="4" failures="3"')
  expect(xml).toContain(
    '<testcase name="default.success.low &gt; 0.9"><failure message="the gate does not hold"/>',
  )
})

test('the chart of success and cost marks the policies that no other one beats in both', () => {
  const of = (goal: number, usd: number) =>
    ({ goal: wilson(goal, 10), usd: { p50: usd }, steps: { p50: 9 } }) as never
  const points = paretoOf({
    best: of(9, 0.2),
    cheap: of(5, 0.1),
    worse: of(5, 0.3),
    same: of(9, 0.2),
  })
  expect(points.filter(({ isBest }) => isBest).map(({ name }) => name)).toEqual([
    'best',
    'cheap',
    'same',
  ])
  expect(paretoOf({ free: of(9, 0) })).toMatchObject([{ unit: 'steps', cost: 9 }])
  const svg = paretoSvg(paretoOf({ '<b>': of(9, 0.2) }))
  expect(svg).toContain('&lt;b&gt;')
  expect(svg).not.toMatch(/NaN|Infinity|href/)
})

test('the p values of several policies are corrected together', async () => {
  const html = htmlReport(await report())
  expect(html).toContain('<th scope="col">p, Holm</th>')
})
