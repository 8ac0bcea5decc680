/** Outcomes of calls: work whose result is a denial or a number of failures, and loops of the same outcome. */
import type { Shape } from './loops.ts'

/** The tools among these that change external systems. */
export const OUTCOME_WRITES: readonly string[] = [
  ...['deny_request', 'decide_claim', 'mark_failed', 'block_ip', 'reject_comment', 'moderate'],
  ...['revoke_access', 'reopen', 'abort_upload', 'refuse_delivery', 'run_suite', 'shell', 'update'],
  ...['retry_failed', 'validate_form'],
]

const WORDS = 'amber basil cedar dune ember fjord grove heron iris jade kelp lotus'.split(' ')
const word = (n: number) => WORDS[n % 12] ?? ''
/** Another item in each lap, and another reason. */
const idOf = (n: number) => 1_000 + n * 37
const reasonOf = (n: number) => `${word(n)} ${word(n * 5 + 1)} ${word(n * 7 + 3)} is missing`
export const draftOf = (n: number) =>
  `${word(n)} and ${word(n * 7 + 3)} beside ${word(n * 5)}, the draft ${n}`

type Lap = ReturnType<Shape['lap']>
export type Part = (n: number) => unknown

const healthy = (name: string, tool: string, args: Part, result: Part): Shape => ({
  name,
  healthy: true,
  lap: n => ({ tool, args: args(n), result: result(n) }),
})
const loop = (name: string, tool: string, args: Part, result: Part): Shape => ({
  name,
  lap: n => ({ tool, args: args(n), result: result(n) }),
})

const FAILING = 24

/** An edit mends one of 24 failures, and a test counts them. */
const mending = (shown: string, tool: string, answer: (failed: number) => Partial<Lap>): Shape => ({
  name: `edit and test, one failure less each time: ${shown}`,
  healthy: true,
  laps: 2 * FAILING - 1,
  lap: n =>
    n % 2
      ? {
          tool: 'edit',
          args: { file: `${word(n)}.ts`, old: word(n * 7), new: `${n}` },
          result: 'ok',
        }
      : { tool, args: {}, ...answer(FAILING - n / 2) },
})

const counted = (failed: number) => ({ status: 'failed', failed, passed: 30 - failed })

/** Where a tool puts the report of a program. */
const REPORTED: readonly (readonly [string, (report: string) => unknown])[] = [
  ['{"stdout":"…","exitCode":1}', report => ({ stdout: report, stderr: '', exitCode: 1 })],
  ['{"output":"…"}', report => ({ output: report })],
  [
    'a block of MCP with "isError"',
    report => ({ content: [{ type: 'text', text: report }], isError: true }),
  ],
]

export const PROGRESS: readonly Shape[] = [
  mending('{"status":"failed","failed":n}', 'run_tests', failed => ({ result: counted(failed) })),
  mending('{"status":"failed","failed":n} of a write', 'run_suite', failed => ({
    result: counted(failed),
  })),
  mending('{"success":false,"failed":n}', 'run_tests', failed => ({
    result: { success: false, failed },
  })),
  mending('{"success":false,"failed":n} of a write', 'run_suite', failed => ({
    result: { success: false, failed },
  })),
  ...REPORTED.map(([shown, answer]) =>
    mending(`{"failed":n} as a text in ${shown}`, 'run_tests', failed => ({
      result: answer(JSON.stringify(counted(failed))),
    })),
  ),
  mending('an error that counts them', 'run_tests', failed => ({
    error: new Error(`Tests: ${failed} failed, ${30 - failed} passed`),
  })),
]

const item = (n: number) => ({ id: idOf(n), reason: reasonOf(n) })
const url = (n: number) => `https://old.example/${word(n)}/${word(n * 5 + 2)}-${n}`
const file = (n: number) => `${word(n)}${n}.csv`
const problem = (n: number) => ({ row: n, text: `${word(n * 7)} is not ${word(n * 5 + 1)}` })

export const DENIALS: readonly Shape[] = [
  healthy(
    'requests denied: {"request":n,"state":"denied"}',
    'deny_request',
    n => ({ request: idOf(n), reason: reasonOf(n) }),
    n => ({ request: idOf(n), state: 'denied' }),
  ),
  healthy(
    'claims decided: {"claim":n,"outcome":"denied"}',
    'decide_claim',
    n => ({ claim: idOf(n), about: reasonOf(n), decision: 'deny' }),
    n => ({ claim: idOf(n), outcome: 'denied', letter_sent: true }),
  ),
  healthy(
    'jobs marked: {"id":n,"status":"failed"}',
    'mark_failed',
    n => ({ id: idOf(n), note: reasonOf(n) }),
    n => ({ id: idOf(n), status: 'failed' }),
  ),
  healthy(
    'addresses blocked: "Access denied for …"',
    'block_ip',
    n => ({ ip: `10.0.3.${n}` }),
    n => `Access denied for 10.0.3.${n}`,
  ),
  ...(
    [
      ['approvalStatus', 'rejected'],
      ['approvalState', 'Denied'],
      ['responseStatus', 'declined'],
    ] as const
  ).map(([field, outcome]) =>
    healthy(
      `requests denied: {"${field}":"${outcome}"}`,
      'deny_request',
      n => ({ request: idOf(n), reason: reasonOf(n) }),
      () => ({ [field]: outcome }),
    ),
  ),
  healthy('comments rejected: {"id":n,"status":"rejected"}', 'reject_comment', item, n => ({
    id: idOf(n),
    status: 'rejected',
  })),
  healthy('comments rejected: {"status":"rejected"}', 'reject_comment', item, () => ({
    status: 'rejected',
  })),
  healthy(
    'deliveries refused: "Delivery refused."',
    'refuse_delivery',
    item,
    () => 'Delivery refused.',
  ),
  healthy(
    'comments moderated: {"id":n,"status":"rejected"} or "approved"',
    'moderate',
    item,
    n => ({ id: idOf(n), status: n % 3 ? 'rejected' : 'approved' }),
  ),
  {
    name: 'payments declined: an error with {"order":n,"status":"declined"}',
    healthy: true,
    lap: n => ({
      tool: 'charge',
      args: { order: idOf(n) },
      error: new Error(JSON.stringify({ order: idOf(n), status: 'declined' })),
    }),
  },
  healthy('accesses revoked: {"allowed":false}', 'revoke_access', item, () => ({ allowed: false })),
  healthy('tasks reopened: {"completed":false}', 'reopen', item, () => ({ completed: false })),
  healthy(
    'uploads aborted: {"upload":n,"status":"aborted"}',
    'abort_upload',
    n => ({ upload: idOf(n) }),
    n => ({ upload: idOf(n), status: 'aborted' }),
  ),
  healthy(
    'links checked: {"url":…,"status":404}',
    'head',
    n => ({ url: url(n) }),
    n => ({ url: url(n), status: 404 }),
  ),
  healthy(
    'links checked: {"url":…,"status":404} or 200',
    'head',
    n => ({ url: url(n) }),
    n => ({ url: url(n), status: n % 3 ? 404 : 200 }),
  ),
  healthy(
    'files validated: {"ok":false} and their problems',
    'validate_file',
    n => ({ file: file(n) }),
    n => ({ file: file(n), ok: false, problems: [problem(n)] }),
  ),
  healthy(
    'files validated: {"ok":false}',
    'validate_file',
    n => ({ file: file(n) }),
    () => ({ ok: false }),
  ),
  healthy(
    'files linted: {"success":false,"messages":[…]}',
    'lint',
    n => ({ file: file(n) }),
    n => ({ success: false, messages: [problem(n)] }),
  ),
  healthy(
    'forms validated by a write: {"valid":false,"issues":[…]}',
    'validate_form',
    n => ({ text: draftOf(n) }),
    () => ({ valid: false, issues: [{ path: 'title' }] }),
  ),
  healthy(
    'commands of a shell with output: {"exit_code":1}',
    'shell',
    n => ({ command: `diff old/${file(n)} new/${file(n)}` }),
    n => ({ stdout: `< ${draftOf(n)}\n> ${draftOf(n * 5 + 1)}`, stderr: '', exit_code: 1 }),
  ),
  healthy(
    'pages proofread: {"page":n,"issues":[]}',
    'proofread',
    n => ({ page: n }),
    n => ({ page: n, issues: [] }),
  ),
  healthy(
    'pages proofread: "Page n: no errors"',
    'proofread',
    n => ({ page: n }),
    n => `Page ${n}: no errors`,
  ),
]

/** The check itself has failed, whatever it was about. */
const CHECKS_FAILED = [
  'Error: the service is down',
  'Invalid API key',
  'File not found',
  'Unknown argument: handle',
  'Could not connect: unknown host',
]

/** The same outcome of the same item, or of what the call does not intend. */
export const REFUSED: readonly Shape[] = [
  loop(
    'one record updated with new texts: {"id":7,"status":"failed"}',
    'update',
    n => ({ id: 7, text: draftOf(n) }),
    () => ({ id: 7, status: 'failed' }),
  ),
  {
    name: 'one order charged with new texts: an error with {"order":7,"status":"declined"}',
    lap: n => ({
      tool: 'charge',
      args: { order: 7, text: draftOf(n) },
      error: new Error(JSON.stringify({ order: 7, status: 'declined' })),
    }),
  },
  loop(
    'new records explained alike: {"id":n,"status":"error","message":…}',
    'update',
    n => ({ id: idOf(n) }),
    n => ({ id: idOf(n), status: 'error', message: 'Permission denied' }),
  ),
  loop(
    'failed jobs tried again: {"status":"failed"}',
    'retry_failed',
    n => ({ id: idOf(n) }),
    () => ({ status: 'failed' }),
  ),
  loop(
    'requests whose denial is denied: "Access denied"',
    'deny_request',
    n => ({ request: idOf(n), reason: reasonOf(n) }),
    () => 'Access denied',
  ),
  loop(
    'links checked: {"status":404} without their address',
    'head',
    n => ({ url: url(n) }),
    () => ({ status: 404 }),
  ),
  ...CHECKS_FAILED.map(answer =>
    loop(
      `names checked: "${answer}"`,
      'check_handle',
      n => ({ handle: `${word(n)}${n}` }),
      () => answer,
    ),
  ),
  loop(
    'one name checked in a new place: "User not found"',
    'check_handle',
    n => ({ handle: 'amber', hint: n % 2 ? 'a' : 'b' }),
    () => 'User not found',
  ),
]

const pages = (shown: string, args: Part, result: Part): Shape =>
  loop(`a list read page by page, answered by ${shown}`, 'list_orders', args, result)

export const EMPTY_PAGES: readonly Shape[] = [
  pages(
    '{"items":[],"page":n}',
    page => ({ page }),
    page => ({ items: [], page }),
  ),
  pages(
    '{"orders":[],"page":n,"total":0}',
    page => ({ page }),
    page => ({ orders: [], page, total: 0 }),
  ),
  pages(
    '{"orders":[],"offset":n,"limit":20}',
    n => ({ offset: n * 20, limit: 20 }),
    n => ({ orders: [], offset: n * 20, limit: 20 }),
  ),
  pages(
    '{"data":[],"meta":{"page":n,"total":0}}',
    page => ({ page }),
    page => ({ data: [], meta: { page, total: 0 } }),
  ),
  pages(
    '{"orders":[],"page":n} with a customer',
    page => ({ customer: 'ada', page }),
    page => ({ orders: [], page }),
  ),
  pages(
    '"Page n: no orders"',
    page => ({ page }),
    page => `Page ${page}: no orders`,
  ),
]

const SENTENCES = [
  'I will now continue with the task.',
  'I will now continue with the task!',
  '**I will now continue with the task.**',
  'I will now continue with the task…',
  '- I will now continue with the task',
]
const SYMBOLS = ['✅', '❌', '⚠️', '❓', '🔒', '💤']
const EMOJI = ['🙂', '🚀', '✨', '🔥', '👍']

const answers = (message: string, text: string): Shape => ({
  name: `"${message}" sent after each "${text}"`,
  lap: () => ({ message, text }),
})

export const SHORT_TEXTS: readonly Shape[] = [
  answers('Continue.', 'Done.'),
  answers('Continue.', 'OK.'),
  answers('Please finish the report and save it.', 'Yes.'),
  answers('Please finish the report and save it.', 'Sorry.'),
  { name: '"Done.", no call', lap: () => ({ text: 'Done.' }) },
  {
    name: 'one sentence in five typographies, no call',
    lap: n => ({ text: SENTENCES[n % 5] ?? '' }),
  },
  {
    name: 'one sentence with five emoji, no call',
    lap: n => ({ text: `I will now continue with the task. ${EMOJI[n % 5]}` }),
  },
  {
    name: 'a person asks about one invoice after the other, answered "Yes."',
    healthy: true,
    lap: n => ({ message: `Is invoice ${n} paid?`, text: 'Yes.' }),
  },
  {
    name: 'a person asks about one link after the other, answered by a symbol',
    healthy: true,
    lap: n => ({
      message: `Is link ${n} alive?`,
      text: `The state of this link: ${SYMBOLS[n % 6]}`,
    }),
  },
  {
    name: 'the answers to a quiz, each another letter',
    healthy: true,
    lap: n => ({ text: `The right answer is ${'BACADBCD'[n % 8]}.` }),
  },
]
