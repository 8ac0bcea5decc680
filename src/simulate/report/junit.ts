/** The gates of a report as test cases of JUnit. */
import { differenceText } from '../monte/difference.ts'
import { missText } from '../monte/gates.ts'
import type { MonteReport } from '../monte/report.ts'
import { escapeMarkup } from './escape.ts'

export function junitReport(report: MonteReport): string {
  const { scenario, gates, vacuous, nondeterministic, difference } = report
  const where = difference ? `: ${differenceText(difference)}` : ''
  const cases = [
    ...gates.map(result => {
      const is = result.figure === undefined ? '' : `: it is ${missText(result)}`
      return testCase(result.gate, result.holds ? undefined : `the gate does not hold${is}`)
    }),
    ...vacuous.map(text => testCase(`sometimes ${text}`, 'was never true')),
    ...nondeterministic.map((seed, index) =>
      testCase(`seed ${seed} repeats`, `gave two journals${index === 0 ? where : ''}`),
    ),
  ]
  const failures = cases.filter(({ failed }) => failed).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escapeMarkup(scenario)}" tests="${cases.length}" failures="${failures}">`,
    ...cases.map(({ xml }) => xml),
    '</testsuite>',
    '',
  ].join('\n')
}

function testCase(name: string, failure: string | undefined) {
  const inner = failure ? `<failure message="${escapeMarkup(failure)}"/>` : ''
  return {
    failed: failure !== undefined,
    xml: `  <testcase name="${escapeMarkup(name)}">${inner}</testcase>`,
  }
}
