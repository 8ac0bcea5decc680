/** Checks between edits. */
import type { Shape } from './loops.ts'
import { draftOf, type Part } from './outcomes.ts'

const tested = (shown: string, fix: Part, result: Part): Shape => ({
  name: `edits and tests, ${shown}`,
  lap: n =>
    n % 2
      ? { tool: 'edit', args: { path: 'a.ts', ...(fix(n) as object) }, result: { ok: true } }
      : { tool: 'bash', args: { command: 'npm test' }, result: result(n) },
})

const edited = (n: number) => ({ text: draftOf(n) })
const inBlock = (text: string) => ({ content: [{ type: 'text', text }] })
const LOG = 'The order was read and its lines were compared. '.repeat(100)

/** What a check answers that fails alike after each new edit. */
export const FAILING: readonly (readonly [shown: string, result: unknown])[] = [
  ["KeyError: 'price'", "KeyError: 'price'"],
  ['ModuleNotFoundError: …', "ModuleNotFoundError: No module named 'pandas'"],
  ['AssertionError: …', 'AssertionError: assert 4 == 5'],
  ['ZeroDivisionError: …', 'ZeroDivisionError: division by zero'],
  ['ReferenceError: …', 'ReferenceError: x is not defined'],
  [
    'an uncaught error of Node.js',
    '/srv/a.js:1\nconsole.log(x)\n            ^\n\nReferenceError: x is not defined\n    at Object.<anonymous> (/srv/a.js:1:13)\n\nNode.js v24.1.0',
  ],
  ['java.lang.IllegalStateException: …', 'java.lang.IllegalStateException: closed'],
  ['an exception of Ruby', "a.rb:1:in 'main': undefined method 'x' for nil (NoMethodError)"],
  ['a KeyError after output', "Reading prices\n12 rows\nKeyError: 'price'"],
  ['a KeyError after a long log', `${LOG}\nKeyError: 'price'`],
  ['a KeyError in colors', "\u001b[31mKeyError\u001b[0m: 'price'"],
  ['a KeyError in a block of MCP', inBlock("KeyError: 'price'")],
  ['{"output":"KeyError: …"}', { output: "KeyError: 'price'" }],
  ['{"exitCode":1,"stderr":"NameError: …"}', { exitCode: 1, stderr: "NameError: name 'x'" }],
  ['{"exitCode":1,"stderr":""}', { exitCode: 1, stderr: '' }],
  ['{"exit_code":2,"stdout":a long log}', { exit_code: 2, stdout: LOG }],
  ['{"code":1,"stderr":""}', { code: 1, stderr: '', stdout: 'ok so far' }],
  [
    'Command exited with code 1',
    "Command exited with code 1\nModuleNotFoundError: No module named 'pandas'",
  ],
  ['exit status 1 at the end', 'compiling\nlinking\nexit status 1'],
  ['<returncode>1</returncode>', '<returncode>1</returncode>\n<output>\n4\n</output>'],
  ['npm ERR! …', 'npm ERR! missing script: build'],
  ['Segmentation fault (core dumped)', 'Segmentation fault (core dumped)'],
  ["thread 'main' panicked", "thread 'main' panicked at src/main.rs:3:5:\nindex 7"],
  ['not ok 1', 'TAP version 14\nnot ok 1 - adds'],
  ['{"passed":false}', { passed: false }],
  ['{"valid":false}', { valid: false }],
  ['{"valid":false,"errors":[…]}', { valid: false, errors: [{ path: 'title' }] }],
  ['{"result":{"passed":false}}', { result: { passed: false } }],
]

/** What a check answers that has nothing to complain about, or no more than before. */
const PASSING: readonly (readonly [shown: string, result: unknown])[] = [
  ['{"passed":true}', { passed: true }],
  ['{"exitCode":0}', { exitCode: 0, stderr: '', stdout: 'built' }],
  ['{"valid":true,"errors":[]}', { valid: true, errors: [] }],
  ['exit code: 0', 'exit code: 0'],
  ['tests that pass and print an exception', "ValueError: 'x'\n\n41 passed in 3 files"],
  [
    'an exit code of 0 and an exception in the output',
    { exit_code: 0, stdout: "KeyError: 'price' was caught", stderr: '' },
  ],
  ['a list of files', 'KeyError.md\nsrc\ntest'],
  ['code that handles exceptions', 'try:\n    read()\nexcept KeyError:\n    pass'],
  ['"Already formatted, 0 changes"', '0 changes made'],
  ['{"done":false}', { done: false }],
  ['{"saved":false}', { saved: false, pending: 3 }],
  ['directions', 'Take exit 3 towards the harbor.'],
]

const searched = (shown: string, result: unknown): Shape => ({
  name: `edits, and a search for the old name, answered by ${shown}`,
  healthy: true,
  lap: n =>
    n % 2
      ? { tool: 'edit', args: { path: 'a.ts', ...edited(n) }, result: { ok: true } }
      : { tool: 'bash', args: { command: 'grep -rn oldName src' }, result },
})

/** A check between edits that change nothing of it, or that are the same. */
export const TESTED: readonly Shape[] = [
  tested(
    'new edits, answered by "3 failed, 38 passed"',
    n => ({ text: draftOf(n) }),
    () => 'Tests: 3 failed, 38 passed, 41 total',
  ),
  tested(
    'the same edit, answered by "41 passed"',
    () => ({ text: draftOf(1) }),
    () => 'Tests: 41 passed, 41 total',
  ),
  tested(
    'three edits in turn, answered by "41 passed"',
    n => ({ text: draftOf(n % 3) }),
    () => 'Tests: 41 passed, 41 total',
  ),
  ...FAILING.map(([shown, result]) =>
    tested(`new edits, answered by ${shown}`, edited, () => result),
  ),
  ...PASSING.map(([shown, result]) => ({
    ...tested(`new edits, answered by ${shown}`, edited, () => result),
    healthy: true as const,
  })),
  searched('{"exit_code":1}', { exit_code: 1, stdout: '', stderr: '' }),
  searched('nothing', ''),
]
