/** Commands without output, in the lines and records that coding agents put around them, and what Node.js measures in tests. */
import type { Shape } from './loops.ts'
import { PROGRAMS } from './programs.ts'

const WORDS = 'apple river stone cloud maple tiger piano lemon rocket silver candle forest'.split(
  ' ',
)
const file = (n: number) => `src/${WORDS[n % 12]}${WORDS[(n * 5 + 3) % 12]}.ts`

const gemini = (command: string, n: number, output = '(empty)') =>
  [
    ...[`Command: ${command}`, 'Directory: (root)', `Output: ${output}`, 'Error: (none)'],
    ...['Exit Code: 0', 'Signal: (none)', 'Background PIDs: (none)'],
    `Process Group PGID: ${4_000 + n * 17}`,
  ].join('\n')

const SILENT: readonly (readonly [string, (command: string, n: number) => unknown])[] = [
  ['Gemini CLI', gemini],
  ['SWE-agent', () => 'Your command ran successfully and did not produce any output.'],
  [
    'OpenHands',
    () =>
      '[The command completed with exit code 0.]\n[Current working directory: /workspace]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 0]',
  ],
  ['Codex', (_, n) => `Exit code: 0\nWall time: 0.${n % 9} seconds\nOutput:\n`],
  ['Codex, in JSON', () => ({ output: '', metadata: { exit_code: 0, duration_seconds: 0.1 } })],
  ['Cline', () => 'Command executed.'],
  [
    'Roo Code',
    () => "Command executed in terminal  within working directory '/app'. Exit code: 0\nOutput:\n",
  ],
  [
    'Cursor',
    () =>
      'Exit code: 0\n\nCommand output:\n\n```\n\n```\n\nCommand completed.\n\nThe previous shell command ended, so on the next invocation of this tool, you will be reusing the shell.',
  ],
  ['Claude', () => '(Bash completed with no output)'],
  ['Copilot', () => '\n<exited with exit code 0>'],
  ['a record', () => ({ stdout: '', stderr: '', exit_code: 0, interrupted: false })],
]

/** Six signs, as the system draws them. */
const drawn = (n: number) => `Q${'aBcDeFgH'[n % 8]}x${'KLmnOPqr'[(n * 3) % 8]}${n % 10}z`

const MEASURED: readonly (readonly [string, (n: number) => string])[] = [
  ['ℹ duration_ms', n => `ℹ pass 4\nℹ fail 1\nℹ duration_ms ${40 + n * 1.37}`],
  ['# duration_ms of TAP', n => `# pass 4\n# fail 1\n# duration_ms ${40 + n * 1.37}`],
  ['times of XCTest', n => `Executed 3 tests, with 1 failure in ${n}.012 (${n}.014) seconds`],
  ['the timer of SQLite', n => `3\nRun Time: real ${n}.001 user 0.00${n}1 sys ${n}.01`],
  ['the times of zsh', n => `3\n./run.sh  0.0${n}s user 0.01s system ${n}% cpu 0.0${n} total`],
  ['elapsed_ms', n => `price is 3\nelapsed_ms ${n}.3`],
  ['the times of ab', n => `Time per request:       ${n}.1 [ms] (mean)`],
  ['the times of ping', n => `rtt min/avg/max/mdev = ${n}.1/${n}.2/${n}.3/0.0${n} ms`],
  [
    'a request id of GitHub',
    n => `Forbidden for now. Include the request ID C0DE:${n}A2B3C:${n}7D8E9F in your message.`,
  ],
  [
    'the process id of Node.js',
    n => `(node:${1_000 + n * 137}) Warning: module type\nTypeError: x is not a function`,
  ],
  [
    'the process id of Gunicorn',
    n => `[2026-11-29 09:12:${10 + n} +0000] [${100 + n * 7}] [ERROR] Connection in use: x`,
  ],
  [
    'process ids of systemd',
    n =>
      `Active: failed\n  Process: ${100 + n * 7} ExecStart=/usr/bin/x (status=1)\n Main PID: ${1_100 + n * 7} (status=1)`,
  ],
  [
    'the seconds of BuildKit',
    n => `#5 0.${300 + n * 7} npm error code EUSAGE\n#5 ERROR: process "npm ci": exit code: 1`,
  ],
  [
    'the folder of pytest',
    n => `E   FileNotFoundError: '/tmp/pytest-of-root/pytest-${n}/test_a0/x.txt'\n1 failed`,
  ],
  [
    'a folder of mkdtemp',
    n =>
      `browserType.launch: failed\n  --user-data-dir=/tmp/playwright_chromiumdev_profile-${drawn(n)} about:blank\n1 failed`,
  ],
  ['a file of mktemp', n => `cannot read /tmp/build-${drawn(n)}.log: no display\n1 failed`],
  ['the speed of pip', n => `384.9/384.9 kB ${n}.3 MB/s eta 0:00:00\nerror: pg_config is missing`],
  [
    'the meter of curl',
    n =>
      `100  1256  100  1256    0     0  ${12_345 + n * 71}      0 --:--:-- --:--:-- --:--:-- ${12_560 + n * 7}\n{"items":[]}`,
  ],
  [
    'a task of asyncio',
    n => `future: <Task finished name='Task-${n + 3}' exception=ValueError('bad')>`,
  ],
  ['the memory of Maven', n => `[INFO] BUILD FAILURE\n[INFO] Final Memory: ${10 + n}M/${240 + n}M`],
  [
    'a thread of glog',
    n =>
      `E1129 14:18:${10 + n}.${100_000 + n * 777} ${12_000 + n * 31} main.cc:42] Cannot open x.conf`,
  ],
  [
    'a connection of nginx',
    n => `2026/11/29 14:18:${10 + n} [error] 31#31: *${100 + n * 3} connect() failed (111)`,
  ],
  [
    'the version of a list of Kubernetes',
    n => `{"kind":"PodList","metadata":{"resourceVersion":"${839_201 + n * 37}"},"items":[]}`,
  ],
  [
    'the tokens of a form',
    n =>
      `<meta name="csrf-token" content="a${n}-b${n * 7}-c=="><form><input name="user"><input name="csrfmiddlewaretoken" value="d${n}-e"></form>`,
  ],
  [
    'cookies',
    n => `HTTP/2 403\nset-cookie: __cf_bm=a${n}-b${n * 7}; path=/\ncontent-type: text/html`,
  ],
  ['a process of syslog', n => `Nov 29 14:18:10 web app[${900 + n * 7}]: cannot bind to port 80`],
  [
    'a process of Postgres',
    n => `2026-11-29 14:18:10.123 UTC [${900 + n * 7}] FATAL:  database "x" does not exist`,
  ],
  ['a process of Python', n => `2026-11-29 14:18:10,123 ${900 + n * 7} ERROR cannot open x.conf`],
  ['a process group of Gemini CLI', n => gemini('npm test', n, '4 passed, 1 failed')],
  ...PROGRAMS,
]

/** Records without output that say that the command failed. */
const FAILED: readonly object[] = [
  { output: '', success: false },
  { ok: false, stdout: '' },
  { stdout: '', stderr: '', exit_code: 1 },
]

export const FAILED_COMMANDS: readonly Shape[] = FAILED.map(result => ({
  name: `a declared write that fails without output: ${JSON.stringify(result)}`,
  lap: n => ({ tool: 'save', args: { text: file(n) }, result }),
}))

export const SILENT_COMMANDS: readonly Shape[] = [
  ...SILENT.flatMap(([shown, answer]) =>
    ['npx prettier --write', "sed -i 's/a/b/g'"].map(program => ({
      name: `${program} for one file after the other, without output, as ${shown} shows it`,
      healthy: true as const,
      laps: 12,
      lap: (n: number) => {
        const command = `${program} ${file(n)}`
        return { tool: 'bash', args: { command }, result: answer(command, n) }
      },
    })),
  ),
  ...MEASURED.map(([shown, answer]) => ({
    name: `the same tests, with ${shown}`,
    lap: (n: number) => ({ tool: 'bash', args: { command: 'npm test' }, result: answer(n) }),
  })),
]
