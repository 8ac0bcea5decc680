/** A check that passes after each new write is not a check that fails alike, whatever words its output has. */
import { expect, test } from 'vitest'
import { seenAt } from '../attack/loops.ts'

const words = 'amber basil cedar dune ember fjord grove heron iris jade'.split(' ')

/** New writes in turn with the same check. */
const seenBeside = (command: string, answer: (output: string) => unknown, output: string) =>
  seenAt(
    {
      name: '',
      laps: 30,
      lap: n =>
        n % 2
          ? {
              tool: 'edit',
              args: { file: `${words[n % 10]}-${n}.ts`, text: `v${n}` },
              result: 'ok',
            }
          : { tool: 'bash', args: { command }, result: answer(output) },
    },
    ['edit'],
  )?.lap

const AS: readonly ((output: string) => unknown)[] = [
  output => output,
  stdout => ({ exitCode: 0, stdout, stderr: '' }),
  output => ({ exit_code: 0, output }),
  output => `Exit code: 0\nWall time: 0.4 seconds\nOutput:\n${output}`,
]

const PASSING: readonly (readonly [command: string, output: string])[] = [
  ['node --test', '✔ parses (0.1ms)\nℹ tests 41\nℹ pass 41\nℹ fail 0\nℹ cancelled 0'],
  ['node --test --test-reporter=tap', 'ok 1 - error is reported\n1..1\n# pass 41\n# fail 0'],
  ['bun test', 'a.test.ts:\n✓ parses [0.1ms]\n\n 41 pass\n 0 fail\n 80 expect() calls'],
  ['python -m unittest', 'Ran 41 tests in 0.003s\n\nOK (skipped=1, expected failures=2)'],
  [
    'npx eslint .',
    '/srv/b.js\n  3:1  warning  Unexpected console statement\n\n✖ 1 problem (0 errors, 1 warning)',
  ],
  ['dbt test', 'Completed with 1 warning:\nDone. PASS=40 WARN=1 ERROR=0 SKIP=0 TOTAL=41'],
  ['Rscript -e "devtools::test()"', '[ FAIL 0 | WARN 2 | SKIP 1 | PASS 41 ]'],
  [
    'pyright',
    'a.py:3:8 - warning: Import "x" could not be resolved\n0 errors, 1 warning, 0 informations',
  ],
  ['npx vitest run', ' Tests  40 passed | 1 expected fail (41)\n Duration  1.2s'],
  [
    'npx vitest run --reporter=verbose',
    ' ✓ rejects an invalid id 3ms\n ✓ fails when denied 2ms\n\n Tests  2 passed (2)',
  ],
  [
    'npx jest --verbose',
    'PASS  src/a.test.js\n  ✓ throws an error on bad input (3 ms)\n\nTests:       2 passed, 2 total',
  ],
  [
    'npx jest',
    '  console.error\n    Error: boom\n      at a (a.js:7:1)\n\nPASS src/a.test.js\nTests:       2 passed, 2 total',
  ],
  [
    'bundle exec rspec',
    'Login\n  fails without a token\n  returns an error\n\n2 examples, 0 failures',
  ],
  [
    'cargo test',
    "test fails_on_invalid ... ok\nthread 'b' panicked at src/a.rs:7:9:\nboom\n\ntest result: ok. 2 passed; 0 failed; 0 ignored",
  ],
  [
    'go test -v ./...',
    '=== RUN   TestInvalid\n    a_test.go:7: error: boom\n--- PASS: TestInvalid (0.00s)\nPASS\nok  \texample.com/a\t0.003s',
  ],
  [
    'mvn test',
    'java.lang.IllegalStateException: closed\n\tat a.B.c(B.java:7)\n[INFO] Tests run: 41, Failures: 0, Errors: 0\n[INFO] BUILD SUCCESS',
  ],
  [
    'pytest -q',
    "a.py:7: DeprecationWarning: invalid escape sequence '\\d'\n19 passed, 1 warning in 1.2s",
  ],
  [
    'npm run build',
    ' ✓ Compiled successfully\nRoute (app)                Size\n○ /_not-found              0 B\n○ /error                   1 kB',
  ],
  [
    'npx vite build',
    'dist/assets/error-Ab12.js  1 kB\ndist/assets/failed-Cd34.js 1 kB\n✓ built in 1.2s',
  ],
]

test.each(PASSING)('%s', (command, output) => {
  for (const answer of AS) expect(seenBeside(command, answer, output)).toBeUndefined()
})

const FAILING: readonly (readonly [command: string, output: string])[] = [
  ['npx vitest run', ' Tests  1 failed | 40 passed (41)'],
  ['node --test', 'ℹ pass 40\nℹ fail 1'],
  ['bun test', ' 40 pass\n 1 fail'],
  ['npx eslint .', '✖ 1 problem (1 error, 0 warnings)'],
  ['python -m unittest', 'Ran 41 tests in 0.003s\n\nFAILED (failures=1, expected failures=2)'],
  ['python -m unittest a', 'Ran 41 tests in 0.003s\n\nFAILED (unexpected failures=1)'],
  ['go test ./...', '--- FAIL: TestInvalid (0.00s)\nFAIL\texample.com/a\t0.003s'],
  ['go test ./x ./y', 'ok  \tx/a\t0.003s\n--- FAIL: TestX (0.00s)\nFAIL\tx/b\t0.002s'],
  ['npm run build', '✓ Compiled successfully\nFailed to compile.\n./p.tsx:3:8\nType error: no'],
  ['npx jest --coverage', 'Tests 41 passed\nERROR: Coverage for lines (79%) does not meet 80%'],
  [
    'mvn verify',
    '[INFO] Tests run: 41, Failures: 0, Errors: 0\n[ERROR] Rule violated\n[INFO] BUILD FAILURE',
  ],
  [
    'pip install x; python a.py',
    "Successfully installed x\nTraceback (most recent call last):\nKeyError: 'price'",
  ],
  ['ansible-playbook a.yml', 'web : ok=3 changed=0 unreachable=1 failed=0'],
  ['mypy . ; pytest', 'a.py:3: error: Incompatible types\n41 passed in 0.2s'],
  ['make deploy', "The command didn't complete successfully: error: quota"],
  ['npx tsc && npx vitest run', 'src/a.ts(3,8): error TS2322: no\n Tests  41 passed (41)'],
]

test.each(FAILING)('the same failure of %s is found: %j', (command, output) => {
  expect(seenBeside(command, text => text, output)).toBe(10)
})

test.each([
  'not ok 1 - totals',
  '# totals\nnot ok 1 - totals',
  'totals\nCommand exited with code 1',
  "KeyError: 'price'",
  'cart\n3 failed',
  'Segmentation fault',
])('a failure in a record is found like one in a text: %j', output => {
  expect(seenBeside('make check', text => text, output)).toBe(10)
  expect(seenBeside('make check', stdout => ({ stdout, stderr: '' }), output)).toBe(10)
  const asRecord = (stdout: string) => ({ exitCode: 0, stdout, stderr: '' })
  expect(seenBeside('make check | tail -9', asRecord, output)).toBe(10)
})

test('an exit code of 0 of the last of several commands hides no counted failure', () => {
  const [, asRecord] = AS
  const answer = asRecord as (output: string) => unknown
  expect(seenBeside('npm test | tail -3', answer, 'Tests  1 failed | 40 passed (41)')).toBe(10)
  expect(seenBeside('npm test\necho done', answer, 'Tests  1 failed | 40 passed')).toBe(10)
  expect(seenBeside('npm test', answer, 'Tests  1 failed | 40 passed (41)')).toBeUndefined()
})
