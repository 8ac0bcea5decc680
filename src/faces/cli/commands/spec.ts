/** Commands on a spec alone: nothing is run. */
import { specText } from '../../../adapters/spec/load-spec.ts'
import { drawDot } from '../../../core/graph/draw/dot.ts'
import { drawMermaid } from '../../../core/graph/draw/mermaid.ts'
import { drawText } from '../../../core/graph/draw/text.ts'
import { worstCaseOf } from '../../../core/graph/worst-case/worst-case.ts'
import type { Chart } from '../../../core/graph/chart.ts'
import { lint } from '../../../core/graph/lint/lint.ts'
import { specJsonSchema } from '../../../core/graph/spec/spec.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { loadSpecs, machineOfSource } from '../../../host/load.ts'
import { type App, EXIT } from '../app/app.ts'
import type { Drawing } from '../app/choices.ts'
import { styled } from '../print/layout.ts'
import { lintBlocks } from '../print/tables.ts'
import { type MaxSpent, worstCaseBlocks, excessOf, excessText } from '../print/worst-case.ts'

const DRAWERS: Readonly<Record<Exclude<Drawing, 'spec'>, (chart: Chart) => string>> = {
  text: drawText,
  mermaid: drawMermaid,
  dot: drawDot,
  json: chart => JSON.stringify(chart, undefined, 2),
}

export async function draw(
  app: App,
  file: string,
  { as, set }: { readonly as: Drawing; readonly set: readonly string[] },
): Promise<number> {
  const loaded = await loadSpecs(file, set)
  if (as === 'spec') {
    app.out(specText(loaded.spec))
    return EXIT.goal
  }
  const { chart } = await machineOfSource({
    file: loaded.file,
    spec: loaded.spec,
  } as unknown as Json)
  app.out(`${DRAWERS[as](chart).trimEnd()}\n`)
  return EXIT.goal
}

interface LintOptions {
  readonly json?: boolean
  readonly set: readonly string[]
  readonly max: MaxSpent
}

/** Exit code 2 if there is an error that was not accepted by name, or if more can be spent than `max` allows. */
export async function lintSpec(
  app: App,
  file: string,
  { json, set, max }: LintOptions,
): Promise<number> {
  const loaded = await loadSpecs(file, set)
  const findings = lint(loaded.spec, loaded.recursive)
  const errors = findings.filter(({ severity, accepted }) => severity === 'error' && !accepted)
  const bound = worstCaseOf(loaded)
  const excess = excessOf(bound, max)
  // JSON knows no Infinity: what nothing bounds is null there.
  if (json) app.out(`${JSON.stringify({ file, findings, bound, excess })}\n`)
  else
    app.print([
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
