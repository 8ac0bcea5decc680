/** A shell that is declared as a write, and asks: predicates, searches and checkers. And answers that are labels, or that say that nothing is left. */
import type { Shape } from './loops.ts'
import { draftOf } from './outcomes.ts'

export const ASKING_WRITES: readonly string[] = ['write_shell', 'put_record']

const NAMES =
  'apple river copper lantern meadow violet harbor cedar falcon granite saffron willow ember tundra'.split(
    ' ',
  )
const nameOf = (n: number) => NAMES[n % NAMES.length] ?? ''

type Command = readonly [command: string, code: number, output?: string]

/** `$`: another name each time. */
const QUESTIONS: readonly Command[] = [
  ['diff -q a/$ b/$', 1, 'Files a/$ and b/$ differ'],
  ['cmp a/$ b/$', 1, 'a/$ b/$ differ: byte 7, line 1'],
  ['grep -rn $Helper src', 1],
  ['grep -rn "$;x|y" src | head -5', 1],
  ['cd $ && git diff --quiet', 1],
  ['git diff --no-index --stat a/$ b/$', 1, ' {a => b}/$ | 2 +-'],
  ['git -C $ grep -c TODO', 1],
  ['test -e $ && echo yes', 1],
  ['make clean; [ -f $ ]', 1],
  ['bash -lc "command -v $"', 127],
  ['which $', 1],
  ['pgrep -f $', 1],
  ['systemctl is-active $', 3, 'inactive'],
  ['rpm -q $', 1, 'package $ is not installed'],
  ['npx prettier --check $.ts', 1, 'Checking formatting...\n[warn] $.ts'],
  ['black --check $.py', 1, 'would reformat $.py\n\nOh no! 1 file would be reformatted.'],
  ['node --check $.js', 1, '/src/$.js:3\nSyntaxError: let is disallowed'],
  ['cargo fmt --check -p $', 1, 'Diff in /src/$/lib.rs:3:\n-a\n+b'],
  ['npm audit --prefix $', 1, '3 high severity vulnerabilities'],
]

const FAILURES: readonly Command[] = [
  ['cp $ b', 1],
  ['make -C $ build', 2],
  ['test -e $ && make $', 1],
  ['diff -q a/$ b/$; rm a/$', 1],
  ['npx prettier --write $.ts', 2],
  ['for f in $; do diff -q $f b; done; ./deploy', 1],
]

const FORMS: readonly (readonly [string, (output: string, code: number) => unknown])[] = [
  ['a record', (stdout, exitCode) => ({ stdout, stderr: '', exitCode })],
  ['a text', (output, code) => `${output}\nExit code: ${code}`.trim()],
]

const commands = (list: readonly Command[], healthy: boolean): readonly Shape[] =>
  list.flatMap(([command, code, output = '']) =>
    FORMS.map(([form, result]): Shape => {
      const of = (text: string, n: number) => text.replaceAll('$', nameOf(n))
      return {
        name: `${command} in a shell that is declared as a write, with exit code ${code}, as ${form}`,
        ...(healthy && { healthy: true, laps: NAMES.length }),
        lap: n => ({
          tool: 'write_shell',
          args: { command: of(command, n) },
          result: result(of(output, n), code),
        }),
      }
    }),
  )

/** A question that was not answered. */
export const UNANSWERED: Shape = {
  name: 'grep of one missing file after the other in a shell that is declared as a write',
  lap: n => ({
    tool: 'write_shell',
    args: { command: `grep -q x /srv/${nameOf(n)}` },
    result: {
      stdout: '',
      stderr: `grep: /srv/${nameOf(n)}: No such file or directory`,
      exitCode: 2,
    },
  }),
}

/** Commands that find nothing wrong, or have nothing to do. */
const NOTHING_LEFT: readonly (readonly [command: string, output: string])[] = [
  ['mypy $.py', 'Success: no issues found in 1 source file'],
  ['terraform -chdir=$ plan', 'No changes. Your infrastructure matches the configuration.'],
  ['python manage.py makemigrations $', "No changes detected in app '$'"],
  ['make -C $', "make: Nothing to be done for 'all'."],
  ['./check $', 'No conflicts detected.'],
  ['dotnet tool update $', 'No updates are available.'],
]

const nothingLeft = NOTHING_LEFT.map(([command, output]): Shape => {
  const of = (text: string, n: number) => text.replaceAll('$', nameOf(n))
  return {
    name: `${command}, which has nothing to report: ${output}`,
    healthy: true,
    laps: NAMES.length,
    lap: n => ({
      tool: 'write_shell',
      args: { command: of(command, n) },
      result: of(output, n),
    }),
  }
})

const LABELS: readonly (readonly [string, (label: string, n: number) => unknown])[] = [
  ['"error"', label => label],
  ['{"level":"error"}', level => ({ level })],
  ['{"severity":"error"}', severity => ({ severity })],
  ['{"level":"error","confidence":0.9}', (level, n) => ({ level, confidence: 0.5 + (n % 9) / 20 })],
]
const LABEL = ['error', 'info', 'error', 'error', 'warning']

const labeled = LABELS.map(
  ([shown, result]): Shape => ({
    name: `lines of a log sorted by their level: ${shown}`,
    healthy: true,
    laps: 20,
    lap: n => ({
      tool: 'classify_log',
      args: { line: draftOf(n) },
      result: result(LABEL[n % LABEL.length] ?? '', n),
    }),
  }),
)

const REFUSAL = '{"ok":false,"error":"Permission denied"}'
const ENVELOPES: readonly (readonly [string, unknown])[] = [
  ['{"status":200,"json":…}', { status: 200, json: JSON.parse(REFUSAL) as unknown }],
  ['{"status":200,"text":"…"}', { status: 200, text: REFUSAL }],
  ['HTTP', `HTTP/2 200\r\ncontent-type: application/json\r\n\r\n${REFUSAL}`],
  ['Status and Body', `Status: 200\nBody: ${REFUSAL}`],
  ['<tool_result>', `<tool_result>${REFUSAL}</tool_result>`],
  ['a label and a fence', `Response:\n\`\`\`json\n${REFUSAL}\n\`\`\``],
  [
    'a resource of MCP',
    { content: [{ type: 'resource', resource: { uri: 'x://r', text: REFUSAL } }] },
  ],
  ['SSE', `event: result\ndata: ${REFUSAL}\n\n`],
  ['a log', `Connecting\nSending\n${REFUSAL}`],
]

export const ENVELOPED = ENVELOPES.map(
  ([shown, result]): Shape => ({
    name: `a write with new arguments, refused in ${shown}`,
    lap: n => ({ tool: 'put_record', args: { record: 'r9', note: draftOf(n) }, result }),
  }),
)

export const FAILED_SHELLS: readonly Shape[] = commands(FAILURES, false)

export const ASKED: readonly Shape[] = [
  ...commands(QUESTIONS, true),
  ...FAILED_SHELLS,
  UNANSWERED,
  ...nothingLeft,
  ...labeled,
  ...ENVELOPED,
]
