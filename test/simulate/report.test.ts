/** Reports: one offline HTML file, Markdown and JUnit, with the same figures. */
import { describe, expect, test } from 'vitest'
import { draw, PIPE } from '../../src/faces/cli/print/layout.ts'
import { monteBlocks } from '../../src/faces/cli/print/simulate.ts'
import { type MonteReport, reportOf } from '../../src/simulate/monte/report.ts'
import { gridReport } from '../../src/simulate/report/grid.ts'
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

test('a condition that only another policy violates is met, and names that policy', async () => {
  const scenario = parseScenario({
    ...{ scenario: 1, name: 'pay', graph: './shop.yaml', policies: { default: {}, other: {} } },
    oracle: { never: ['system.payments > 1'] },
  })
  const violations = [{ rule: 'never', condition: 'system.payments > 1', seq: 3 }] as const
  const run = await inShop([], { seed: 1 })
  const runs = [run, { ...run, policy: 'other', violations }, { ...run, policy: 'healthy' }]
  const made = reportOf(scenario, runs, { nondeterministic: [] })
  expect(made.verdict).toBe('met')
  const line = 'never system.payments > 1 (other policies violate it: other)'
  expect(draw(monteBlocks(made, { runs: 3, steps: 9, seconds: 1 }), PIPE)).toContain(`✓ ${line}\n`)
  expect(markdownReport(made)).toContain(
    '- ✓ `never system.payments > 1` (other policies violate it: other)',
  )
  expect(htmlReport(made)).toContain('payments &gt; 1 (other policies violate it: other)')
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
    '<testcase name="default.success.low &gt; 0.9"><failure message="the gate does not hold: it is 0.342; the rate itself is 1: more seeds narrow the interval"/>',
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

describe('texts from outside', () => {
  const HOSTILE = [
    '</script><script>alert(1)</script>',
    ']]>',
    '<!-- -->',
    '"><img src=x onerror=alert(1)>',
    '| a `b` *c* [d](javascript:e) <f> \\',
    '# heading\n\n- item\r\n| row |',
    'a\u0000b\u001b[2Jc\u0085d\u009b31m',
    'e\u202ef\u2066g\u2028h\u200b\ufeff\ufffe\ud800',
  ].join(' ')

  /** A report with the text in all its names and reasons. */
  const hostile = async (): Promise<MonteReport> => {
    const made = await report()
    const renamed = <T>(of: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(
        Object.entries(of).map(([name, value]) => [`${name} ${HOSTILE}`, value] as const),
      )
    const run = await inShop([], { seed: 1 })
    const violations = [{ rule: 'always', condition: HOSTILE, seq: 1 }] as const
    return {
      ...made,
      scenario: HOSTILE,
      tested: `default ${HOSTILE}`,
      policies: renamed(made.policies),
      differences: renamed(made.differences),
      useless: [HOSTILE],
      gates: [{ gate: HOSTILE, holds: false }],
      vacuous: [HOSTILE],
      worst: [{ ...run, policy: HOSTILE, because: HOSTILE, violations }],
    }
  }
  /** Control characters other than the line breaks of the file, marks of the text direction, and invisible characters. */
  const UNSEEN = /(?!\n)\p{Cc}|\p{Cs}|[\u2028\u2029\ufffe]|(?![\u200c\u200d])\p{Cf}/u

  test('are text in HTML, and have no signs that change what is seen', async () => {
    const html = htmlReport(await hostile())
    expect(html).not.toMatch(UNSEEN)
    expect(html).not.toMatch(/<script|<img|<f>|<!-- -->/)
    const grid = gridReport([{ cell: HOSTILE, report: await hostile() }])
    expect(grid).not.toMatch(UNSEEN)
    expect(grid).not.toMatch(/<script|<img|<f>|<!-- -->/)
  })

  test('are well-formed XML, on one line for each case', async () => {
    const xml = junitReport(await hostile())
    expect(xml).not.toMatch(UNSEEN)
    expect(xml).not.toMatch(/<script|<img|\]\]>/)
    const [head, suite, ...cases] = xml.trimEnd().split('\n')
    expect(head).toBe('<?xml version="1.0" encoding="UTF-8"?>')
    expect(suite).toMatch(/^<testsuite( \w+="[^"<>]*")+>$/)
    expect(cases.pop()).toBe('</testsuite>')
    for (const each of cases)
      expect(each).toMatch(
        /^ {2}<testcase name="[^"<>]*">(<failure message="[^"<>]*"\/>)?<\/testcase>$/,
      )
  })

  test('are text in Markdown: no markup, no row and no line of their own', async () => {
    const made = await hostile()
    const markdown = markdownReport(made)
    expect(markdown).not.toMatch(UNSEEN)
    const plain = markdown.replaceAll(/\\[\\`*_[\]<>|~&#!]/g, '').replaceAll(/`[^`\n]*`/g, '')
    expect(plain).not.toMatch(/[`*<>\\]|\]\(/)
    const lines = markdownReport(await report()).split('\n')
    // Two gates there, one here.
    expect(markdown.split('\n').length).toBe(lines.length - 1)
    const columns = (line: string) => line.replaceAll('\\|', '').split('|').length
    const rows = markdown.split('\n').filter(line => line.startsWith('|'))
    expect(new Set(rows.map(columns)).size).toBe(1)
  })

  test('are unchanged without such signs', async () => {
    const made = { ...(await report()), scenario: 'Zoë’s 👩‍👩‍👧 shop-1', tested: 'retry-more' }
    const of = {
      ...made,
      policies: { 'retry-more': Object.values(made.policies)[0] },
    } as MonteReport
    expect(markdownReport(of)).toContain('## Zoë’s 👩‍👩‍👧 shop-1: ')
    expect(htmlReport(of)).toContain('<h1>Zoë’s 👩‍👩‍👧 shop-1</h1>')
    expect(junitReport(of)).toContain('<testsuite name="Zoë’s 👩‍👩‍👧 shop-1"')
  })
})
