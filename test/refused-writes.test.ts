/** What answers of writes say in ordinary words: that the write was not made, or that it was. */
import { describe, expect, it } from 'vitest'
import { answerFeatures } from '../src/core/watch/normalize/answer-features.ts'
import { payloadOf } from '../src/core/watch/answer/payload.ts'
import { onlyAsks } from '../src/core/watch/outcome/asking-command.ts'
import { isNotOk } from '../src/core/watch/outcome/reported-failure.ts'
import { DONE_OUTPUTS, FAILED_OUTPUTS } from './attack/deployed.ts'

const lines = (text: string): readonly string[] => text.trim().split('\n')

/** Whether an answer counts as a failure, in full or half. */
const isFailed = (text: string): boolean =>
  answerFeatures({ text, ok: true, writes: true, hash: text, whole: true }, undefined).failed

/** As services, databases, forms, browsers, shops and coding agents write them. */
const REFUSALS = `
Failed to publish post. Status code: 403, Response: {"error":"x"}
Failed to add any events to Google Calendar. 3 events failed.
Telegram account linking is not configured right now. No connection was started.
Validation error: body.name is required
unknown tool: write_file
Could not complete request. Try again.
Channel has been archived: cannot post messages
Deployment skipped: missing token
Repository was archived so is read-only.
No staged changes: nothing to commit
could not update branch restriction. 404
Unable to save key a with value b
Unable to connect to Home Assistant: timeout
Error: Path not allowed
Access denied - path outside allowed directories: /etc/x not in /srv
File already exists: a.txt
The file a.txt already exists. Use overwrite=true.
Contact already exists with this email
A record with this email already exists.
Duplicate entry 'a@b.c' for key 'email'
duplicate key value violates unique constraint "users_email_key"
UNIQUE constraint failed: users.email
null value in column "name" violates not-null constraint
ERROR:  relation "x" does not exist
Table 'app.users' doesn't exist
No such table: users
near "FORM": syntax error
You have an error in your SQL syntax; check the manual
Invalid value for field 'due_date'
Invalid email address
Invalid request: missing 'to'
Missing required parameter: 'channel'
Missing required field "subject"
The field 'amount' is required.
'amount' must be greater than 0
amount must be a number
Required field missing: title
Email could not be sent.
Your message could not be delivered.
Message not delivered: mailbox full
The message was not sent.
Mail delivery failed: returning message to sender
Mailbox unavailable
Recipient address rejected: User unknown
550 5.1.1 user unknown
Card declined
Your card was declined.
Your card has insufficient funds.
Insufficient funds
Transaction declined
Payment declined by issuer
Payment could not be processed
Payment method not supported
Transfer rejected: limit exceeded
Refund not possible: already refunded
Order cannot be cancelled because it has shipped
Ticket is closed and cannot be updated
Issue does not exist or you do not have permission to see it.
Issue type is not valid for this project
Field 'priority' cannot be set. It is not on the appropriate screen, or unknown.
Transition is not valid for issue in current state
No transition named 'Done' available
Resource not found
Record not found
Customer not found
Channel not found
channel_not_found
not_in_channel
invalid_auth
ratelimited
missing_scope
is_archived
msg_too_long
Slack API error: channel_not_found
Discord: Missing Access
403 Forbidden
HTTP 409 Conflict
Conflict: resource has been modified
Precondition Failed
The resource has been modified by another user. Please refresh.
Version conflict: expected 3, got 4
Optimistic lock failed
Stale object: reload and retry
ETag mismatch
sha does not match
"sha" wasn't supplied
Update is not a fast forward
! [rejected]        main -> main (fetch first)
error: failed to push some refs to 'origin'
fatal: not a git repository
CONFLICT (content): Merge conflict in a.txt
Merge conflict in src/a.ts
Automatic merge failed; fix conflicts and then commit the result.
nothing to commit, working tree clean
Pull Request is not mergeable
Review cannot be requested from pull request author.
Protected branch update failed for refs/heads/main.
npm ERR! code E403
npm error code ENEEDAUTH
Deployment rejected
Deployment timed out
Job could not be queued: queue is full
Queue is full
Too many concurrent jobs
Job already running
Operation not permitted while in progress
Another operation is in progress
The operation was aborted
Operation cancelled by user
User cancelled
User denied the request
The user rejected this tool use
The user doesn't want to proceed with this tool use. The tool use was rejected
Permission to use Bash has been denied.
Tool execution was interrupted
Not implemented
This feature is not available in your plan
Upgrade your plan to use this feature
Your trial has expired
License expired
Subscription required
Account suspended
Account is disabled
Session expired. Please log in again.
Token expired
Your session has expired
Login required
Please log in to continue
Please authenticate first
Authentication required
Captcha required
Two-factor authentication required
Service temporarily unavailable. Please try again later.
Service is down for maintenance
The system is currently unavailable
Something went wrong. Please try again.
Something went wrong
An unexpected error occurred.
An error has occurred
Oops! Something went wrong
Sorry, something went wrong
We could not process your request
We're sorry, but we were unable to process your request
Please try again later
Internal error
Server error
Request failed with status code 422
Bad Request
Unprocessable Entity
Gateway timeout
Timed out waiting for lock
Lock wait timeout exceeded; try restarting transaction
deadlock detected
could not serialize access due to concurrent update
database is locked
disk full
No space left on device
Read-only file system
Permission denied
EACCES: permission denied, open '/x'
ENOENT: no such file or directory, open 'a'
Element not found: #submit
Element is not clickable at point (10, 20)
Timeout 30000ms exceeded.
No element matches selector '#save'
Selector '#save' did not match any elements
Button is disabled
Form validation failed
Form has errors: name is required
Slot no longer available
The requested time is not available
That time slot is already booked
Room is already booked
Meeting room unavailable
Seat not available
Out of stock
Item is out of stock
Not enough inventory
Insufficient stock for SKU-1
Coupon is not valid
Coupon expired
Phone number is not valid
Invalid phone number
SMS could not be delivered
Number not reachable
The string to replace was not found in the file
old_string not found
String not found in file
No match found for replacement
Found 3 matches of the string to replace, but replace_all is false
File has not been read yet. Read it first before writing to it.
File has been modified since read, either by the user or by a linter.
patch does not apply
error: patch failed: a.txt:3
1 out of 1 hunk FAILED -- saving rejects to file a.txt.rej
Hunk #1 FAILED at 3.
Search block not found
Diff could not be applied
Changes were not applied
No changes made
No changes were made
0 rows affected
UPDATE 0
0 rows updated
Query OK, 0 rows affected (0.00 sec)
0 records updated
0 documents modified
modified_count: 0
matchedCount: 0
{"acknowledged":true,"matchedCount":0,"modifiedCount":0}
{"n":0,"nModified":0,"ok":1}
{"rowCount":0}
{"affectedRows":0}
{"updated":0}
{"updated":false}
{"sent":false}
{"accepted":[],"rejected":["a@b.c"]}
{"ok":false,"error":"channel_not_found"}
{"status":"error"}
{"status":"rejected"}
{"status":"declined"}
{"status":"failed","failure_code":"card_declined"}
{"errors":[{"message":"x"}],"data":null}
{"data":{"issueCreate":{"success":false}}}
{"data":{"updateUser":null},"errors":[{"message":"Not found"}]}
{"userErrors":[{"field":["title"],"message":"can't be blank"}],"product":null}
{"errorMessages":[],"errors":{"priority":"Field 'priority' cannot be set."}}
{"detail":"Not found."}
{"detail":[{"loc":["body","x"],"msg":"field required"}]}
{"name":["This field may not be blank."]}
{"email":["Enter a valid email address."]}
{"non_field_errors":["x"]}
{"message":"Validation Failed","errors":[{"field":"name"}]}
{"message":"Not Found","documentation_url":"x"}
{"code":"rest_cannot_create","message":"Sorry, you are not allowed","data":{"status":401}}
{"type":"https://x","title":"Bad Request","status":400}
{"fault":{"faultstring":"x"}}
{"__type":"ValidationException","message":"x"}
{"Error":{"Code":"AccessDenied"}}
{"error_code":400,"description":"Bad Request: chat not found","ok":false}
{"meta":{"code":400}}
{"result":null,"error":"x"}
{"isSuccess":false}
{"hasError":true}
{"processed":false}
{"queued":false}
{"created":false}
{"applied":false}
{"booked":false}
{"reason":"out_of_stock"}
{"outcome":"failure"}
{"exitCode":1}
{"code":1,"stdout":"","stderr":"x"}
{"success":"false"}
{"success":0}
{"response":"NOK"}
{"result":"declined"}
{"errno":-13}
{"err":"x"}
{"warnings":["not saved"]}
{"message":"Not saved"}
{"msg":"operation failed"}
No changes applied
Nothing to save
Nothing to replace
No matches found for 'foo' in a.ts
Error: no changes detected, commit aborted
No changes detected in the file. The edit was not applied.
No errors were found, but the file could not be saved
success: no
`

/** Some name what is missing, required or not possible, beside what was done. */
const RECEIPTS = `
ok
OK.
done
Done!
true
null
204
{}
[]
File written
Wrote 12 lines to a.txt
The file a.txt has been updated.
The file a.txt has been updated. Here's the result of running cat -n on a snippet
File created successfully at: a.txt
Successfully edited file
Successfully replaced text in a.txt
Edit applied.
Saved.
Saved. It cannot be changed any more.
Saved; you will not be notified again.
Saved draft (not sent).
Created issue #12
Created issue #12: Login must be required
Issue ENG-1 updated
Issue "Disk full" created
Comment added
Message sent
Message sent to #ops: the queue is full
Email sent to a@b.c
Email queued for delivery
Invitation sent. It expires in 7 days and cannot be reused.
Payment accepted
Payment of $12.00 captured
Refund issued
Refund initiated; it may take 5 days
Booked: Monday 9:00
Appointment confirmed for Monday 9:00
1 row affected
3 rows affected
Query OK, 1 row affected (0.01 sec)
UPDATE 1
INSERT 0 1
DELETE 0
CREATE TABLE
{"ok":true}
{"success":true,"message":"Saved"}
{"id":12,"status":"created"}
{"id":12,"status":"open"}
{"updated":1}
{"updated":3,"skipped":0}
{"inserted":5,"updated":0}
{"matchedCount":1,"modifiedCount":0,"acknowledged":true}
{"deleted":0}
{"sent":true}
{"status":"queued"}
{"status":"pending"}
{"status":"in_progress"}
{"status":"processing"}
{"error":null,"id":3}
{"errors":[],"id":3}
{"id":7,"completed":false,"title":"x"}
{"id":7,"paid":false,"total":12}
{"id":7,"tags":[],"assignees":[]}
{"tags":["bug"]}
{"labels":["not urgent"],"id":3}
{"channel":"C1","ts":"1.2","message":{"text":"must be done"}}
No errors. Saved.
Ticket closed
Order cancelled
Subscription cancelled
Token revoked
Table dropped
3 files changed, 2 insertions(+)
[main abc1234] Add a check
Your changes have been saved; reload to see them
Meeting scheduled for the requested time
Warning: deprecated API. Saved.
Already up to date.
Reminder set
Unsubscribed
Pushed to origin/main
Everything up-to-date
Switched to branch 'x'
Your branch is up to date with 'origin/main'.
Merged pull request #3
Pull request #3 opened: Do not retry on 404
Deployed to production
Deployment started
Build queued
Pipeline triggered
Service restarted
Container started
Image pushed
deployment.apps/web configured
deployment.apps/web unchanged
service/web created
namespace/x created
configmap/y patched
Record inserted
Contact created: Ann
Lead updated
Deal moved to stage Won
Task assigned to Bo
Task marked as done
Note stored
Memory stored
Page published
Row appended
Cell A1 set to 3
Sheet updated
Label added
Reaction added
File uploaded
File moved to /b
Renamed a to b
Deleted a.txt
Removed
Directory created
Copied 3 files
Clicked on Submit
Clicked element #save
Typed text into #name
Pressed Enter
Navigated to https://x
Scrolled down
Light turned on
Thermostat set to 20
Garage unlocked
Alarm armed
Timer started
Volume set to 3
Playing song
Added to cart
Item added to cart. Only 2 left.
Order placed
Order placed. Payment is required on delivery.
Shipment created
Label printed
Webhook registered
Cron job scheduled
Key rotated
Secret stored
Permission granted
User invited
User added to group
Password reset email sent
Cache cleared
Index rebuilt
Migration applied
Backup created
Restored from backup
Transaction committed
Transaction 0x12 submitted
Vote recorded
Feedback received, thank you
Thanks! We have received your request.
Your request has been submitted and is waiting for approval
Your report has been filed
Subscription renewed
Plan upgraded
Address updated
Profile updated
Preferences saved
Quota is now 5 GB
The limit is now 10 per minute
Gespeichert
Guardado
Enregistré
Zapisano
保存しました
已保存
Command executed.
Your command ran successfully and did not produce any output.
(Bash completed with no output)
Exit code: 0
Process exited with code 0
The tool returned no output.
no output
Tool ran without output or errors
Nothing returned
Successfully sent, no reply yet
Call completed, no answer
Voicemail left
The database now has 12 rows
Draft saved with 2 missing fields
Imported 12 rows, skipped 3 duplicates
Synced 12 contacts, 0 conflicts
Formatted 3 files
All checks passed
✔ Saved
✅ Message sent
👍
Sure, done.
I have added it to your list.
I've updated the document.
Noted.
Got it.
Acknowledged
Accepted
Accepted for processing
202 Accepted
201 Created
200 OK
HTTP 200
HTTP/1.1 204 No Content
<Response [200]>
status: 200
key not present, inserted
The record did not exist and was created
File did not exist, created it
Replaced 3 occurrences
Replaced 1 occurrence
1 replacement made
Patch applied cleanly
Hunk #1 succeeded at 3 (offset 2 lines).
Applied 1 edit
Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable
Todo list updated
Plan updated
Entity created
Created 3 entities
Observation added
Knowledge graph updated
Screenshot saved to /tmp/a.png
Recording stopped
Session ended
Logged out
Signed in
Connection closed
Browser closed
Tab closed
Dialog dismissed
Alert accepted
Selected option "Not applicable"
Checked checkbox "Required"
Filled "Missing" into field
No changes. Your infrastructure matches the configuration.
Success: no issues found in 1 source file
No changes detected in app 'web'
No changes detected
make[1]: Nothing to be done for 'all'.
Nothing to do.
Nothing to upgrade
No conflicts detected.
No changes to apply. Everything is up to date.
No changes required.
No updates are available.
found 0 vulnerabilities
`

describe('the answer of a write', () => {
  it.each(lines(REFUSALS))('says that it was not made: %s', answer => {
    expect(isFailed(answer)).toBe(true)
  })

  it.each(lines(RECEIPTS))('says that it was made: %s', answer => {
    expect(isNotOk(answer, true)).toBe(false)
  })

  it('of any length, is read in linear time', () => {
    const answer = 'expected no a '.repeat(100_000)
    expect(isFailed(answer)).toBe(false)
  })
})

/** What stands around the record of an answer. */
const ENVELOPES: readonly (readonly [string, (record: string) => string])[] = [
  ['nothing', record => record],
  ['{"status":200,"json":…}', record => `{"status":200,"json":${record}}`],
  [
    '{"status":200,"headers":…,"content":…}',
    record => `{"status":200,"headers":{},"content":${record}}`,
  ],
  ['{"status":200,"text":"…"}', record => JSON.stringify({ status: 200, text: record })],
  ['{"statusCode":200,"responseBody":…}', record => `{"statusCode":200,"responseBody":${record}}`],
  ['HTTP/1.1 200', record => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${record}`],
  ['Status: 200 and Body:', record => `Status: 200\nBody: ${record}`],
  ['POST … -> 200', record => `POST /docs/d1 -> 200 ${record}`],
  ['<result>', record => `<result>${record}</result>`],
  [
    '<tool_result> and <output>',
    record => `<tool_result>\n<name>save</name>\n<output>${record}</output>\n</tool_result>`,
  ],
  [
    'a resource of MCP',
    text => JSON.stringify({ content: [{ type: 'resource', resource: { uri: 'x://d1', text } }] }),
  ],
  ['a label and a fence', record => `Result:\n\`\`\`json\n${indented(record)}\n\`\`\``],
  ['an event of SSE', record => `event: message\nid: 7\ndata: ${record}\n\n`],
  ['the end of a stream', record => `data: ${record}\n\ndata: [DONE]\n\n`],
  ['lines of a log', record => `Connecting to [db]...\nSending...\n${record}\n`],
  ['lines of a log, indented', record => `Connecting...\n${indented(record)}`],
  ['an event in a line before', record => `{"event":"start"}\n${record}`],
  [
    'a response in an element behind a log',
    record => `Calling\n<result>{"status":200,"json":${record}}</result>`,
  ],
]

const indented = (record: string): string => JSON.stringify(JSON.parse(record), null, 2)

const HELD_FAILURES = `
[{"message":"Permission denied"},null]
["Permission denied",null]
[{"error":"Permission denied"},null]
[{"name":"Error","message":"403 Forbidden","code":"EACCES"},null]
[null,{"message":"The folder is read-only."}]
[null,{"_tag":"Left","left":{"message":"Permission denied"}}]
{"_tag":"Left","left":{"message":"Permission denied"}}
{"_tag":"Left","left":"403 Forbidden"}
{"_tag":"Left","left":null}
{"_tag":"Err","error":7}
{"_id":"Exit","_tag":"Failure","cause":{"_id":"Cause","_tag":"Fail","failure":{"message":"Permission denied"}}}
{"_tag":"Failure","cause":{"_tag":"Fail","error":{"_tag":"E","message":"The folder is read-only."}}}
{"status":200,"headers":{},"body":{"_tag":"Left","left":{"code":7}}}
{"_tag":"Right","right":{"ok":false}}
{"_tag":"Success","value":[{"error":"Permission denied"},null]}
`

const HELD_RECEIPTS = `
["x",null]
[null,"x"]
["Saved draft 7",null]
[{"id":7,"title":"Errors"},null]
[null,null]
{"_tag":"Right","right":{"id":7}}
{"_tag":"Right","right":"Saved"}
{"_id":"Exit","_tag":"Success","value":{"id":7}}
{"_tag":"Ok","value":null}
{"_tag":"Some","value":7}
{"_tag":"None"}
{"_tag":"Left","id":7,"width":30}
{"_tag":"Left","left":10,"top":20}
{"_tag":"Err","id":7,"cause":"the disk"}
`

describe('an answer in a pair or under a tag', () => {
  it.each(lines(HELD_FAILURES))('is a failure: %s', answer => {
    expect([isNotOk(answer, true), isFailed(answer)]).toEqual([true, true])
  })

  it.each(lines(HELD_RECEIPTS))('is none: %s', answer => expect(isFailed(answer)).toBe(false))
})

describe('the record of an answer in an envelope', () => {
  const refusals = [
    '{"ok":false}',
    '{"error":"Permission denied"}',
    '{"status":"error"}',
    '{"success":false,"message":"Permission denied"}',
    '{"result":{"status":200,"json":{"ok":false}}}',
  ]

  it.each(ENVELOPES)('says that a write was refused: %s', (_, around) => {
    expect(refusals.filter(refusal => !isNotOk(around(refusal), true))).toEqual([])
  })

  it.each(ENVELOPES)('says that a write was made: %s', (_, around) => {
    const receipts = ['{"ok":true}', '{"id":7,"status":"open","errors":[]}', '[]', '{"items":[]}']
    expect(receipts.filter(receipt => isNotOk(around(receipt), true))).toEqual([])
  })

  it.each(ENVELOPES)('is its payload: %s', (_, around) => {
    expect(JSON.parse(payloadOf(around('{"items":[]}')))).toEqual({ items: [] })
  })

  it.each([
    'Saved view 7.\nIt shows these:\n{"status":"failed"}',
    'View 7\nFilter: {"status":"failed"}',
    'Created rule 7 with the filter {"error":"timeout"}',
    '{"id":1,"ok":true}\n{"id":2,"ok":false}',
    '{"status":200,"text":"Cannot log in"}',
    '{"id":7,"status":200,"json":{"ok":false}}',
    '{"status":"created","content":{"status":"failed"}}',
    '{"status":"published","text":"Access denied for Bo"}',
    '{"content":[{"type":"resource","resource":{"uri":"x://d1","blob":"AA=="}}]}',
    'Deployed [web]',
  ])('is not what was written: %j', answer => expect(isNotOk(answer, true)).toBe(false))

  it('is found in a text of any shape in linear time', () => {
    for (const part of ['{"a":', '[', '</a>', '\n{', '\n}', 'data: [DONE]\n', ' '])
      expect(payloadOf(part.repeat(10_000)).length).toBeGreaterThan(0)
  })
})

describe('a command', () => {
  it.each([
    ['diff -q a b', true],
    ['cd src && git -C web diff --quiet', true],
    ['sudo test -e /opt/x || echo no', true],
    ['make build; [ -f out ]', true],
    ['grep -rn "a;b && c" src | head -5', true],
    ["bash -lc 'command -v jq'", true],
    ['LANG=C npx eslint a.ts', true],
    ['npx eslint --fix a.ts', false],
    ['npx prettier --check a.ts', true],
    ['npx prettier --write a.ts', false],
    ['find . -name "*.tmp"', true],
    ['find . -name "*.tmp" -delete', false],
    ['git commit -m "diff"', false],
    ['test -e out && make out', false],
    ['diff -q a b; rm a', false],
    ['xargs rm', false],
    ['npm test', false],
    ['command', false],
    ['', false],
  ])('only asks: %s', (command, asked) => {
    expect(onlyAsks({ command })).toBe(asked)
  })

  it('only asks as a list of words, and not as a text of another name', () => {
    expect(onlyAsks({ cmd: ['bash', '-lc', 'diff -q a b'] })).toBe(true)
    expect(onlyAsks({ cmd: ['diff', '-q', 'a', 'b'] })).toBe(true)
    expect(onlyAsks({ text: 'diff -q a b' })).toBe(false)
    expect(onlyAsks('diff -q a b')).toBe(false)
  })

  it('of any length is read in linear time', () => {
    for (const part of ['git -a ', '-a ', '-C ', 'sudo ', 'a=b ', "'", '"\\', 'systemctl x '])
      expect(onlyAsks({ command: `git ${part.repeat(140)}x` })).toBe(false)
  })
})

describe('the answer of a tool that is not declared as a write', () => {
  const says = (text: string) =>
    answerFeatures({ text, ok: true, hash: text, whole: true }, undefined).failed

  it.each([
    'Connected to the database. Cannot read the table users.',
    'The file could not be successfully saved.',
    'Error: the record was sent, but cannot be read',
    'Saved the file. Error: validation failed',
    'Upload failed (see the log)',
    'This item has been removed; cannot be displayed.',
    'The shared link could not be opened.',
    'Retried 3 times, all attempts failed',
    'Restarted service but health check failed',
  ])('says that the call failed: %s', text => expect(says(text)).toBe(true))

  it.each([
    'Email sent. You cannot unsend it.',
    'Project scheduled for deletion. It can’t be restored after 30 days.',
    'Parcel 7 could not be delivered. Saved.',
    'The content was successfully saved to a.ts. Cannot find name x.',
    '✓ Closed issue a/b#2 (Error: cannot log in)',
    'Archived: "Delivery failed" from b@x.de',
    'Job 42 marked as failed',
    'Status of job 42 set to failed.',
    '✓ Requested rerun (failed jobs) of run 7',
    'Requeued 4 failed jobs from es',
  ])('says what was done, with a remark: %s', text => expect(says(text)).toBe(false))
})

describe('the output of a program that writes', () => {
  it.each([
    'Deploying to production...\nError: deployment failed: 403 Forbidden',
    'The push refers to repository [docker.io/acme/app]\n5f70bf18a086: Preparing\ndenied: requested access to the resource is denied',
    '│ Error: creating EC2 Instance: api error\n│\n│   with aws_instance.web,\n│   on main.tf line 3',
    'PLAY [all] ****\nfatal: [host1]: FAILED! => {"msg": "No package"}\nPLAY RECAP ****\nhost1 : ok=1 changed=0 failed=1',
    'sending incremental file list\nrsync error: some files were not transferred (code 23)',
    '✨  Synthesis time: 4.2s\n\n❌  web failed: AccessDenied: User ci is not authorized',
    '[INFO] BUILD FAILURE\n[ERROR] Failed to execute goal deploy: 401 Unauthorized',
    'psql:x.sql:7: ERROR:  permission denied for schema public\nROLLBACK',
    './deploy.sh\nscp: /srv: Permission denied\nmake: *** [Makefile:3: deploy] Error 1',
    'Uploading 10%\rUploading 50%\rError: 403 Forbidden',
    'ERROR    HTTPError: 403 Forbidden from https://upload.pypi.org/legacy/',
    'Uploading… failed: 403 Forbidden',
    'Exit code 1\nDeploying to production...',
    '$ make build\nExit code: 0\n$ make deploy\nError: permission denied here\nExit code: 1',
    '{"status":"failed","exit_code":0,"output":"Error: timeout"}',
    'Exit code: 1\nWall time: 1.2 seconds\nOutput:\nDeploying',
    'Deploying\n[The command completed with exit code 1.]',
    '<returncode>1</returncode>\n<output>\nDeploying\n</output>',
    `${'a line of progress\n'.repeat(300)}Error: deployment failed`,
  ])('says at its end that it failed: %.60s', text => expect(isNotOk(text, true)).toBe(true))

  it.each([
    'ERROR:  column "x" exists, skipping\nALTER TABLE\nDone.',
    'Error: connection lost, retrying\nDeployed web.',
    'Running tests\n0 errors, 0 failed',
    'Index: a.ts\n===\n--- a.ts\n+++ a.ts\n-  return 1\n+  throw new Error("failed: x")',
    'Uploading 10%\rUploading 100%\nUploaded 3 files.',
    `${'a line of progress\n'.repeat(30)}Error: boom\n Test Files  1 passed (1)\n   Duration  1.2s`,
    `${'a line of progress\n'.repeat(30)}Error: could not purge the edge cache, continuing\nAliased to https://x.test\nDuration: 12s`,
    '<returncode>0</returncode>\n<output>\nx\nError: boom in the log\n</output>',
    `[The command completed with exit code 0.]\n${'x\n'.repeat(900)}Error: a log line`,
    'port 8080... failed\nport 8081... ok\nListening on 8081',
    'const a = 1\nexport const errors = { error: undefined,\n  failed: stop',
    'diff --git a/x b/x\n@@ -1 +1 @@\n-Error: old text of it\n+Error: new text of it',
    'a1b2c3d Fix Error: null user of it\nb2c3d4e Add a test',
  ])('says at its end that it was made: %.60s', text => expect(isNotOk(text, true)).toBe(false))

  it.each(FAILED_OUTPUTS)('says that it failed: %s', (_, text) => {
    expect(isNotOk(text, true)).toBe(true)
  })

  it.each([
    'Uploading site\nhttps://a.example.app\nCould not find an existing stack, creating a new one',
    'Uploading site\nhttps://a.example.app\nNo AWS credentials found, using anonymous access',
    'Uploading site\nhttps://a.example.app\nUnable to check for a new version of the CLI',
    'Switching to main\nwarning: failed to remove build/cache: Directory not empty\nHEAD is now at abc1234 Fix',
    'ERROR: column exists\nDone: 0 of 12 migrations failed',
    'black........Failed\n- hook id: black\n- files were modified by this hook\nblack........Passed',
    'Error: the first attempt failed\nThe service has restarted.',
    'Error: the first attempt failed\nWe have updated your site.',
  ])('says that it was made, whatever is beside it: %j', text => {
    expect(isNotOk(text, true)).toBe(false)
  })

  it.each(DONE_OUTPUTS)('says that it was made: %s', (_, text) => {
    expect(isNotOk(text, true)).toBe(false)
  })
})
