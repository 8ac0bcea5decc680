/** The sections of the reference, in the order of the page: one for each definition that has keys. */

export interface Section {
  readonly definition: string
  readonly title: string
  /** 2 for a part of the spec, 3 for a section below it. */
  readonly level?: 2 | 3
  /** Keys that another section lists. */
  readonly without?: readonly string[]
  /** The only keys that this section lists. */
  readonly only?: readonly string[]
  /** Replaces the description of the definition. */
  readonly intro?: string
}

/** Keys of every working node. */
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
    definition: 'agent',
    title: 'extends: agent',
    only: ['extends', 'instructions', 'model', 'preamble', 'history', 'output', 'review'],
    intro:
      'An agent that plans, acts, observes and checks. `models` is required; all other keys are those of the spec.',
  },
  {
    definition: 'passNode',
    title: 'Nodes',
    only: WORK,
    intro: 'Keys of every working node. The sections below list the keys of each kind.',
  },
  node('passNode', 'use: pass'),
  node('messageNode', 'use: message'),
  node('toolNode', 'use: tool'),
  node('modelNode', 'use: model'),
  node('toolsNode', 'use: tools'),
  node('humanNode', 'use: human'),
  node('graphNode', 'use: graph'),
  node('mapNode', 'use: map'),
  node('verifyNode', 'use: verify'),
  node('customNode', 'use: a custom function'),
  { definition: 'finalNode', title: 'final', level: 3 },
  { definition: 'regionsNode', title: 'Regions' },
  { definition: 'region', title: 'A region', level: 3 },
  { definition: 'channel', title: 'Channels' },
  { definition: 'tool', title: 'Tools' },
  { definition: 'model', title: 'Models' },
  { definition: 'retry', title: 'Retry' },
  { definition: 'breaker', title: 'Breakers' },
  { definition: 'failures', title: 'Failures' },
  { definition: 'failureRule', title: 'Failure rules', level: 3 },
  { definition: 'detect', title: 'Detectors' },
  { definition: 'toolTunings', title: 'Detectors for one tool', level: 3 },
  { definition: 'poll', title: 'Polling', level: 3 },
  { definition: 'limits', title: 'Limits' },
  {
    definition: 'spending',
    title: 'Limits of a round',
    level: 3,
    intro: 'Limits for one message: the keys of `limits.round`.',
  },
  { definition: 'scope', title: 'Scopes', level: 3 },
  { definition: 'escape', title: 'Ways out' },
  { definition: 'rungBudget', title: 'Rung budgets', level: 3 },
  { definition: 'wait', title: 'Waiting for a breaker', level: 3 },
  { definition: 'unattended', title: 'Without a follower', level: 3 },
  { definition: 'rungOrder', title: 'Orders for single problems', level: 3 },
  { definition: 'review', title: 'Review', level: 3 },
  { definition: 'webhook', title: 'Webhooks' },
  { definition: 'mail', title: 'Mail' },
  { definition: 'confirmRule', title: 'Confirm' },
  { definition: 'rounds', title: 'Rounds' },
  { definition: 'parts', title: 'Custom parts' },
]

/** Definitions without keys: the table at the end. */
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
