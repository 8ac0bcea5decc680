/** Lint: people who are asked, and whom no notifier tells. */
import type { Remark } from './finding.ts'
import type { Flow } from './flow.ts'
import { smarterModel } from '../spec/spec.ts'

export function reviewWithoutNotifier({ spec: { escape, notify = [] } }: Flow): Remark[] {
  const { to, escalate = [] } = escape.review ?? {}
  const asked = [
    ...(to === undefined ? [] : [['escape.review.to', to] as const]),
    ...escalate.map((step, index) => [`escape.review.escalate[${index}].to`, step.to] as const),
  ]
  if (
    asked.length === 0 ||
    notify.some(notifier => notifier === 'log' || notifier.to === undefined)
  )
    return []
  const served = new Set(
    notify.flatMap(notifier => (notifier === 'log' ? [] : (notifier.to ?? []))),
  )
  return asked.flatMap(([path, name]) =>
    served.has(name)
      ? []
      : [
          {
            rule: 'told-to-nobody',
            severity: 'warning',
            path,
            message: `no notifier serves '${name}', who would not hear of the question: name it in the \`to\` of one, or add \`log\``,
          },
        ],
  )
}

/** Thinking again with the same model is thinking the same again: the rung would be passed over without a word. */
export function smarterIsTheSame({ spec }: Flow): Remark[] {
  return Object.entries(spec.models)
    .filter(
      ([name, { smarter }]) => smarter !== undefined && smarterModel(spec, name) === undefined,
    )
    .map(([name, { smarter }]) => ({
      rule: 'smarter-is-the-same',
      severity: 'warning',
      path: `models.${name}.smarter`,
      message: `'${smarter}' is the same model behind the same endpoint: nothing is thought again; name another one, or take it out`,
    }))
}
