/** Commands on a spec alone: they run nothing. */
import { specText } from '../../../adapters/spec/load-spec.ts'
import type { Chart } from '../../../core/graph/chart.ts'
import { drawDot } from '../../../core/graph/draw/dot.ts'
import { drawMermaid } from '../../../core/graph/draw/mermaid.ts'
import { drawText } from '../../../core/graph/draw/text.ts'
import { lint } from '../../../core/graph/lint/lint.ts'
import { specJsonSchema } from '../../../core/graph/spec/spec.ts'
import { worstCaseOf } from '../../../core/graph/worst-case/worst-case.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { loadSpecs, machineOfSource } from '../../../host/load.ts'
import { type App, EXIT, type Perform, printResult } from '../app/app.ts'
import { styled } from '../print/layout.ts'
import type { MaxSpent } from '../print/tables.ts'
import { excessOf, excessText, lintBlocks, worstCaseBlocks } from '../print/tables.ts'

type SpecOptions = { json?: boolean; set: readonly string[] }

const DRAWERS = {
  text: drawText,
  mermaid: drawMermaid,
  dot: drawDot,
  json: (chart: Chart) => JSON.stringify(chart, undefined, 2),
}

type DrawOptions = SpecOptions & { readonly as: keyof typeof DRAWERS | 'spec' }

export const draw: Perform<DrawOptions> = async (app, file, { as, json, set }) => {
  const loaded = await loadSpecs(file, set)
  if (as === 'spec' && !json) app.out(specText(loaded.spec))
  else {
    const source = { file: loaded.file, spec: loaded.spec } as unknown as Json
    const { chart } = await machineOfSource(source)
    app.out(`${DRAWERS[json || as === 'spec' ? 'json' : as](chart).trimEnd()}\n`)
  }
  return EXIT.goal
}

/** Exit code 2 if the spec has an error that it does not accept by name, or can spend more than `max` allows. */
export const lintSpec: Perform<SpecOptions & { max: MaxSpent }> = async (app, file, options) => {
  const loaded = await loadSpecs(file, options.set)
  const findings = lint(loaded.spec, loaded.recursive)
  const errors = findings.filter(({ severity, accepted }) => severity === 'error' && !accepted)
  const bound = worstCaseOf(loaded)
  const excess = excessOf(bound, options.max)
  // In JSON, an amount without a bound is null.
  printResult(app, options, { file, findings, bound, excess }, () => [
    ...lintBlocks(file, findings),
    ...worstCaseBlocks(bound),
    ...excess.map(each => [styled(`error bound: ${excessText(each)}`, 'red')]),
  ])
  return errors.length + excess.length > 0 ? EXIT.usage : EXIT.goal
}

export async function schema(app: App): Promise<number> {
  app.out(`${JSON.stringify(specJsonSchema(), undefined, 2)}\n`)
  return EXIT.goal
}
