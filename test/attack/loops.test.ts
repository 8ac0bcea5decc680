/** Each shape of a loop is detected at the stated lap. Legitimate work that resembles a loop is not. */
import { describe, expect, test } from 'vitest'
import { digest, type Json } from '../../src/core/watch/data/json.ts'
import { quotedTexts } from '../../src/core/watch/answer/quoted-texts.ts'
import type { Stamped } from '../../src/core/watch/event/event.ts'
import { watchdog } from '../../src/watchdog.ts'
import { ENVELOPED, FAILED_SHELLS, UNANSWERED } from './asked.ts'
import { deploymentOf, FAILED_OUTPUTS } from './deployed.ts'
import { ENCODED } from './encoded.ts'
import { LAPS, LOOPS, seenAt, WRITES } from './loops.ts'
import { NOTHING_FOUND } from './narrowed.ts'
import { SERVICES } from './services.ts'
import { BATCHED, NOTED } from './batched.ts'
import { CHECKED } from './checked.ts'
import { RECEIVED } from './receipts.ts'
import { EXCHANGED_CALLS } from './exchanged.ts'
import { PAUSED } from './paused.ts'
import { FAILED_COMMANDS, SILENT_COMMANDS } from './silent.ts'
import { FAILING } from './tested.ts'
import { FAILED_DEPLOYS, SAME_WALLS } from './walls.ts'

/** The lap and the detector, for each shape of a loop. */
/** A report that neither counts nor has a word of failure is an answer. */
function checkedAt(name: string): string {
  if (name.startsWith('flake8') && !name.endsWith('an error')) return '4 repetition'
  if (/^(?:ESLint|Ruff|mypy|pytest|Jest|markdownlint|Pyright|oxlint|luacheck)\b/.test(name))
    return '4 errors'
  return name.startsWith('PHPStan') ? '5 errors' : '3 errors'
}

/** Without a word of failure, an exit code counts half. */
function deployedAt(name: string): string {
  if (name.includes('exit code')) return name.endsWith('Claude') ? '7 errors' : '6 errors'
  return /terraform|cdk/.test(name) ? '4 errors' : '3 errors'
}

/** An output that begins with its error, or is short, counts in full, any other half. */
const OUTPUT_AT: Readonly<Record<string, number>> = {
  'ansible-playbook': 7,
  'ansible-playbook that reaches no host': 7,
  'ansible-playbook that fails on one of two hosts': 8,
  ansible: 4,
  'ansible that reaches no host': 7,
  'terraform apply without its lock': 6,
  'docker push without a login': 6,
  'docker push without credentials': 7,
  'docker push of an unknown name': 4,
  'docker push of a missing image': 6,
  'wrangler without a permission': 7,
  'cargo publish above its rate': 6,
  'cdk deploy that is rolled back': 8,
  'make without a rule': 6,
  'scp to an unknown host key': 6,
  'pre-commit before a hook that passed': 4,
  lefthook: 8,
  scp: 6,
  commitlint: 8,
  husky: 4,
  'an older husky': 4,
  'exit code 1 of Claude before what was skipped': 8,
  Kinesis: 6,
  EventBridge: 6,
}

const SEEN: Readonly<Record<string, string>> = {
  'the same call, the same answer': '3 sequence',
  'a cycle of 2 calls': '5 sequence',
  'a cycle of 3 calls': '7 sequence',
  'a cycle of 5 calls': '11 sequence',
  'a cycle of 7 calls': '15 sequence',
  'the same call fails: 503': '3 sequence',
  'new arguments each time, the same failure: 401': '3 errors',
  'a search reworded, answered by []': '12 sameAnswer',
  'a search reworded, with a page that counts up, answered by []': '23 sameAnswer',
  'two searches in turn, with a page that counts up, answered by []': '17 sameAnswer',
  'a search reworded, answered by {"results":[]}': '12 sameAnswer',
  'a search reworded, answered by {"hits":[],"total":0}': '12 sameAnswer',
  'a search reworded, answered by {"matches":[],"files":n}': '12 sameAnswer',
  'a search reworded, answered by "Found 0 matches"': '12 sameAnswer',
  'a search reworded, answered by "No matches found"': '12 sameAnswer',
  'a search reworded, answered by "Keine Treffer"': '12 sameAnswer',
  'a search reworded, answered by null': '12 sameAnswer',
  'a search reworded, answered by one sentence of 190 characters': '10 sameAnswer',
  'questions reworded to a tool of any name, answered by {"items":[]}': '12 sameAnswer',
  'a search reworded, answered by {"query":…,"results":[]}': '12 sameAnswer',
  'a search reworded, answered by 0 results for "…"': '12 sameAnswer',
  'a search reworded, answered by {"results":[],"suggestions":[…]}': '12 sameAnswer',
  'a search reworded in a pipeline of a shell, without output': '9 repetition',
  'a search reworded, answered by a sentence that quotes it': '12 sameAnswer',
  'a search reworded, answered in Markdown that quotes it': '12 sameAnswer',
  'a search reworded, answered by an empty list and a new request id': '12 sameAnswer',
  'a search reworded, answered by 0 results and another suggestion': '12 sameAnswer',
  'questions reworded to a tool of any name, answered by a sentence that quotes them':
    '12 sameAnswer',
  'a search reworded, answered by Keine Treffer für "…"': '12 sameAnswer',
  'a search reworded, answered by Aucun résultat pour « … »': '12 sameAnswer',
  'a search reworded, answered by **No results** for *…*': '12 sameAnswer',
  'a search reworded, answered by | … | 0 |': '12 sameAnswer',
  'a search reworded, answered by {"query":"…","hits":[]}': '12 sameAnswer',
  'a search reworded, answered by {"request_id":"random","results":[]}': '12 sameAnswer',
  'a search reworded, answered by {"message":"0 results for …"}': '12 sameAnswer',
  'a search reworded, answered by No match for … Did you mean Y?': '12 sameAnswer',
  'a search reworded, answered by No match for … Did you mean (its longest word)?': '12 sameAnswer',
  'a search reworded, answered by Keine Treffer für … Meinten Sie (its longest word)?':
    '12 sameAnswer',
  'a search reworded, answered by Keine Treffer für „…“': '12 sameAnswer',
  'a search reworded, answered by По запросу «…» ничего не найдено': '12 sameAnswer',
  'a search reworded, answered by 「…」に一致する情報は…': '12 sameAnswer',
  'a search reworded, answered by /items?q=… → 0': '12 sameAnswer',
  'a search reworded, answered by /items?q=…+… → 0': '12 sameAnswer',
  'a search reworded, answered by {"terms":["…"],"hits":[]}': '12 sameAnswer',
  'a search reworded, answered by {"results":[],"took":"13ms"}': '12 sameAnswer',
  'a search reworded, answered by {"results":[],"score":"0.013"}': '12 sameAnswer',
  'a search reworded, answered by {"hits":[],"shard":"node-3"}': '12 sameAnswer',
  'a search reworded, answered by HTML with <h1>': '12 sameAnswer',
  'a search reworded, answered by XML with a prolog': '12 sameAnswer',
  'a search reworded, answered by RSS 2.0': '12 sameAnswer',
  'a search reworded, answered by Searched 41 files for …: no hits': '12 sameAnswer',
  'a search reworded, answered by 0 of 41 files match …': '12 sameAnswer',
  'an edit, with new arguments, answered by old_str did not appear verbatim': '8 mistakes',
  'an edit, with new arguments, answered by String to replace not found': '8 mistakes',
  'an edit, with new arguments, answered by <tool_use_error>': '8 mistakes',
  'an edit, with new arguments, answered by 0 replacements made': '6 errors',
  'an edit, with new arguments, answered by {"replacements":0}': '6 errors',
  'a search reworded, answered by [] and {} in turn': '12 sameAnswer',
  'a search reworded, answered by [] and null in turn': '12 sameAnswer',
  'a search reworded, answered by {"results":[]} and "No results" in turn': '12 sameAnswer',
  'a web_search reworded, answered by Aucun résultat pour « … »': '12 sameAnswer',
  'a web_search reworded, answered by Keine Treffer für "…"': '12 sameAnswer',
  'guessed paths, each answered by "File not found"': '6 errors',
  'new addresses, each answered by one page of 190 characters': '4 repetition',
  'a drifting counter in the arguments, one answer': '4 repetition',
  'a timestamp in the answer': '3 sequence',
  'a long page with a time': '3 sequence',
  'a long page with a nonce': '3 sequence',
  'a long JSON list with a time and an id of the request': '3 sequence',
  'a long listing of files with a time': '3 sequence',
  'a long test report with durations': '3 sequence',
  'a request id in the answer': '3 sequence',
  'a write answered {"ok":false}, with new arguments': '6 errors',
  'a write answered {"error":"Permission denied"}, with new arguments': '3 errors',
  'a write answered "ERROR: permission denied", with new arguments': '3 errors',
  'a write answered {"status":"error"}, with new arguments': '3 errors',
  'a write answered {"isError":true}, with new arguments': '3 errors',
  'a write answered {"accepted":false}, with new arguments': '6 errors',
  'a write answered {"errors":[…]}, with new arguments': '6 errors',
  'a write answered {"statusCode":500}, with new arguments': '6 errors',
  'a write answered {"response":{"ok":false}}, with new arguments': '6 errors',
  'a write answered [{"ok":false}], with new arguments': '6 errors',
  'a write answered {"ok":0}, with new arguments': '6 errors',
  'a write answered {"result":"denied"}, with new arguments': '3 errors',
  'a write answered NOK, with new arguments': '6 errors',
  'a write answered false, with new arguments': '6 errors',
  'a write answered {"userErrors":[…]}, with new arguments': '6 errors',
  'a write answered {"code":403}, with new arguments': '6 errors',
  'a write answered {"errno":13}, with new arguments': '6 errors',
  'a write answered {"exit_code":1}, with new arguments': '6 errors',
  'a write answered {"Failed":[…]}, with new arguments': '3 errors',
  'a write answered {"results":[{"status":"error"}]}, with new arguments': '3 errors',
  'a write answered "403 Forbidden", with new arguments': '3 errors',
  'a write answered "HTTP/1.1 403 Forbidden", with new arguments': '3 errors',
  'a write answered "Internal Server Error", with new arguments': '3 errors',
  'a write answered "Command failed with exit code 1", with new arguments': '3 errors',
  'a write answered "bash: …: Permission denied", with new arguments': '3 errors',
  'a write answered a traceback of Python, with new arguments': '3 errors',
  'a write answered an exception of Java, with new arguments': '3 errors',
  'a write answered {"err":"denied"}, with new arguments': '3 errors',
  'a write answered "exit code: 1", with new arguments': '6 errors',
  'a write answered {"status":"NOK"}, with new arguments': '6 errors',
  'a write answered {"ok":"no"}, with new arguments': '6 errors',
  'a write answered {"accepted":0,"rejected":1}, with new arguments': '6 errors',
  'an edit and its undo': '5 sequence',
  'one sentence, no call': '3 repeatedText',
  'one sentence every other turn, new ones between': '9 repeatedText',
  '"Continue." sent after each answer': '3 repeatedText',
  '"Continue." and "Go on." sent in turn': '4 repeatedText',
  'one sentence with a counter, no call': '7 repeatedText',
  'one sentence with a time, no call': '7 repeatedText',
  'one sentence with an id, no call': '7 repeatedText',
  'two sentences with a counter in turn, no call': '14 repeatedText',
  'two agents hand over to each other': '5 sequence',
  'a poll without end, one answer': '3 sequence',
  'a search reworded, answered by {"results":[],"page":n}': '12 sameAnswer',
  'a search reworded, answered by {"items":[],"next":"…"}': '12 sameAnswer',
  'a search reworded, answered by [] in a block of MCP': '12 sameAnswer',
  'a search reworded, answered by {"hits":[]} in a fence': '12 sameAnswer',
  'a search reworded, answered by No results (1,123 ms)': '12 sameAnswer',
  'a search reworded, answered by a sentence and a UUID': '12 sameAnswer',
  'one page after another of an empty list, each with its number': '10 repetition',
  'one sentence and a UUID in the answer': '3 sequence',
  'one sentence and a duration with a comma in the answer': '3 sequence',
  'a write answered {"ok":false} in a block of MCP, with new arguments': '6 errors',
  'a write answered "Access denied" in a block of MCP, with new arguments': '3 errors',
  'a write answered [{"type":"text","text":"Error: …"}], with new arguments': '3 errors',
  'a write answered {"ok":false} as a text, with new arguments': '6 errors',
  'a write answered {"ok":false} in a fence, with new arguments': '6 errors',
  'a write answered {"ok":false} after a label, with new arguments': '6 errors',
  "a write answered {'ok': False}, with new arguments": '6 errors',
  'a write answered "ok: false", with new arguments': '6 errors',
  'a write answered "Failed", with new arguments': '3 errors',
  'a write answered "Error", with new arguments': '3 errors',
  'a write answered "The save was rejected.", with new arguments': '6 errors',
  'a write answered "❌ Not saved.", with new arguments': '6 errors',
  'a write answered "Validation error: …", with new arguments': '3 errors',
  'a write answered "Fehler: …", with new arguments': '6 errors',
  'a write answered "HTTP 500", with new arguments': '3 errors',
  'a write answered "<Response [500]>", with new arguments': '3 errors',
  'a write answered a fault of SOAP, with new arguments': '6 errors',
  'a write answered <Error><Code>…, with new arguments': '3 errors',
  'a write answered <h1>403 Forbidden</h1>, with new arguments': '6 errors',
  'a write answered {"returncode":2}, with new arguments': '6 errors',
  'a write answered {"code":1,"stderr":…}, with new arguments': '6 errors',
  'a write answered {"stderr":"bash: … denied"}, with new arguments': '3 errors',
  'a write answered {"code":"PERMISSION_DENIED"}, with new arguments': '6 errors',
  'a write answered {"statusText":"Forbidden"}, with new arguments': '6 errors',
  'a write answered {"ok":null}, with new arguments': '6 errors',
  'a write answered {"failed":true}, with new arguments': '3 errors',
  'a write answered {"created":false}, with new arguments': '6 errors',
  'a write answered {"body":"{…}"}, with new arguments': '6 errors',
  'a write answered [false,"denied"], with new arguments': '3 errors',
  'a write answered {"fault":…}, with new arguments': '6 errors',
  'a write answered {"ok":false} with a long message, with new arguments': '6 errors',
  'a write answered "Quota exceeded", with new arguments': '6 errors',
  'a write answered {"message":"Quota exceeded"}, with new arguments': '6 errors',
  'a write answered "Rate limit exceeded, retry later", with new arguments': '6 errors',
  'a write answered "You do not have access to this document.", with new arguments': '7 errors',
  'a write answered "Document is locked by another user.", with new arguments': '7 errors',
  'a write answered "Nothing was written.", with new arguments': '6 errors',
  'a write answered {"detail":"Authentication credentials were not provided."}, with new arguments':
    '6 errors',
  'a write answered {"message":"Bad credentials","documentation_url":…}, with new arguments':
    '6 errors',
  'a write answered {"detail":[{"loc":…,"msg":…}]}, with new arguments': '6 errors',
  'a write answered {"valid":false,"issues":[…]}, with new arguments': '6 errors',
  'one record updated with new texts: {"id":7,"status":"failed"}': '3 errors',
  'one order charged with new texts: an error with {"order":7,"status":"declined"}': '3 errors',
  'new records explained alike: {"id":n,"status":"error","message":…}': '3 errors',
  'failed jobs tried again: {"status":"failed"}': '3 errors',
  'requests whose denial is denied: "Access denied"': '3 errors',
  'links checked: {"status":404} without their address': '3 errors',
  'edits and tests, new edits, answered by "3 failed, 38 passed"': '10 repetition',
  ...Object.fromEntries(
    FAILING.map(([shown]) => [`edits and tests, new edits, answered by ${shown}`, '10 repetition']),
  ),
  ...Object.fromEntries(
    SERVICES.filter(({ healthy }) => !healthy).map(({ name }) => [name, '9 sameAnswer']),
  ),
  [NOTED.name]: '3 sequence',
  ...Object.fromEntries(BATCHED.map(({ name }) => [name, '7 sameAnswer'])),
  ...Object.fromEntries(
    NOTHING_FOUND.map(([shown]) => [
      `a search that adds words, answered by ${shown}`,
      '3 repetition',
    ]),
  ),
  'edits and tests, the same edit, answered by "41 passed"': '5 sequence',
  'edits and tests, three edits in turn, answered by "41 passed"': '12 repetition',
  'a list read page by page, answered by {"items":[],"page":n}': '10 repetition',
  'a list read page by page, answered by {"orders":[],"page":n,"total":0}': '10 repetition',
  'a list read page by page, answered by {"orders":[],"offset":n,"limit":20}': '10 repetition',
  'a list read page by page, answered by {"data":[],"meta":{"page":n,"total":0}}': '10 repetition',
  'a list read page by page, answered by {"orders":[],"page":n} with a customer': '10 repetition',
  'a list read page by page, answered by "Page n: no orders"': '10 repetition',
  '"Continue." sent after each "Done."': '6 repeatedText',
  '"Continue." sent after each "OK."': '6 repeatedText',
  '"Please finish the report and save it." sent after each "Yes."': '6 repeatedText',
  '"Please finish the report and save it." sent after each "Sorry."': '6 repeatedText',
  '"Done.", no call': '6 repeatedText',
  'one sentence in five typographies, no call': '7 repeatedText',
  'one sentence with five emoji, no call': '7 repeatedText',
  'one long thought with another number': '3 sequence',
  'names checked: "Error: the service is down"': '3 errors',
  'names checked: "Invalid API key"': '3 errors',
  'names checked: "File not found"': '6 errors',
  'names checked: "Unknown argument: handle"': '3 errors',
  'names checked: "Could not connect: unknown host"': '3 errors',
  'one name checked in a new place: "User not found"': '5 sequence',
  'failed jobs, and new writes about none of them': '9 repetition',
  'failed jobs, and refused writes about each': '5 repetition',
  'the same failed job, and new writes about it': '9 repetition',
  'two failed jobs in turn, and new writes about them': '13 repetition',
  'a request that fails with a new id, and notes with the id': '9 repetition',
  'failed jobs, and new sentences that quote the ids': '9 repetition',
  'one file read again and again in another mode': '4 repetition',
  'a new session, and the same rows with it': '5 repetition',
  'a new session, and the same search without a result in it': '5 repetition',
  'tests that name their run, and writes about the run': '9 repetition',
  'a command that names its run, and writes about the run': '9 repetition',
  'a write that fails with a new id, and writes that undo it': '9 repetition',
  'searches for numbers, answered by its attempt and no results': '10 repetition',
  'searches for numbers, answered by its option, no results and a time': '10 repetition',
  'searches for numbers, answered by its number and the same results': '4 repetition',
  'searches for numbers, answered by its number, a total and the same articles': '4 repetition',
  'searches for numbers, answered by its parameters and the same hits': '4 repetition',
  'searches for numbers, answered by a list whose ids are counted from 1': '4 repetition',
  'searches for numbers, answered by a hit with the id of the query': '10 repetition',
  'searches for numbers, answered by {"found":false} and its number': '10 repetition',
  'searches for numbers, answered by its number and a total of 0': '4 repetition',
  'searches for numbers, answered by "not_found" and its number': '10 repetition',
  'searches for numbers, answered by nothing but its number': '10 repetition',
  ...Object.fromEntries(
    CHECKED.filter(({ healthy }) => !healthy).map(({ name }) => [name, checkedAt(name)] as const),
  ),
  ...Object.fromEntries(FAILED_DEPLOYS.map(({ name }) => [name, deployedAt(name)])),
  ...Object.fromEntries(
    FAILED_OUTPUTS.map(([of]) => [deploymentOf(of), `${OUTPUT_AT[of] ?? 3} errors`]),
  ),
  [deploymentOf('ansible-playbook that fails on the first of 21 hosts')]: '8 mistakes',
  [deploymentOf('ansible-playbook that fails on one of 21 hosts, with the times of its tasks')]:
    '8 mistakes',
  'a search without end: one name in one folder after the other': '4 repetition',
  'a search without end: one name in one file, with other options': '5 repetition',
  'a search without end: spellings of one name in one file': '6 repetition',
  'a search in known values: the combinations of two values, again and again': '13 sequence',
  'a search in known values: words in another order beside the same value': '5 sameAnswer',
  'a search in known values: a page that goes up beside the same values': '10 repetition',
  'a search in known values: a page that goes up beside null, a list and a record': '10 repetition',
  'a search in known values: an offset and a limit that go up': '10 repetition',
  'a search in known values: an attempt that goes up beside two options in turn': '17 sameAnswer',
  'a search in known values: a time that goes up beside the same values': '10 repetition',
  'a search in known values: dates and guests, again and again': '25 sequence',
  'a search in known values: dates and guests, there and back': '32 stale',
  'a search in known values: a long question reworded beside two options': '7 sameAnswer',
  'a search in known values: words in another order beside three limits': '5 sameAnswer',
  'a search in known values: an option that is left out in turn': '16 sameAnswer',
  'a search in known values: an option that is left out in turn, and again': '3 repetition',
  'a search in known values: options that are dropped one by one, and again': '4 repetition',
  'a search in known values: some of three options, again and again': '3 repetition',
  'a search in known values: options that are dropped from the first search again and again, each followed by a page':
    '5 repetition',
  'a search in known values: another option each time': '5 sameAnswer',
  'a search in known values: words in another order, every second time with an option':
    '5 repetition',
  'a search in known values: words in another order, each with a limit or without': '6 sameAnswer',
  'a search in known values: a long question reworded, every second time with an option':
    '7 sameAnswer',
  ...Object.fromEntries(FAILED_SHELLS.map(({ name }) => [name, '6 errors'])),
  [UNANSWERED.name]: '6 repetition',
  ...Object.fromEntries(PAUSED.map(({ name }) => [name, '5 repetition'])),
  // The version of HTTP is a number of one of the calls.
  ...Object.fromEntries(
    ENVELOPED.map(({ name }) => [name, name.endsWith('HTTP') ? '4 errors' : '3 errors']),
  ),
  ...Object.fromEntries(FAILED_COMMANDS.map(({ name }) => [name, '6 errors'])),
  ...Object.fromEntries(
    [...ENCODED, ...SILENT_COMMANDS, ...RECEIVED, ...EXCHANGED_CALLS, ...SAME_WALLS]
      .filter(({ healthy }) => !healthy)
      .map(({ name }) => [name, '3 sequence'] as const),
  ),
}

test.each(LOOPS)('$name', shape => {
  const seen = seenAt(shape)
  const expected = shape.healthy ? 'never' : SEEN[shape.name]
  expect(seen ? `${seen.lap} ${seen.detector}` : 'never').toBe(expected)
})

test('a search that another system offers as a write is seen like a read if it finds nothing', () => {
  // An answer in words of another language may be the receipt of a write.
  const searches = LOOPS.filter(
    ({ name, lap }) => lap(1).tool === 'search' && /answered by (?:\[|\{|null|"Found 0)/.test(name),
  )
  expect(searches.length).toBeGreaterThan(20)
  const differ = searches.filter(
    shape => seenAt(shape)?.lap !== seenAt(shape, [...WRITES, 'search'])?.lap,
  )
  expect(differ.map(({ name }) => name)).toEqual([])
})

const words = 'amber basil cedar dune ember fjord grove heron iris jade'.split(' ')
const draft = (n: number) => `${words[n % 10]} ${words[(n * 7 + 3) % 10]} ${n}`

/** The lap at which a write with other arguments in each lap is noticed as refused. */
const refusedAt = (result: Json) =>
  seenAt({ name: '', lap: n => ({ tool: 'save', args: { text: draft(n) }, result }) })?.lap

test.each<Json>([
  '\u001b[31mError: denied\u001b[0m',
  { stdout: 'Error: no connection', stderr: '', exit_code: 0, success: false },
  '\u001b]8;;https://x.example\u0007Error: denied\u001b]8;;\u0007',
  '\u001b[1;31m403 Forbidden\u001b[0m',
  { output: '\u001b[31mError: denied\u001b[0m' },
  '[Errno 13] Permission denied',
  'mkdir: cannot create directory: Permission denied',
  "cp: cannot create regular file '/etc/x': Permission denied",
  'panic: permission denied',
  'tee: /data/x: No space left on device',
  'Error \u2014 denied',
  'ORA-01031: insufficient privileges',
  { code: 7, message: 'permission denied', details: [] },
  { level: 'error', msg: 'denied' },
  { severity: 'ERROR', message: 'denied', timestamp: '2026-11-24T23:01:38Z' },
  { __type: 'AccessDeniedException' },
  { __type: 'com.amazon.coral#AccessDeniedException', message: 'no' },
  { Message: 'Rate exceeded', Code: 'ThrottlingException' },
  { errorMessages: ['You may not create issues in this project.'], errors: {} },
  { message: 'Missing Permissions', code: 50013 },
  { message: 'Missing Access', code: 50001 },
  { httpStatusCode: 403, headers: {}, body: '' },
  'Error from server (Forbidden): error when creating "STDIN": pods is forbidden',
  'curl: (22) The requested URL returned error: 403',
  'To git.example:x/y.git\n ! [remote rejected] main -> main (hook declined)\nerror: failed to push some refs',
  ' ! [rejected]        main -> main (fetch first)',
  '550 5.7.1 Message rejected due to content restrictions',
  '550-5.7.1 This message was blocked.',
  'Dry run: nothing was written.',
  'apply_patch verification failed: invalid patch: The first line of the patch must be a marker',
  '# 1 SEARCH/REPLACE block failed to match!',
  'Deployment failed: quota exceeded',
  'Payment failed: card declined',
  'Build step failed',
  'npm error code E403\nnpm error 403 403 Forbidden - PUT https://npm.example/app',
  'npm error code ENEEDAUTH\nnpm error need auth This command requires you to be logged in',
  `HTTP/2 403 \r\ncontent-type: text/plain\r\n\r\n${'x'.repeat(400)}`,
  { code: '42501', details: null, hint: null, message: 'permission denied for table posts' },
  { code: '23505', details: 'Key exists.', hint: null, message: 'duplicate key value violates x' },
  { pspReference: 'A1B2', refusalReason: 'Refused', resultCode: 'Refused' },
  { name: 'UNPROCESSABLE_ENTITY', message: 'The action could not be performed', debug_id: 'f1' },
  { ErrorNumber: 10, Type: 'ValidationException', Message: 'A validation exception occurred' },
  'TOPIC_AUTHORIZATION_FAILED: Topic authorization failed.',
  "003001 (42501): SQL access control error:\nInsufficient privileges to operate on schema 'PUBLIC'",
  'Code: 497. DB::Exception: default: Not enough privileges.',
  'Msg 2627, Level 14, State 1, Line 1\nViolation of PRIMARY KEY constraint.',
])('a refused write is recognized by its answer: %j', answer => {
  expect(refusedAt(answer)).toBeLessThanOrEqual(7)
})

test.each<Json>([
  'PROJ-01031: saved',
  'Created note failed: the build',
  'Saved the report that the build failed.',
  '\u001b[32mSaved\u001b[0m',
  'Created note: the key was not found',
  { code: 7, name: 'Ember' },
  { id: 4, level: 'error', message: 'kept' },
  { level: 'info', msg: 'saved' },
  'Document 7 is locked.',
  'You have access to the document now.',
  'The quota is 5 GB and was not exceeded.',
  { message: 'Document created', documentation: 'https://docs.example' },
  { valid: false },
  { errorMessages: [], errors: {} },
  { message: 'Saved with the missing permissions', code: 0 },
  { message: 'Created', code: 201 },
  { message: 'Missing access was restored', code: 7 },
  { httpStatusCode: 201 },
  { Code: 'Exceptional', Message: 'Saved' },
  '550 5 rows saved',
  '550 5.7 saved',
  'Saved: curl (22) is described',
  'To git.example:x/y.git\n   1a2b3c..4d5e6f  main -> main',
  'Wrote the error from server',
  { __type: 'Note', title: 'An error' },
  { id: 7, html_url: 'https://x.example/7', body: 'Could not reproduce it, please add a log.' },
  { id: 7, issue: 12, body: 'Access denied for Bo: we asked the owner.' },
  { ticket: 7, public: true, body: 'Sorry, your refund was declined.' },
  { id: 7, title: 'Required fields', details: ['one'], message: 'Saved' },
])('an accepted write is not taken for a refused one: %j', answer => {
  expect(refusedAt(answer)).toBeUndefined()
})

/** The lap at which a call of another item in each lap is noticed as failed. */
const failedAt = (tool: string, args: (n: number) => object, result: (n: number) => Json) =>
  seenAt({ name: '', lap: n => ({ tool, args: args(n), result: result(n) }) })?.lap

test.each<[tool: string, args: (n: number) => object, result: (n: number) => Json]>([
  ['bank_transfer', n => ({ text: draft(n) }), () => ({ status: 'denied' })],
  ['failover', n => ({ text: draft(n) }), () => ({ status: 'failed' })],
  ['save', n => ({ title: `fail ${n}` }), () => ({ status: 'failed' })],
  ['save', n => ({ title: 'Rejected', text: draft(n) }), () => ({ status: 'rejected' })],
  ['update', n => ({ id: 7, text: draft(n) }), () => ({ id: 7, ok: false })],
  [
    'update',
    n => ({ id: 7, note: words[n % 10] }),
    n => ({ id: 7, note: words[n % 10] ?? '', ok: false }),
  ],
  ['list', n => ({ page: n }), n => ({ page: n, status: 404 })],
  ['check_link', n => ({ url: draft(n) }), () => ({ ok: false, error: 'the service is down' })],
  ['shell', n => ({ command: draft(n) }), () => ({ stdout: '', stderr: 'denied', exit_code: 1 })],
])('an outcome that the call does not intend is a failure: %s', (tool, args, result) => {
  expect(failedAt(tool, args, result)).toBeLessThanOrEqual(6)
})

const two = (n: number) => String(n % 60).padStart(2, '0')
test.each<[(n: number) => string]>([
  [n => `2026-11-24 23:${two(n)}:${two(n * 7)},${100 + ((n * 37) % 900)} ERROR the queue is full`],
  [n => `2026-11-24T23:${two(n)}:${two(n * 7)},${100 + n}Z ERROR the queue is full`],
  [n => `2026-11-24 23:01:${two(n)}.123 +0000 UTC m=+${n}.0042 the queue is full`],
  [n => `The queue is full (took ${n} min ${n + 3} sec).`],
  [n => `The queue is full (took ${n}h ${n + 3}m).`],
  [n => `The queue is full (took ${n} minutes and ${n + 3} seconds).`],
  [n => `{"error":"the queue is full","duration":"PT${n}.3S"}`],
])('an answer that differs only in a time or duration is the same: %#', result => {
  const seen = seenAt({
    name: '',
    lap: n => ({ tool: 'tail_log', args: { file: 'app.log' }, result: result(n) }),
  })
  expect(seen?.lap).toBeLessThanOrEqual(4)
})

test.each<[(n: number) => string]>([
  [n => `${n}h left`],
  [n => `done in ${60 - n} hours`],
  [n => `${n} min left`],
  [n => `1,${100 + n} rows are done`],
])('an answer that shows how work proceeds is new: %#', result => {
  const lap = (n: number) => ({ tool: 'job', args: { id: 7 }, result: result(n) })
  expect(seenAt({ name: '', lap, healthy: true })).toBeUndefined()
})

const spent = { steps: 1, modelCalls: 0, toolCalls: 0, tokens: 0, usd: 0 }

const EMPTY = 'The archive is empty, please try some other words for it'

/** The result of a child graph that started with another input in each lap. */
function childDone(n: number, result: Json, effects: 'read' | 'write' = 'read'): Stamped {
  return {
    ...{ type: 'child.done', effect: 'ask#1', region: '', call: `ask#1/${n}`, subject: 'worker' },
    ...{ thread: `t/ask#1/${n}`, key: `input ${n}`, outcome: 'success', reason: 'goal', result },
    ...{ spent, digest: digest(result), effects, at: n * 1_000 },
  } as Stamped
}

function lapOf(event: (n: number) => Stamped): number | undefined {
  const monitor = watchdog({ policy: { mode: 'observe' } })
  for (let n = 1; n <= LAPS; n++) if (monitor.observe(event(n)).kind !== 'continue') return n
  return undefined
}

test('a child with a drifting counter and one result is detected', () => {
  const text = 'There is nothing in the archive that answers this question.'
  expect(lapOf(n => childDone(n, text))).toBe(5)
  expect(lapOf(n => childDone(n, 'unknown'))).toBe(16)
})

test.each<[name: string, result: (n: number) => Json]>([
  ['a duration', n => `The archive is empty, please try some other words (${n * 3} ms)`],
  ['a time', n => ({ at: new Date(1.7e12 + n * 61_000).toISOString(), text: EMPTY })],
  ['an id', n => ({ requestId: `req_${(n * 7919).toString(16).padStart(8, '0')}`, text: EMPTY })],
])('a child whose results differ only in %s is detected', (_, result) => {
  expect(lapOf(n => childDone(n, result(n)))).toBe(5)
})

test.each<[name: string, result: (n: number) => Json, at: number]>([
  ['{"found":[],"attempt":n}', n => ({ found: [], attempt: n }), 16],
  ['{"found":[],"retries":n}', n => ({ found: [], retries: n, of: 3 }), 16],
  ['{"found":[],"attemptNumber":n}', n => ({ found: [], attemptNumber: n, of: 3 }), 16],
  ['{"found":[],"retry_count":n}', n => ({ found: [], retry_count: n, of: 3 }), 16],
  ['"Tried n times, …"', n => `Tried ${n} times, nothing was found.`, 16],
  ['"… Attempt n."', n => `${IN_TURN[0]} Attempt ${n}.`, 5],
  ['"Attempt n of 60: …"', n => `Attempt ${n} of 60: ${IN_TURN[0]}`, 5],
  ['"Attempt #n: …"', n => `Attempt #${n}: ${IN_TURN[0]}`, 5],
])('a child whose results number its attempts is detected: %s', (_, result, at) => {
  expect(lapOf(n => childDone(n, result(n)))).toBe(at)
})

test.each<[name: string, result: (n: number) => Json]>([
  ['their items', n => ({ item: n, state: 'done' })],
  ['what is left', n => ({ found: [], remaining: LAPS - n })],
  ['what is done', n => `${n} of ${LAPS} pages are read, and nothing was found.`],
  ['their costs', n => ({ found: [], usd: n * 3 })],
])('children whose results number %s are not', (_, result) => {
  expect(lapOf(n => childDone(n, result(n)))).toBe(undefined)
})

const IN_TURN = [
  'The archive was searched in full, and there is nothing about this order in it or in its index.',
  'Nothing was found in the other archive either, and no person there knows of this order.',
  'The clerk says that the files of that year were lost in a fire a long time ago.',
]

test.each([2, 3])('a child with a drifting counter and %s results in turn is detected', many => {
  expect(lapOf(n => childDone(n, IN_TURN[n % many] ?? ''))).toBe(5 * many)
})

test('children whose long results come in no order are not', () => {
  // Each of two results, but never in one order for long.
  const kinds = '0010111010011000101101110010100110101100010111010011010110010'
  expect(lapOf(n => childDone(n, IN_TURN[Number(kinds[n])] ?? ''))).toBe(undefined)
})

test('children that sort items into short kinds in turn are not', () => {
  expect(lapOf(n => childDone(n, n % 2 ? 'spam' : 'a letter'))).toBe(undefined)
})

test('children in turn after something new of a tool are not', () => {
  const monitor = watchdog({ policy: { mode: 'observe' } })
  const read = (n: number): readonly Stamped[] => {
    const of = {
      effect: `read#${n}`,
      region: '',
      call: `read#${n}/1`,
      subject: 'read',
      key: `${n}`,
    }
    const called = { ...of, type: 'tool.called', args: { path: draft(n) }, attempt: 1 }
    const result = `the content of ${draft(n * 5)} and of ${draft(n * 3 + 1)}`
    const done = { ...of, type: 'tool.done', result, digest: digest(result) }
    return [called, done].map(part => ({ ...part, effects: 'read', at: n * 1_000 }) as Stamped)
  }
  for (let n = 1; n <= LAPS; n++)
    for (const event of [...read(n), childDone(n, IN_TURN[n % 2] ?? '')])
      expect(monitor.observe(event)).toEqual({ kind: 'continue' })
})

/** One lap of a map: its items end in any order, and then its node. */
function mapLap(n: number, results: readonly Json[], ends = results.length): readonly Stamped[] {
  const effect = `each#${n}`
  const of = results.length
  const items = results.map((result, index) => ({
    ...childDone(n * 1_000 + index, result),
    ...{ effect, call: `${effect}/${index}`, item: { index, of } },
  }))
  const ended = (n % 2 ? items : items.toReversed()).map((item, nth) =>
    nth < of - 1 ? { ...item, more: true } : item,
  )
  const done = { type: 'node.done', effect, region: '', output: null, at: n * 1_000 }
  return [...ended.slice(0, ends), done] as unknown as readonly Stamped[]
}

/** The lap in which the first finding comes. */
function lapOfMap(lap: (n: number) => readonly Stamped[]): number | undefined {
  const monitor = watchdog({ policy: { mode: 'observe' } })
  for (let n = 1; n <= LAPS; n++)
    for (const event of lap(n)) if (monitor.observe(event).kind !== 'continue') return n
  return undefined
}

describe('laps of a map', () => {
  const text = 'There is nothing in the archive that answers this question.'
  const items = (count: number, result: (index: number) => Json) =>
    Array.from({ length: count }, (_, index) => result(index))

  test.each([1, 2, 3, 5, 64])('of %s items with a drifting counter count like children', count => {
    expect(
      lapOfMap(n =>
        mapLap(
          n,
          items(count, () => text),
        ),
      ),
    ).toBe(5)
    expect(
      lapOfMap(n =>
        mapLap(
          n,
          items(count, () => 'unknown'),
        ),
      ),
    ).toBe(16)
    expect(
      lapOfMap(n =>
        mapLap(
          n,
          items(count, index => `${text} Place ${index}.`),
        ),
      ),
    ).toBe(5)
  })

  test('with two results in turn count like children', () => {
    expect(lapOfMap(n => mapLap(n, [IN_TURN[n % 2] ?? '', text]))).toBe(10)
  })

  test('that end early count like whole ones', () => {
    const early = (n: number) => mapLap(n * 2, [text, text, text], 2)
    expect(lapOfMap(early)).toBe(5)
  })

  test('whose items all fail in the same way are detected', () => {
    const failed = (n: number) =>
      mapLap(n, [1, 2, 3]).map(event =>
        event.type === 'child.done' ? { ...event, outcome: 'failure', reason: 'no-key' } : event,
      ) as readonly Stamped[]
    expect(lapOfMap(failed)).toBe(3)
  })

  test('whose items quote their questions in the same words are detected', () => {
    const asked = (n: number) =>
      mapLap(n, [0, 1, 2]).map(event => {
        if (event.type !== 'child.done') return event
        const question = questionOf(n + (event.item?.index ?? 0))
        const result = { question, answer: EMPTY }
        const quoted = quotedTexts({ goal: question }, result)
        return { ...event, result, digest: digest(result), quoted }
      })
    expect(lapOfMap(asked)).toBeLessThanOrEqual(16)
  })

  test('are not, if the answers change, change their places, or become fewer', () => {
    expect(lapOfMap(n => mapLap(n, [text, `${text} ${n} pages were read.`]))).toBe(undefined)
    const moved = (n: number) => items(40, index => (index === n % 40 ? 'here' : text))
    expect(lapOfMap(n => mapLap(n, moved(n)))).toBe(undefined)
    expect(
      lapOfMap(n =>
        mapLap(
          n,
          items(LAPS + 1 - n, () => text),
        ),
      ),
    ).toBe(undefined)
  })

  test('are not, if they write, and if the map has cancelled them', () => {
    const changed = (part: object) => (n: number) =>
      mapLap(n, [1, 2, 3]).map(event =>
        event.type === 'child.done' ? { ...event, ...part } : event,
      ) as readonly Stamped[]
    expect(lapOfMap(changed({ effects: 'write' }))).toBe(undefined)
    expect(lapOfMap(changed({ outcome: 'cancelled', reason: 'enough' }))).toBe(undefined)
  })

  test('of one healthy map are one: a thousand equal answers are not a loop, nor those of a second map', () => {
    const monitor = watchdog({ policy: { mode: 'observe' } })
    const maps = [1, 2, 3, 4].flatMap(n =>
      mapLap(
        n,
        items(1_000, () => text),
      ),
    )
    for (const event of maps) expect(monitor.observe(event).kind).toBe('continue')
  })

  test('that a node was taken away from do not count', () => {
    const cut = (n: number) => mapLap(n, [text, text, text]).slice(0, 2)
    expect(lapOfMap(cut)).toBe(undefined)
  })
})

/** Questions in the same few words, and the answer of a child that repeats them. */
const WORDS = ['the invoice', 'of March', 'in the archive', 'for the customer']
const questionOf = (n: number) =>
  [...WORDS.slice(n % 4), ...WORDS.slice(0, n % 4), n % 3 ? 'please' : ''].join(' ').trim()

test.each<[name: string, result: (question: string) => Json]>([
  ['in a record', question => ({ question, answer: EMPTY })],
  ['in a sentence', question => `${EMPTY}: ${question}`],
  ['beside a number', question => ({ question, searched: 41, answer: EMPTY })],
])('a child that quotes its question %s is detected', (_, result) => {
  const done = (n: number) => {
    const answer = result(questionOf(n))
    const input = { goal: [{ role: 'user', content: questionOf(n) }], round: n }
    return { ...childDone(n, answer), quoted: quotedTexts(input, answer) } as Stamped
  }
  expect(lapOf(done)).toBeLessThanOrEqual(16)
})

test('children that quote new names are not', () => {
  const done = (n: number) => {
    const goal = `the customer ${String.fromCharCode(97 + (n % 26))}${String.fromCharCode(97 + (n >> 2))}son`
    const answer = { goal, state: 'The invitation was written.' }
    return { ...childDone(n, answer), quoted: quotedTexts({ goal }, answer) } as Stamped
  }
  expect(lapOf(done)).toBe(undefined)
})

test('children that write, or return something new, are not', () => {
  expect(lapOf(n => childDone(n, 'done', 'write'))).toBe(undefined)
  expect(lapOf(n => childDone(n, `The archive has ${n} documents about it.`))).toBe(undefined)
})
