/** Commands after a pause of another length each time: the same answer again, and polls that wait for a change. */
import type { Shape } from './loops.ts'

const PAGE =
  'The gateway has three upstreams with weights and a cache of two hundred megabytes for the pages of the shop.'
const RUN =
  'X main CI  ID 7\nJOBS\nX build in 3s (ID 9)\nFor more information about the job, try: gh run view --job=9'
const SAID = 'The job is still in progress, therefore I wait for a while and then look at it again.'

const LOOPS: readonly (readonly [(n: number) => string, result: string])[] = [
  [n => `sleep ${n} && cat /srv/app.conf`, PAGE],
  [n => `sleep ${n}; cat /srv/app.conf`, PAGE],
  [n => `sleep 0.${n}s\ncat /srv/app.conf`, PAGE],
  [n => `sleep ${n * 5} && gh run view 7`, RUN],
]

const POLLS: readonly (readonly [string, (n: number) => string, (n: number) => string])[] = [
  ['a state', () => 'sleep 60 && docker inspect x', n => `${PAGE} Restarted ${n} times.`],
  [
    'a state, after longer pauses',
    n => `sleep ${n} && docker inspect x`,
    n => `${PAGE} Up ${n} s.`,
  ],
  ['a run', () => 'sleep 30 && gh run watch', n => `${'build: line\n'.repeat(n)}step ${n}`],
  ['one run after the other', n => `sleep 5 && gh run view ${n}`, () => RUN],
  ['nothing', n => `sleep ${n}`, () => ''],
]

export const PAUSED: readonly Shape[] = [
  ...LOOPS.map(([command, result]) => ({
    name: `the same answer to ${JSON.stringify(command(7))}, after another pause each time`,
    lap: (n: number) => ({ tool: 'bash', args: { command: command(n) }, result }),
  })),
  ...POLLS.map(([of, command, result]) => ({
    name: `polls of ${of}, with the same words before each`,
    healthy: true as const,
    lap: (n: number) => ({
      tool: 'bash',
      args: { command: command(n) },
      result: result(n),
      text: SAID,
    }),
  })),
]
