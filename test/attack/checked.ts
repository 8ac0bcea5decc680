/** Checks of one file after the other: linters and tests that find something in each, and checks that find nothing. */
import type { Shape } from './loops.ts'

const FILES = [
  ...['server', 'lib/parse', 'lib/render', 'routes/users', 'routes/orders', 'models/cart'],
  ...['models/invoice', 'util/date', 'util/money', 'jobs/mail', 'jobs/cleanup', 'test/helpers'],
]
const file = (n: number, ending = 'js') => `${FILES[n % 12]}.${ending}`
const line = (n: number) => (n * 7) % 60

type Check = readonly [command: (n: number) => string, output: (n: number) => string]

/** What differs between two files is their name, and often the line. */
const FINDING: Readonly<Record<string, Check>> = {
  ESLint: [
    n => `npx eslint ${file(n)}`,
    n =>
      `\n/repo/${file(n)}\n  ${line(n)}:1  error  Unexpected var, use let or const instead  no-var\n\n✖ 1 problem (1 error, 0 warnings)\n`,
  ],
  Ruff: [
    n => `ruff check ${file(n, 'py')}`,
    n => `${file(n, 'py')}:${line(n)}:8: F401 [*] \`os\` imported but unused\nFound 1 error.`,
  ],
  mypy: [
    n => `mypy ${file(n, 'py')}`,
    n =>
      `${file(n, 'py')}:${line(n)}: error: Skipping analyzing "yaml": library stubs are missing\nFound 1 error in 1 file (checked 1 source file)`,
  ],
  ShellCheck: [
    n => `shellcheck ${file(n, 'sh')}`,
    n =>
      `\nIn ${file(n, 'sh')} line 1:\n#!/bin/sh\n^-- SC2148 (error): The target shell is unknown. Add a shebang.\n`,
  ],
  pytest: [
    n => `pytest -q ${file(n, 'py')}`,
    n =>
      `F   [100%]\n=== FAILURES ===\nE   assert None\nFAILED ${file(n, 'py')}::test_main - assert None\n1 failed in 0.1${n % 10}s`,
  ],
  Jest: [
    n => `npx jest ${file(n)}`,
    n =>
      `FAIL ${file(n)}\n  ● Test suite failed to run\n    Cannot find module 'supertest' from '${file(n)}'\n\nTest Suites: 1 failed, 1 total`,
  ],
  yamllint: [
    n => `yamllint ${file(n, 'yml')}`,
    n => `${file(n, 'yml')}\n  ${line(n)}:81  error  line too long (97 > 80 characters)\n`,
  ],
  javac: [
    n => `javac -d out src/${file(n, 'java')}`,
    n => `src/${file(n, 'java')}:${line(n)}: error: cannot find symbol\n    x;\n    ^`,
  ],
  'g++': [
    n => `g++ -fsyntax-only src/${file(n, 'cpp')}`,
    n => `src/${file(n, 'cpp')}:${line(n)}:8: error: 'foo' was not declared in this scope`,
  ],
  tsc: [
    n => `npx tsc --noEmit ${file(n, 'ts')}`,
    n => `${file(n, 'ts')}(${line(n)},8): error TS2304: Cannot find name 'x'.`,
  ],
  'php -l': [
    n => `php -l ${file(n, 'php')}`,
    n =>
      `PHP Parse error:  syntax error in ${file(n, 'php')} on line ${line(n)}\nErrors parsing ${file(n, 'php')}`,
  ],
  xmllint: [
    n => `xmllint --noout ${file(n, 'xml')}`,
    n => `${file(n, 'xml')}:${line(n)}: parser error : Opening and ending tag mismatch`,
  ],
  markdownlint: [
    n => `npx markdownlint ${file(n, 'md')}`,
    n => `${file(n, 'md')}:1 error MD041/first-line-h1 First line should be a top-level heading`,
  ],
  Pyright: [
    n => `pyright src/${file(n, 'py')}`,
    n =>
      `/w/src/${file(n, 'py')}:${line(n)}:5 - error: Import "foo" could not be resolved\n2 errors, 0 warnings`,
  ],
  oxlint: [
    n => `npx oxlint ${file(n, 'ts')}`,
    n =>
      `  x eslint(no-debugger): not allowed\n   ,-[${file(n, 'ts')}:${line(n)}:1]\nFound 0 warnings and 1 error.`,
  ],
  luacheck: [
    n => `luacheck ${file(n, 'lua')}`,
    n =>
      `Checking ${file(n, 'lua')}   1 error\n    ${file(n, 'lua')}:3:1: expected expression near 'end'`,
  ],
  'perl -c': [
    n => `perl -c ${file(n, 'pl')}`,
    n => `syntax error at ${file(n, 'pl')} line ${line(n)}, near "}"`,
  ],
  'bash -n': [
    n => `bash -n ${file(n, 'sh')}`,
    n => `${file(n, 'sh')}: line ${line(n)}: syntax error near unexpected token`,
  ],
  psql: [
    n => `psql -f ${file(n, 'sql')}`,
    n => `psql:${file(n, 'sql')}:${line(n)}: ERROR:  syntax error at or near "selec"`,
  ],
  flake8: [
    n => `flake8 ${file(n, 'py')}`,
    n => `${file(n, 'py')}:${line(n)}:80: E501 line too long (88 > 79 characters)`,
  ],
  PHPStan: [
    n => `vendor/bin/phpstan analyse ${file(n, 'php')}`,
    n => ` Line   ${file(n, 'php')}\n  3     Undefined variable: $x\n\n [ERROR] Found 1 error`,
  ],
}

const FORMS: readonly (readonly [string, (output: string, command: string) => object])[] = [
  ['a text', output => ({ result: output })],
  ['a record', output => ({ result: { stdout: output, stderr: '', exitCode: 1 } })],
  [
    'an error',
    (output, command) => ({
      error: Object.assign(new Error(`Command failed: ${command}\n${output}`), { code: 1 }),
    }),
  ],
]

const finding = FORMS.flatMap(([form, answer]) =>
  Object.entries(FINDING).flatMap(([name, [command, output]]): Shape[] => [
    {
      name: `${name} for one file after the other, which finds the same in each, as ${form}`,
      healthy: true,
      laps: 12,
      lap: n => ({
        tool: 'bash',
        args: { command: command(n) },
        ...answer(output(n), command(n)),
      }),
    },
    {
      name: `${name} for the same file, with other options, as ${form}`,
      lap: n => ({
        tool: 'bash',
        args: { command: `${command(1)} --max=${n}` },
        ...answer(output(1), command(1)),
      }),
    },
  ]),
)

const NAMES = 'web api cron mail auth cart payments shipping tax docs blog wiki'.split(' ')
const nameOf = (n: number) => NAMES[n % 12] ?? ''

/** Checks that pass, in words of failures that did not happen. */
const PASSING: Readonly<Record<string, Check>> = {
  'helm lint': [
    n => `helm lint charts/${nameOf(n)}`,
    n => `==> Linting charts/${nameOf(n)}\n\n1 chart(s) linted, 0 chart(s) failed`,
  ],
  Newman: [
    n => `newman run ${nameOf(n)}.json`,
    n =>
      `${nameOf(n)}\n┌────────────┬──────────┬────────┐\n│            │ executed │ failed │\n├────────────┼──────────┼────────┤\n│ iterations │        1 │      0 │`,
  ],
  CTest: [
    n => `ctest -R ${nameOf(n)}`,
    n =>
      `1/1 Test #1: ${nameOf(n)} ....   Passed    0.01 sec\n\n100% tests passed, 0 tests failed out of 1`,
  ],
  Checkov: [
    n => `checkov -d ${nameOf(n)} --compact`,
    () => 'terraform scan results:\n\nPassed checks: 12, Failed checks: 0, Skipped checks: 0',
  ],
  gcloud: [
    n => `gcloud run services list --project=${nameOf(n)} --region=x`,
    () => 'Listed 0 items.',
  ],
  restic: [
    n => `restic -r ${nameOf(n)} check`,
    () =>
      'create exclusive lock\nload indexes\ncheck all packs\ncheck snapshots\nno errors were found',
  ],
  Maven: [
    n => `mvn -q -pl ${nameOf(n)} test`,
    () => '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS',
  ],
  qpdf: [
    n => `qpdf --check ${nameOf(n)}.pdf`,
    n =>
      `checking ${nameOf(n)}.pdf\nNo syntax or stream encoding errors found; the file may still contain\nerrors that qpdf cannot detect`,
  ],
  Robocopy: [
    n => `robocopy ${nameOf(n)} d:\\${nameOf(n)}`,
    () =>
      '               Total    Copied   Skipped  Mismatch    FAILED    Extras\n    Dirs :         1         0         1         0         0         0',
  ],
}

const passing = Object.entries(PASSING).map(
  ([name, [command, output]]): Shape => ({
    name: `${name} for one item after the other, which passes`,
    healthy: true,
    laps: 12,
    lap: n => ({ tool: 'bash', args: { command: command(n) }, result: output(n) }),
  }),
)

export const CHECKED: readonly Shape[] = [...finding, ...passing]
