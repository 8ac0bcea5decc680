/** One file after the other is searched for one name. Each is a result, also without a match. */
import type { Shape } from './loops.ts'

const NAMES = [
  ...['alpha', 'river', 'stone', 'cloud', 'tower', 'green', 'night', 'seven', 'paper', 'glass'],
  ...['amber', 'birch', 'cedar', 'delta', 'ember', 'flint', 'grove', 'haven', 'inlet', 'joker'],
]
const name = (n: number) => NAMES[n % NAMES.length] ?? ''

const shell = (n: number, program: (file: string) => string, result: unknown) => ({
  tool: 'bash',
  args: { command: program(`src/${name(n)}.ts`) },
  result,
})

type Survey = readonly [shown: string, lap: (n: number) => ReturnType<Shape['lap']>]

const SURVEYED: readonly Survey[] = [
  ['grep -c, answered by 3', n => shell(n, file => `grep -c import ${file}`, '3')],
  ['grep -c, answered by 0', n => shell(n, file => `grep -c TODO ${file}`, '0\n')],
  [
    'grep -c, answered by exit code 1 and 0',
    n => shell(n, file => `grep -c TODO ${file}`, { exitCode: 1, stdout: '0\n', stderr: '' }),
  ],
  ['grep -c in quotes', n => shell(n, file => `grep -c "from legacy" "${file}"`, '0')],
  ['grep -n, answered by nothing', n => shell(n, file => `grep -n TODO ${file}`, '')],
  [
    'grep -n with its errors left out',
    n => shell(n, file => `grep -n TODO ${file} 2>/dev/null`, ''),
  ],
  ['rg -c, answered by nothing', n => shell(n, file => `rg -c TODO ${file}`, '')],
  ['rg in a pipe', n => shell(n, file => `rg TODO ${file} | wc -l`, '0')],
  ['wc -l, answered by 3', n => shell(n, file => `wc -l < ${file}`, '3')],
  [
    'a tool that greps',
    n => ({
      tool: 'grep',
      args: { pattern: 'TODO', path: `src/${name(n)}.ts` },
      result: 'No matches found',
    }),
  ],
  [
    'Grep, which counts',
    n => ({
      tool: 'Grep',
      args: { pattern: 'TODO', path: `src/${name(n)}.ts`, output_mode: 'count' },
      result: 'No matches found\n\nFound 0 total occurrences across 0 files.',
    }),
  ],
]

/** The file is an option of the search, or another command reads it. */
const ELSEWHERE: readonly Survey[] = [
  ['cat in a pipe', n => shell(n, file => `cat ${file} | grep TODO`, '')],
  ['tail in a pipe', n => shell(n, file => `tail -n 500 ${file} | grep TODO`, '')],
  [
    'zcat in a pipe',
    n => ({ tool: 'bash', args: { command: `zcat app.log.${n}.gz | grep ERROR` }, result: '' }),
  ],
  [
    'Grep with a glob',
    n => ({
      tool: 'Grep',
      args: { pattern: 'TODO', path: 'src', glob: `${name(n)}.ts` },
      result: 'No matches found',
    }),
  ],
  [
    'grep_search with includePattern',
    n => ({
      tool: 'grep_search',
      args: { query: 'TODO', includePattern: `src/part${n}.ts` },
      result: { matches: [] },
    }),
  ],
]

const NUMBERED: readonly (readonly [shown: string, file: (n: number) => string])[] = [
  ['src/part7.ts', n => `src/part${n}.ts`],
  ['app.log.7', n => `app.log.${n}`],
  ['app-2026-05-07.log', n => `app-2026-05-${10 + n}.log`],
]

/** A file that does not exist has another answer, so these are not guesses. */
const OF_NUMBERED: readonly Survey[] = NUMBERED.flatMap(([shown, file]): readonly Survey[] => [
  [
    `grep -c in ${shown}`,
    n => ({ tool: 'bash', args: { command: `grep -c TODO ${file(n)}` }, result: '0' }),
  ],
  [
    `grep -n in ${shown}`,
    n => ({ tool: 'bash', args: { command: `grep -n "TODO" ${file(n)}` }, result: '' }),
  ],
  [
    `a tool that greps ${shown}`,
    n => ({
      tool: 'grep',
      args: { pattern: 'TODO', path: file(n) },
      result: { matches: [], files: 1 },
    }),
  ],
])

const FOLDERS = ['src', 'lib', 'app', '.', 'packages', 'test']
const SPELLINGS = ['handleLogin', 'handle_login', 'handlelogin']

/** The name is not there, wherever the agent looks. */
const SOUGHT: readonly Survey[] = [
  [
    'one name in one folder after the other',
    n => ({
      tool: 'bash',
      args: { command: `grep -rn handleLogin ${FOLDERS[n % 6]}` },
      result: '',
    }),
  ],
  [
    'one name in one file, with other options',
    n => shell(1, file => `grep -${['n', 'i', 'w', 'nw', 'ni'][n % 5]} handleLogin ${file}`, ''),
  ],
  [
    'spellings of one name in one file',
    n => shell(1, file => `grep -n ${SPELLINGS[n % 3]} ${file}`, ''),
  ],
]

export const SURVEYS: readonly Shape[] = [
  ...[...SURVEYED, ...ELSEWHERE, ...OF_NUMBERED].map(([shown, lap]) => ({
    name: `one file after the other is searched: ${shown}`,
    healthy: true as const,
    laps: NAMES.length,
    lap,
  })),
  ...SOUGHT.map(([shown, lap]) => ({ name: `a search without end: ${shown}`, lap })),
]
