/** The sections of the reference, in the order of the page: one for each definition that has keys. */

export interface Section {
  readonly definition: string
  readonly title: string
  /** 2 for a part of the spec, 3 for a part of that. */
  readonly level?: 2 | 3
  /** What is said once for several definitions, and left out here. */
  readonly without?: readonly string[]
  /** Nothing but these keys. */
  readonly only?: readonly string[]
  /** A text in place of the description of the definition. */
  readonly intro?: string
}

/** What every node that works may say. */
const WORK = ['in', 'out', 'on', 'when', 'timeout', 'phase', 'detect']

const node = (definition: string, title: string): Section => ({
  definition,
  title,
  level: 3,
  without: WORK,
})

export const SECTIONS: readonly Section[] = [
  { definition: 'spec', title: 'The spec' },
  {
    definition: 'passNode',
    title: 'Nodes',
    only: WORK,
    intro:
      'What every node that works may say. Beside that stands what its kind asks for, in the sections that follow.',
  },
  node('passNode', 'use: pass'),
  node('messageNode', 'use: message'),
  node('toolNode', 'use: tool'),
  node('modelNode', 'use: model'),
  node('toolsNode', 'use: tools'),
  node('humanNode', 'use: human'),
  node('graphNode', 'use: graph'),
  node('mapNode', 'use: map'),
  node('customNode', 'use: a function of your own'),
  { definition: 'finalNode', title: 'final', level: 3 },
  { definition: 'regionsNode', title: 'Regions' },
  { definition: 'region', title: 'A region', level: 3 },
  { definition: 'channel', title: 'Channels' },
  { definition: 'tool', title: 'Tools' },
  { definition: 'model', title: 'Models' },
  { definition: 'retry', title: 'Retry' },
  { definition: 'breaker', title: 'Breakers' },
  { definition: 'failures', title: 'Failures' },
  { definition: 'failureRule', title: 'A rule for failures', level: 3 },
  { definition: 'detect', title: 'Detectors' },
  { definition: 'toolTunings', title: 'Detectors for one tool', level: 3 },
  { definition: 'limits', title: 'Limits' },
  {
    definition: 'spending',
    title: 'Limits of a round',
    level: 3,
    intro: 'What one message may spend: the keys of `limits.round`.',
  },
  { definition: 'scope', title: 'Scopes', level: 3 },
  { definition: 'escape', title: 'Ways out' },
  { definition: 'rungBudget', title: 'The budget of a rung', level: 3 },
  { definition: 'review', title: 'Review', level: 3 },
  { definition: 'webhook', title: 'Webhooks' },
  { definition: 'confirmRule', title: 'Confirm' },
  { definition: 'rounds', title: 'Rounds' },
  { definition: 'parts', title: 'Parts of your own' },
]

/** Definitions without keys, and those that only point at another section: the table at the end. */
export const VALUES = [
  'duration',
  'name',
  'nodeName',
  'module',
  'pattern',
  'value',
  'in',
  'out',
  'on',
  'outcome',
  'node',
  'regionNode',
  'tunings',
  'confirming',
  'notifier',
] as const
