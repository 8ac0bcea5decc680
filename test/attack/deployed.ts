/** Outputs of programs that change a system, after the whole of which the change was made, or was not. */
import type { Shape } from './loops.ts'

type Output = readonly [of: string, output: string]

const play = (task: string, ...recaps: readonly string[]) =>
  [
    `PLAY [web] ${'*'.repeat(60)}\n`,
    `TASK [Gathering Facts] ${'*'.repeat(48)}\nok: [web1]\n`,
    `TASK [copy unit] ${'*'.repeat(54)}\n${task}\n`,
    `PLAY RECAP ${'*'.repeat(60)}`,
    ...recaps,
  ].join('\n')
const recap = (host: string, counts: string) => `${host.padEnd(27)}: ${counts}   `

const GOOD_HOSTS = Array.from({ length: 20 }, (_, n) =>
  recap(
    `web${n + 2}`,
    'ok=5    changed=1    unreachable=0    failed=0    skipped=0    rescued=0    ignored=0',
  ),
)

const LOCKED = `╷
│ Error: Error acquiring the state lock
│
│ Error message: ConditionalCheckFailedException: The conditional request failed
│ Lock Info:
│   ID:        5f70bf18-a086
│   Path:      state/terraform.tfstate
│   Operation: OperationTypeApply
│   Who:       ada@ci
│   Version:   1.9.5
│   Created:   2026-01-03 10:00:00.123 +0000 UTC
│   Info:
│
│
│ Terraform acquires a state lock to protect the state from being written
│ by multiple users at the same time. Please resolve the issue above and try
│ again. For most commands, you can disable locking with the "-lock=false"
│ flag, but this is not recommended.
╵
`

/** Each has a word such as "written" after its error. */
export const FAILED_OUTPUTS: readonly Output[] = [
  [
    'ansible-playbook',
    play(
      'fatal: [web1]: FAILED! => {"changed": false, "msg": "Destination /etc/app not writable"}',
      recap(
        'web1',
        'ok=1    changed=0    unreachable=0    failed=1    skipped=0    rescued=0    ignored=0',
      ),
    ),
  ],
  [
    'ansible-playbook that reaches no host',
    play(
      'fatal: [web1]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh"}',
      recap(
        'web1',
        'ok=0    changed=0    unreachable=1    failed=0    skipped=0    rescued=0    ignored=0',
      ),
    ),
  ],
  [
    'ansible-playbook that fails on one of two hosts',
    play(
      'changed: [web2]',
      recap(
        'web1',
        'ok=1    changed=0    unreachable=0    failed=1    skipped=0    rescued=0    ignored=0',
      ),
      recap(
        'web2',
        'ok=2    changed=1    unreachable=0    failed=0    skipped=0    rescued=0    ignored=0',
      ),
    ),
  ],
  [
    'ansible-playbook that fails on the first of 21 hosts',
    play(
      'fatal: [web1]: FAILED! => {"changed": false, "msg": "Destination /etc/app not writable"}',
      recap(
        'web1',
        'ok=1    changed=0    unreachable=0    failed=1    skipped=0    rescued=0    ignored=0',
      ),
      ...GOOD_HOSTS,
    ),
  ],
  [
    'ansible-playbook that fails on one of 21 hosts, with the times of its tasks',
    `${play(
      'fatal: [web1]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh"}',
      recap(
        'web1',
        'ok=0    changed=0    unreachable=1    failed=0    skipped=0    rescued=0    ignored=0',
      ),
      ...GOOD_HOSTS,
    )}\nSaturday 03 January 2026  10:00:00 +0000 (0:00:01.234)       0:00:12.345 ******\n${'='.repeat(79)}\n${'copy unit '.padEnd(72, '-')} 1.02s\n`,
  ],
  [
    'ansible',
    'web1 | FAILED! => {\n    "changed": false,\n    "msg": "Destination /etc/app not writable"\n}',
  ],
  [
    'ansible that reaches no host',
    'web1 | UNREACHABLE! => {\n    "changed": false,\n    "msg": "Failed to connect to the host via ssh",\n    "unreachable": true\n}',
  ],
  ['terraform apply without its lock', LOCKED],
  [
    'docker push without a login',
    'The push refers to repository [reg.example/app]\n5f70bf18a086: Preparing\nunauthorized: authentication required',
  ],
  [
    'wrangler',
    '✘ [ERROR] A request to the Cloudflare API (/accounts/x/storage) failed.\n\n  Authentication error [code: 10000]\n\n🪵  Logs were written to "/root/.config/.wrangler/logs/wrangler.log"',
  ],
  [
    'cargo publish',
    'error: failed to publish to registry at https://crates.io\n\nCaused by:\n  the remote server responded with an error (status 403 Forbidden): must be logged in to perform that action',
  ],
  [
    'docker push without credentials',
    'The push refers to repository [1.dkr.ecr.eu-west-1.amazonaws.com/web]\n5f70bf18a086: Preparing\nno basic auth credentials',
  ],
  [
    'docker push of an unknown name',
    "The push refers to repository [1.dkr.ecr.eu-west-1.amazonaws.com/web]\n5f70bf18a086: Retrying in 1 second\nname unknown: The repository with name 'web' does not exist in the registry with id '1'",
  ],
  [
    'docker push to a registry that fails',
    'The push refers to repository [reg.example/web]\n5f70bf18a086: Pushed\nreceived unexpected HTTP status: 500 Internal Server Error',
  ],
  [
    'docker push of a missing image',
    'The push refers to repository [reg.example/web]\nAn image does not exist locally with the tag: reg.example/web',
  ],
  [
    'wrangler without a permission',
    'Total Upload: 12 KiB / gzip: 4 KiB\n\n✘ [ERROR] A request to the Cloudflare API (/accounts/x/workers/scripts/web) failed.\n\n  Authentication error [code: 10000]\n\n\n📎 It looks like you are authenticating Wrangler via a custom API token set in an environment variable.\nPlease ensure it has the correct permissions for this operation.\n\nGetting User settings...\nℹ️  The API Token is read from the CLOUDFLARE_API_TOKEN environment variable.\n👋 You are logged in with an User API Token, associated with the email a@b.c.\n┌──────────────┬──────────────┐\n│ Account Name │ Account ID   │\n├──────────────┼──────────────┤\n│ Acme         │ 0f2a         │\n└──────────────┴──────────────┘\n🔓 To see token permissions visit https://dash.cloudflare.com/profile/api-tokens.\n🪵  Logs were written to "/root/.config/.wrangler/logs/wrangler.log"\n',
  ],
  [
    'cargo publish above its rate',
    '   Uploading web v0.1.0\nerror: failed to publish to registry at https://crates.io\n\nCaused by:\n  the remote server responded with an error (status 429 Too Many Requests): You have published too many new crates in a short period of time. Please try again after Sat, 03 Jan 2026 10:00:00 GMT and see https://crates.io/docs/rate-limits for more details.',
  ],
  [
    'cdk deploy without credentials',
    '✨  Synthesis time: 3.2s\n\nUnable to resolve AWS account to use. It must be either configured when you define your CDK Stack, or through the environment\n',
  ],
  [
    'cdk deploy that is rolled back',
    'web: deploying... [1/1]\nweb: creating CloudFormation changeset...\n10:00:00 AM | CREATE_FAILED        | AWS::S3::Bucket | B\nx already exists\n\n ❌  web failed: ToolkitError: The stack named web failed creation: ROLLBACK_COMPLETE: x already exists\n    at FullCloudFormationDeployment.monitorDeployment (/usr/lib/node_modules/aws-cdk/lib/index.js:434:10615)\n\n ✨  Deployed 0 of 1 stacks\n',
  ],
  ['make without a rule', "make: *** No rule to make target 'install-web'.  Stop."],
  ['scp to an unknown host key', 'Host key verification failed.\r\nscp: Connection closed\r\n'],
  [
    'scp to a missing folder',
    'scp: dest open "/srv/x/": Failure\nscp: failed to upload file web.tgz to /srv/x/',
  ],
  [
    'pre-commit before a hook that passed',
    'Trim Trailing Whitespace.................................................Failed\n- hook id: trailing-whitespace\n- exit code: 1\n- files were modified by this hook\n\nFixing a.py\n\nblack....................................................................Passed\n',
  ],
  [
    'lefthook',
    '╭──────────────────────────────────────╮\n│ 🥊 lefthook v1.7.0  hook: commit-msg │\n╰──────────────────────────────────────╯\n┃  commitlint ❯ \n\nexit status 1\nsummary: (done in 0.51 seconds)\n🥊 commitlint: exit status 1',
  ],
  ['scp', 'deploy@web: Permission denied (publickey).\nscp: Connection closed'],
  [
    'commitlint',
    '⧗   input: Fix\n✖   subject may not be empty [subject-empty]\n✖   type may not be empty [type-empty]\n\n✖   found 2 problems, 0 warnings\nⓘ   Get help: https://github.com/conventional-changelog/commitlint/#what-is-commitlint\n\nhusky - commit-msg script failed (code 1)',
  ],
  ['husky', 'husky - pre-commit script failed (code 1)'],
  ['an older husky', 'running checks\nhusky - pre-commit hook exited with code 1 (error)'],
  [
    'exit code 1 of Claude before what was skipped',
    'Exit code 1\ndeploying web\nassets copied, 2 files skipped\nlogs saved',
  ],
  [
    'jira',
    "✗ jira: Received unexpected response '400 Bad Request'.\nError:\n  - project: project is required",
  ],
  ['sqlite3', 'Runtime error near line 1: UNIQUE constraint failed: t.id (19)'],
  [
    'Express',
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot POST /entries</pre>\n</body>\n</html>',
  ],
  [
    'aws',
    'usage: aws [options] <command> <subcommand> [<subcommand> ...] [parameters]\n\naws: error: argument --item: expected one argument',
  ],
  [
    'Kinesis',
    '{"FailedRecordCount":1,"Records":[{"ErrorCode":"ProvisionedThroughputExceededException","ErrorMessage":"Rate exceeded for shard"}]}',
  ],
  ['EventBridge', '{"FailedEntryCount":1,"Entries":[{"ErrorCode":"InternalFailure"}]}'],
]

export const DONE_OUTPUTS: readonly Output[] = [
  [
    'helm upgrade --install',
    'Release "web" does not exist. Installing it now.\nNAME: web\nLAST DEPLOYED: Sat Jan  3 10:00:00 2026\nNAMESPACE: default\nSTATUS: deployed\nREVISION: 1\nTEST SUITE: None\n',
  ],
  [
    'ansible-playbook',
    play(
      'changed: [web1]',
      recap(
        'web1',
        'ok=3    changed=1    unreachable=0    failed=0    skipped=2    rescued=0    ignored=0',
      ),
    ),
  ],
  [
    'ansible-playbook with an ignored error',
    play(
      'fatal: [web1]: FAILED! => {"changed": false, "msg": "No such unit"}\n...ignoring',
      recap(
        'web1',
        'ok=3    changed=1    unreachable=0    failed=0    skipped=0    rescued=0    ignored=1',
      ),
    ),
  ],
  [
    'ansible-playbook on 21 hosts',
    play(
      'changed: [web1]',
      recap(
        'web1',
        'ok=2    changed=1    unreachable=0    failed=0    skipped=0    rescued=0    ignored=0',
      ),
      ...GOOD_HOSTS,
    ),
  ],
  [
    'pre-commit before a second commit',
    'Trim Trailing Whitespace.................................................Failed\n- hook id: trailing-whitespace\n- exit code: 1\n- files were modified by this hook\n\nFixing a.py\n\nTrim Trailing Whitespace.................................................Passed\n[main abc1234] Fix the login\n 1 file changed, 2 insertions(+)\n',
  ],
  [
    'a program that tries again after an exit status',
    'web: exit status 1\nretrying\nDeployed web.',
  ],
  ['a program that ends with what is missing', 'Restarted web.\nCould not find a cache'],
  ['ssh -t', 'web restarted\nConnection to web closed.'],
  ['ansible', 'web1 | CHANGED => {\n    "changed": true,\n    "dest": "/etc/app/web.conf"\n}'],
  [
    'terraform apply',
    'aws_s3_bucket.b: Creating...\naws_s3_bucket.b: Creation complete after 2s [id=web]\n\nApply complete! Resources: 1 added, 0 changed, 0 destroyed.\n',
  ],
  [
    'docker push',
    'The push refers to repository [reg.example/app]\n5f70bf18a086: Layer already exists\nlatest: digest: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 size: 1234',
  ],
  [
    'a program that names its log',
    'Uploaded web (2.1 sec)\nDeployed web triggers\n  https://web.example.workers.dev\nLogs were written to "/root/.wrangler/logs/wrangler.log"',
  ],
  [
    'a program that names its log after an error that it skips',
    'ERROR: column "x" exists, skipping\nALTER TABLE\nDone.\nLogs were written to /var/log/migrate.log',
  ],
  ['a migration that goes on after an error', 'ERROR: column "x" exists\nALTER TABLE\nDone.'],
  ['a test that goes on after an error', 'Error: connect ECONNREFUSED\n12 passed'],
  [
    'commitlint with warnings',
    '⧗   input: fix: mend the login\n⚠   footer must have leading blank line [footer-leading-blank]\n\n⚠   found 0 problems, 1 warnings\n[main abc1234] fix: mend the login\n 1 file changed',
  ],
  [
    'Kinesis of which one record was put',
    '{"FailedRecordCount":1,"Records":[{"ErrorCode":"InternalFailure"},{"SequenceNumber":"21","ShardId":"0"}]}',
  ],
  ['an import of which some rows failed', 'Reading orders.csv\nimported=98 failed=2 skipped=0'],
  ['Kinesis', '{"FailedRecordCount":0,"Records":[{"SequenceNumber":"21","ShardId":"0"}]}'],
]

const SERVICES = 'report invoice summary draft plan notes budget roadmap'.split(' ')
const service = (n: number) => `${SERVICES[n % 8]}-${n}`

export const deploymentOf = (of: string): string =>
  `a deployment of one service after the other, with the output of ${of}`

const deploys = ([of, result]: Output, healthy?: true): Shape => ({
  name: deploymentOf(of),
  ...(healthy && { healthy }),
  lap: n => ({ tool: 'deploy', args: { service: service(n), env: 'prod' }, result }),
})

/** The tool is declared as a write. */
export const DEPLOYED: readonly Shape[] = [
  ...FAILED_OUTPUTS.map(output => deploys(output)),
  ...DONE_OUTPUTS.map(output => deploys(output, true)),
]
