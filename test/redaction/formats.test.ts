/** Tokens, keys and passwords are masked by their form, in text and in headers. Text that resembles them is kept. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { KEYWORDS } from '../../src/runtime/redaction/token-formats.ts'

const redact = redactor()
/** Written in two parts: scanners of repositories would report the whole. */
const join = (prefix: string, rest: string) => prefix + rest
const body = (length: number) => 'aB3dE6gH9kL2nP5rS8uV1xY4'.repeat(6).slice(0, length)

describe('credentials are recognized by their format', () => {
  test.each([
    join('sk-', body(32)),
    join('sk-proj-', body(60)),
    join('sk_live_', body(24)),
    join('rk_live_', body(24)),
    join('ghp_', body(36)),
    join('github_pat_', `${body(22)}_${body(59)}`),
    join('glpat-', body(20)),
    join('hf_', body(34)),
    join('npm_', body(36)),
    join('AIza', body(35)),
    join('AKIA', 'ABCDEFGH23456789'),
    join('ASIA', 'ABCDEFGH23456789'),
    join('xoxb-', body(40)),
    join('SG.', `${body(22)}.${body(43)}`),
    join('eyJ', `${body(20)}.${body(30)}.${body(40)}`),
    join('eyJ', `${body(20)}..${body(40)}`),
    join('eyJ', `${body(20)}..${body(16)}.${body(60)}.${body(22)}`),
    join('eyJ', `${body(20)}.${body(80)}.${body(16)}.${body(60)}.${body(22)}`),
    join(
      '---- BEGIN SSH2 ',
      `ENCRYPTED PRIVATE KEY ----\nComment: "a"\n${body(64)}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
    ),
    join('dop_v1_', body(64)),
    join('lsv2_pt_', body(40)),
    join('123456789:AA', body(33)),
    join('csk-', body(48)),
    join('pcsk_', `${body(6)}_${body(63)}`),
    join('nvapi-', body(64)),
    join('dapi', 'a1b2c3d4'.repeat(4)),
    join('dapi', `${'a1b2c3d4'.repeat(4)}-2`),
    join('ATCTT3', body(60)),
    join('dckr_oat_', body(27)),
    ...[
      'gloas-',
      'glimt-',
      'glagent-',
      'CCIPAT_',
      'pat-na1-',
      'pat-eu1-',
      'nfp_',
      'squ_',
      'sqp_',
      'sqa_',
    ].map(prefix => join(prefix, body(40))),
    ...['lin_oauth_', 'access-production-', 'xkeysib-', 'fm2_'].map(prefix =>
      join(prefix, body(48)),
    ),
    join('tskey-', `auth-${body(12)}CNTRL-${body(32)}`),
    join('sk_', 'a1b2c3d4'.repeat(6)),
    ...['sk_prod_', 'xoxo-', 'sm_pat_', 'NRJS-', 'NRII-', 'GR1348941', 'hvr.', 'dt0c01.'].map(
      prefix => join(prefix, body(32)),
    ),
    ...['api_org_', 'FLWSECK_TEST-', 'p8e-', 'ico-', 'HRKU-', 'tfp_', 'access-sandbox-'].map(
      prefix => join(prefix, body(36)),
    ),
    ...['fo1_', 'fm1r_', 'duffel_live_', 'shippo_live_', 'pul-', 'rdme_', 'sgp_', 'dp.ct.'].map(
      prefix => join(prefix, body(64)),
    ),
    ...['pnu_', 'pscale_oauth_', 'fio-u-', 'tk-us-', 'CLOJARS_', 's-s4t2ud-', 'xsmtpsib-'].map(
      prefix => join(prefix, body(64)),
    ),
    join('key-', 'a1b2c3d4'.repeat(4)),
    join('API-', 'A1B2C3D4E5F6G7H8J9K0L1M2N3'),
    join('LTAI', body(20)),
    join('AKCp', body(69)),
    join('cmVmd', body(59)),
    join('EZAK', body(54)),
    join('EZTK', body(54)),
    join('EAAA', body(60)),
    join('EAAC', body(120)),
    join('AQVN', body(36)),
    join('sha256~', body(43)),
    join('IQoJb3JpZ2lu', body(120)),
    join('FwoGZXIvYXdz', body(120)),
    join('v1.0-', `${'a1b2c3d4'.repeat(3)}-${'a1b2c3d4'.repeat(18)}a1`),
    join('aB3', `8Q~${body(34)}`),
    join(body(6), `_${body(29)}_mmk`),
    join('a1b2c3d4'.repeat(4), '-us12'),
    join(body(14), `.atlasv1.${body(67)}`),
    join('MTk4NjIyNDgzNDcxOTI1MjQ4', `.${body(6)}.${body(38)}`),
    join('xoxc-', `1234567890-1234567890-1234567890-${body(64)}`),
    join('xwfp-', `1234567890-${body(32)}`),
    join('ABSK', `${body(120)}==`),
    join('bedrock-api-key-', body(140)),
    ...['glffct-', 'glwt-', 'glrtr-', 'ek_live_', 'ek_test_'].map(prefix => join(prefix, body(20))),
    join('AQ.Ab', body(48)),
    join('1//0', `${body(30)}-L9Ir${body(40)}`),
    join('sess-', body(40)),
    join('ek_', 'a1b2c3d4'.repeat(4)),
    ...['sk_org_live_', 'sk_org_test_'].map(prefix => join(prefix, body(48))),
    join('v1.', 'a1b2c3d4'.repeat(5)),
  ])('%s', secret => {
    for (const text of [secret, `a ${secret} b`, `"${secret}"`, `key=${secret}`, `x: ${secret},`]) {
      expect(redact(text)).not.toContain(secret.slice(-12))
      expect(redact(text)).toContain('[redacted]')
    }
  })

  test.each([
    [`Authorization: Basic ${btoa('user:hunter22')}`, 'Authorization: Basic [redacted]'],
    [`authorization: bearer ${body(20)}`, 'authorization: bearer [redacted]'],
    [`Bearer ${body(20)}`, 'Bearer [redacted]'],
    [`401: bad Basic ${btoa('user:hunter22')}`, '401: bad Basic [redacted]'],
    [`401: bad bearer ${body(20)}`, '401: bad bearer [redacted]'],
    ['Server=db;User=sa;Password=hunter22;', 'Server=db;User=sa;Password=[redacted];'],
    ['Uid=sa;Pwd=/hunter22;', 'Uid=sa;Pwd=[redacted];'],
    ['DB_PASSWORD="hunter22"', 'DB_PASSWORD="[redacted]"'],
    ['https://x.test/?password=hunter22&y=1', 'https://x.test/?password=[redacted]&y=1'],
    [`d=${join('xoxd-', `${body(8)}%2B${body(30)}%2F${body(9)}%3D%3D; b=1`)}`, 'd=[redacted]; b=1'],
    [`%22${join('xoxd-', `${body(20)}%252B${body(30)}%22`)}`, '%22[redacted]%22'],
    ['{"password":"hunter22","user":"ada"}', '{"password":"[redacted]","user":"ada"}'],
    ['DB_PASSWORD=Pa$$w0rd!23', 'DB_PASSWORD=[redacted]'],
    ['SECRET_KEY=9f8e7d6c5b4a\nDEBUG=false\n', 'SECRET_KEY=[redacted]\nDEBUG=false\n'],
    ['{"content":"SECRET_KEY=9f8e7d6c5b4a"}', '{"content":"SECRET_KEY=[redacted]"}'],
    [
      String.raw`{"text":"A=1\nAPP_ENCRYPTION_KEY=9f8e7d6c5b4a\nexport MASTER_KEY=\"9f8e7d6c\"\n"}`,
      String.raw`{"text":"A=1\nAPP_ENCRYPTION_KEY=[redacted]\nexport MASTER_KEY=\"[redacted]\"\n"}`,
    ],
    [
      String.raw`"{\"text\":\"A_KEY=9f8e7d6c\",\"b\":\"password=hunter22\"}"`,
      String.raw`"{\"text\":\"A_KEY=[redacted]\",\"b\":\"password=[redacted]\"}"`,
    ],
    ['export STRIPE_KEY=9f8e7d6c', 'export STRIPE_KEY=[redacted]'],
    ['APP_KEY=base64:9f8e7d+/6c5b4a==', 'APP_KEY=[redacted]'],
    ['SECRET_KEY_BASE=9f8e7d6c5b4a', 'SECRET_KEY_BASE=[redacted]'],
    ['JWT_SECRET_PROD=aX9!kq#2 # of the shop', 'JWT_SECRET_PROD=[redacted] # of the shop'],
    ["SECRET_KEY = 'django-insecure-x(9\"y&z)8e7d6c5b4a'", "SECRET_KEY = '[redacted]'"],
    ['DB_PASS=correcthorse', 'DB_PASS=[redacted]'],
    ['SMTP_PWD="hunter22"', 'SMTP_PWD="[redacted]"'],
    ['docker run -e API_KEY_2=9f8e7d6c -e A=1 x', 'docker run -e API_KEY_2=[redacted] -e A=1 x'],
    ['.env:3:REGISTRY_AUTH=YWRhOmh1bnRlcjIy', '.env:3:REGISTRY_AUTH=[redacted]'],
    ['$env:AZURE_PAT="9f8e7d6c"', '$env:AZURE_PAT="[redacted]"'],
    ['"Env":["AWS_CREDENTIALS=9f8e7d6c,5b4a"]', '"Env":["AWS_CREDENTIALS=[redacted]"]'],
    ['DB_PASSWORD=a(b)c,d{e}f&g*h', 'DB_PASSWORD=[redacted]'],
    ['Server=db;Password=Pw$9x*2kQ;Timeout=30', 'Server=db;Password=[redacted];Timeout=30'],
    [
      'connect(user=ada,password=hun$ter22,host=db)',
      'connect(user=ada,password=[redacted],host=db)',
    ],
    ['{"password":"p[w]d12345678"}', '{"password":"[redacted]"}'],
    [String.raw`{"password":"ab\"cdefgh1"}`, '{"password":"[redacted]"}'],
    ['{"password":"string2Cheese99"}', '{"password":"[redacted]"}'],
    [`{'client_secret': 'aB"3dE6gH9'}`, `{'client_secret': '[redacted]'}`],
    [String.raw`{\"password\":\"p[w]d12345678\"}`, String.raw`{\"password\":\"[redacted]\"}`],
    [String.raw`postgres:\/\/ada:hunter22@db\/x`, String.raw`postgres:\/\/ada:[redacted]@db\/x`],
    ['postgres://ada:hunter22@db/x', 'postgres://ada:[redacted]@db/x'],
    ['redis://:hunter22@cache', 'redis://:[redacted]@cache'],
    ['postgres://ada:hun:ter@22@db/x', 'postgres://ada:[redacted]@db/x'],
    ['api_key=abc123def456ghi', 'api_key=[redacted]'],
    ['X-Api-Key: 9f8e7d6c5b4a', 'X-Api-Key: [redacted]'],
    ['x-api-key:9f8e7d6c5b4a', 'x-api-key:[redacted]'],
    ['Api-Key: 9f8e7d6c5b4a', 'Api-Key: [redacted]'],
    ['X-Api-Key: AbcdefghIjklmnopQrstuv', 'X-Api-Key: [redacted]'],
    [`curl -H 'X-Auth-Token: 9f8e7d6c5b4a' x`, `curl -H 'X-Auth-Token: [redacted]' x`],
    ['{"x-api-key":"9f8e7d6c5b4a"}', '{"x-api-key":"[redacted]"}'],
    [String.raw`{\"X-Api-Key\": \"9f8e7d6c5b4a\"}`, String.raw`{\"X-Api-Key\": \"[redacted]\"}`],
    ['Authorization: Token 9f8e7d6c5b4a', 'Authorization: Token [redacted]'],
    ['Authorization: Token token="9f8e7d6c5b4a"', 'Authorization: Token token="[redacted]"'],
    ['Proxy-Authorization: 9f8e7d6c5b4a', 'Proxy-Authorization: [redacted]'],
    [`{'Authorization': 'ApiKey 9f8e7d6c5b4a'}`, `{'Authorization': 'ApiKey [redacted]'}`],
    [`Authorization: Bearer 12|${body(40)}`, 'Authorization: Bearer [redacted]'],
    [`401: bad bearer 12|${body(40)}`, '401: bad bearer [redacted]'],
    ['{"Authorization":"Key abc-def:9f8e7d6c5b4a"}', '{"Authorization":"Key [redacted]"}'],
    [`a POST with token=12|${body(40)}`, 'a POST with token=[redacted]'],
    ['api_key=id_1:9f8e7d6c5b4a, x', 'api_key=[redacted], x'],
    ['X-Api-Key: p7$Kd!9&x', 'X-Api-Key: [redacted]'],
    ['{"x-auth-token":"a:b#c-d7e"}', '{"x-auth-token":"[redacted]"}'],
    ['X-Auth-Key: 9f8e7d6c5b4a', 'X-Auth-Key: [redacted]'],
    ['x-vault-token: 9f8e7d6c5b4a', 'x-vault-token: [redacted]'],
    ['"X-Webhook-Secret": "9f8e7d6c5b4a"', '"X-Webhook-Secret": "[redacted]"'],
    ['smtp://ada@x.test:hunter22@mail.x.test:587', 'smtp://ada@x.test:[redacted]@mail.x.test:587'],
    ['Cookie: theme=dark; sid=9f8e7d6c5b4a', 'Cookie: theme=dark; sid=[redacted]'],
    ['Set-Cookie: a=9f8e7d; Path=/v1/orders', 'Set-Cookie: a=[redacted]; Path=/v1/orders'],
    ['{"set-cookie":["a=9f8e7d; HttpOnly"]}', '{"set-cookie":["a=[redacted]; HttpOnly"]}'],
    ['Cookie: sid="9f8e7d6c5b4a"', 'Cookie: sid=[redacted]'],
    ['Set-Cookie: sid="9f8e7d6c5b4a"; Path=/', 'Set-Cookie: sid=[redacted]; Path=/'],
    ['Cookie: a="9f8e7d 6c,5b"; theme="dark"', 'Cookie: a=[redacted]; theme="dark"'],
    [String.raw`Cookie: sid="9f8e\0547d6c5b4a"; b=1`, 'Cookie: sid=[redacted]; b=1'],
    [String.raw`{"cookie":"sid=\"9f8e7d6c5b4a\"; b=1"}`, '{"cookie":"sid=[redacted]; b=1"}'],
    [
      String.raw`{\"cookie\":\"sid=\\\"9f8e7d6c5b4a\\\"\"}`,
      String.raw`{\"cookie\":\"sid=[redacted]\"}`,
    ],
    ['{"Set-Cookie":["a=1","sid=9f8e7d6c5b4a"]}', '{"Set-Cookie":["a=1","sid=[redacted]"]}'],
    [
      String.raw`{"set-cookie":["a=\"9f8e7d6c\"; Path=/","b=","c=9f8e7d6c"]}`,
      '{"set-cookie":["a=[redacted]; Path=/","b=","c=[redacted]"]}',
    ],
    ['set-cookie: "a=9f8e7d6c", "b=9f8e7d6c"', 'set-cookie: "a=[redacted]", "b=[redacted]"'],
    [
      `'set-cookie': [ 'a=9f8e7d; Path=/', 'b=9f8e7d' ]`,
      `'set-cookie': [ 'a=[redacted]; Path=/', 'b=[redacted]' ]`,
    ],
    [
      `'set-cookie': [\n    'a=9f8e7d6c',\n    'b=9f8e7d6c'\n  ]`,
      `'set-cookie': [\n    'a=[redacted]',\n    'b=[redacted]'\n  ]`,
    ],
    [
      String.raw`{\"set-cookie\":[\"a=1\",\"b=9f8e7d6c\"]}`,
      String.raw`{\"set-cookie\":[\"a=1\",\"b=[redacted]\"]}`,
    ],
    ['https://x.test/?api_key=abcdef&y=1', 'https://x.test/?api_key=[redacted]&y=1'],
    ['https://x.test/?y=1&token=abcdef', 'https://x.test/?y=1&token=[redacted]'],
    ['https://x.test/?y=1&access_token=abcdef', 'https://x.test/?y=1&access_token=[redacted]'],
    ['https://x.test/f?se=9&sig=a%2Bb%3D', 'https://x.test/f?se=9&sig=[redacted]'],
    [
      `https://api.telegram.org/bot1234567890:AA${body(33)}/getMe`,
      'https://api.telegram.org/bot[redacted]/getMe',
    ],
    [`bot123456789:AA${body(33)}`, 'bot[redacted]'],
    [
      `https://discord.com/api/webhooks/123456789012345678/${body(68)}`,
      'https://discord.com/api/webhooks/123456789012345678/[redacted]',
    ],
    [
      `https://discordapp.com/api/v10/webhooks/123456789012345678/${body(68)}?wait=true`,
      'https://discordapp.com/api/v10/webhooks/123456789012345678/[redacted]?wait=true',
    ],
    [
      `https://hooks.slack.com/triggers/E0AB/123/${body(32)}`,
      'https://hooks.slack.com/triggers/[redacted]',
    ],
    [
      `https://x.webhook.office.com/webhookb2/${body(36)}@${body(36)}/IncomingWebhook/${body(32)}/${body(36)}`,
      'https://x.webhook.office.com/webhookb2/[redacted]',
    ],
    [
      'https://hooks.zapier.com/hooks/catch/1234567/b2c3d4e/',
      'https://hooks.zapier.com/hooks/catch/[redacted]',
    ],
    [
      `AccountName=shop;AccountKey=${body(80)}12+/==;EndpointSuffix=core.windows.net`,
      'AccountName=shop;AccountKey=[redacted];EndpointSuffix=core.windows.net',
    ],
    [
      `SharedAccessKeyName=Root;SharedAccessKey=${body(43)}=;EntityPath=q`,
      'SharedAccessKeyName=Root;SharedAccessKey=[redacted];EntityPath=q',
    ],
    [
      '\u001b[1mSet-Cookie\u001b[0m: sid=9f8e7d6c5b4a; Path=/',
      '\u001b[1mSet-Cookie\u001b[0m: sid=[redacted]; Path=/',
    ],
    [
      '\u001b[01;31m\u001b[KDB_PASSWORD\u001b[m\u001b[K=s3cretpw99xyz',
      '\u001b[01;31m\u001b[KDB_PASSWORD\u001b[m\u001b[K=[redacted]',
    ],
    [
      String.raw`{"out":"\u001b[1mX-Api-Key\u001b[0m: 9f8e7d6c5b4a"}`,
      String.raw`{"out":"\u001b[1mX-Api-Key\u001b[0m: [redacted]"}`,
    ],
    ['https://x.test/a?X-Goog-Signature=abcdef12', 'https://x.test/a?X-Goog-Signature=[redacted]'],
    ['JOB-TOKEN: 9f8e7d6c5b4a', 'JOB-TOKEN: [redacted]'],
    ['user: ada\npassword: hunter22\n', 'user: ada\npassword: [redacted]\n'],
    ['db:\n  db_password: p@ss:w0rd # prod', 'db:\n  db_password: [redacted] # prod'],
    ['password: "hunter22"\nuser: ada', 'password: "[redacted]"\nuser: ada'],
    [
      "{\n  user: 'ada',\n  password: 'hunter22',\n  host: 'h'\n}",
      "{\n  user: 'ada',\n  password: '[redacted]',\n  host: 'h'\n}",
    ],
    ["{ user: 'ada', password: 'hunter22' }", "{ user: 'ada', password: '[redacted]' }"],
    ["- password: 'p@ss:w0rd' # prod", "- password: '[redacted]' # prod"],
    [
      String.raw`"user: ada\npassword: \"hunter22\"\n"`,
      String.raw`"user: ada\npassword: \"[redacted]\"\n"`,
    ],
    [
      String.raw`"user: ada\npassword: hunter22\n"`,
      String.raw`"user: ada\npassword: [redacted]\n"`,
    ],
    ['{"db_password": "hunterOf"}', '{"db_password": "[redacted]"}'],
    ['{"smtpPassword":"hunter22"}', '{"smtpPassword":"[redacted]"}'],
    ['{"DB_PASSWORD":"hunter22"}', '{"DB_PASSWORD":"[redacted]"}'],
    [`{'db_password': 'hunter22'}`, `{'db_password': '[redacted]'}`],
    ['{"SMTP_PWD":"hunterOf"}', '{"SMTP_PWD":"[redacted]"}'],
    ['{"redis_password":"hunter22"}', '{"redis_password":"[redacted]"}'],
    ['{"spring.datasource.password": "hunter22"}', '{"spring.datasource.password": "[redacted]"}'],
    [String.raw`{\"user_password\":\"hunter22\"}`, String.raw`{\"user_password\":\"[redacted]\"}`],
    ['{"stripe_secret_key": "9f8e7d6c5b4a"}', '{"stripe_secret_key": "[redacted]"}'],
    ['{"STRIPE_KEY":"9f8e7d6c"}', '{"STRIPE_KEY":"[redacted]"}'],
    ['{"X-Api-Key":["9f8e7d6c5b4a"]}', '{"X-Api-Key":["[redacted]"]}'],
    [
      '{"X-Api-Key":["9f8e7d6c5b4a", "5b4a9f8e7d6c"],"A":["9f8e7d6c5b4a"]}',
      '{"X-Api-Key":["[redacted]"],"A":["9f8e7d6c5b4a"]}',
    ],
    ['{"Authorization":["Token 9f8e7d6c5b4a"]}', '{"Authorization":["Token [redacted]"]}'],
    ['"X-Api-Key": [\n      "9f8e7d6c5b4a"\n    ]', '"X-Api-Key": [\n      "[redacted]"\n    ]'],
    [
      'map[Accept:[*/*] Authorization:[Token 9f8e7d6c] X-Api-Key:[9f8e7d6c 5b4a9f8e]]',
      'map[Accept:[*/*] Authorization:[Token [redacted]] X-Api-Key:[[redacted]]]',
    ],
    [`{ 'x-api-key': [ '9f8e7d6c5b4a' ] }`, `{ 'x-api-key': [ '[redacted]' ] }`],
    [`{b'X-Api-Key': b'9f8e7d6c5b4a'}`, `{b'X-Api-Key': b'[redacted]'}`],
    [`{b'X-Api-Key': [b'9f8e7d6c5b4a']}`, `{b'X-Api-Key': [b'[redacted]']}`],
    [
      '{x-api-key=[9f8e7d6c5b4a], authorization=[Token 9f8e7d6c5b4a]}',
      '{x-api-key=[[redacted]], authorization=[Token [redacted]]}',
    ],
    [
      '{content-type=[text/html], set-cookie=[sid=9f8e7d6c5b4a; Path=/v1/orders]}',
      '{content-type=[text/html], set-cookie=[sid=[redacted]; Path=/v1/orders]}',
    ],
    [
      '{Set-Cookie=[a=1, b="9f8e7d 6c"; Path=/, c=9f8e]7d6c], etag=[9f8e7d6c5b4a], a=9f8e7d6c5b4a}',
      '{Set-Cookie=[a=1, b=[redacted]; Path=/, c=[redacted]], etag=[9f8e7d6c5b4a], a=9f8e7d6c5b4a}',
    ],
    ['{cookie=[sid=9f8e7d6c5b4a], host=[x1.test]}', '{cookie=[sid=[redacted]], host=[x1.test]}'],
    [`"{cookie=[sid=9f8e7d6c5b4a]}"`, `"{cookie=[sid=[redacted]]}"`],
    [
      'http.Header{"X-Api-Key":[]string{"9f8e7d6c5b4a", "5b4a9f8e7d6c"}, "A":[]string{"9f8e7d6c"}}',
      'http.Header{"X-Api-Key":[]string{"[redacted]"}, "A":[]string{"9f8e7d6c"}}',
    ],
    [
      'http.Header{"Authorization":[]string{"Token 9f8e7d6c5b4a"}}',
      'http.Header{"Authorization":[]string{"Token [redacted]"}}',
    ],
    [
      'http.Header{"Set-Cookie":[]string{"a=9f8e7d6c; Path=/", "b=9f8e7d6c"}, "Q":[]string{"x=9f8e7d6c"}}',
      'http.Header{"Set-Cookie":[]string{"a=[redacted]; Path=/", "b=[redacted]"}, "Q":[]string{"x=9f8e7d6c"}}',
    ],
    [
      'map[string]interface {}{"Cookie":[]interface {}{"sid=9f8e7d6c"}, "X-Api-Key":[]interface {}{"9f8e7d6c"}}',
      'map[string]interface {}{"Cookie":[]interface {}{"sid=[redacted]"}, "X-Api-Key":[]interface {}{"[redacted]"}}',
    ],
    [
      String.raw`{"log":"http.Header{\"X-Api-Key\":[]string{\"9f8e7d6c\"}, \"Cookie\":[]string{\"a=9f8e7d6c\"}}"}`,
      String.raw`{"log":"http.Header{\"X-Api-Key\":[]string{\"[redacted]\"}, \"Cookie\":[]string{\"a=[redacted]\"}}"}`,
    ],
    ['{"name":"X-Api-Key","value":"9f8e7d6c5b4a"}', '{"name":"X-Api-Key","value":"[redacted]"}'],
    [
      '{"value": "Token 9f8e7d6c5b4a", "name": "Proxy-Authorization"}',
      '{"value": "Token [redacted]", "name": "Proxy-Authorization"}',
    ],
    [
      `{\n  name: 'X-Api-Key',\n  value: '9f8e7d6c5b4a'\n}`,
      `{\n  name: 'X-Api-Key',\n  value: '[redacted]'\n}`,
    ],
    [
      String.raw`{\"name\":\"X-Api-Key\",\"value\":\"9f8e7d6c5b4a\"}`,
      String.raw`{\"name\":\"X-Api-Key\",\"value\":\"[redacted]\"}`,
    ],
    [
      'DEBUG = false\nSECRET_KEY = 9f8e7d6c5b4a\nSTRIPE_KEY = abcdefghijklmno1 # of 2026\n',
      'DEBUG = false\nSECRET_KEY = [redacted]\nSTRIPE_KEY = [redacted] # of 2026\n',
    ],
    ['STRIPE_KEY := 9f8e7d6c5b4a', 'STRIPE_KEY := [redacted]'],
    ['STRIPE_KEY ?= 9f8e7d6c5b4a', 'STRIPE_KEY ?= [redacted]'],
    ['export STRIPE_KEY ?=9f8e7d6c5b4a', 'export STRIPE_KEY ?=[redacted]'],
    ['.env:3:STRIPE_KEY = 9f8e7d6c5b4a', '.env:3:STRIPE_KEY = [redacted]'],
    ['DB_PASS = s3cretPw99', 'DB_PASS = [redacted]'],
    [
      String.raw`{"text":"SECRET_KEY = 9f8e7d6c5b4a\nA_KEY = 9f8e7d6c5b4a"}`,
      String.raw`{"text":"SECRET_KEY = [redacted]\nA_KEY = [redacted]"}`,
    ],
    ['STRIPE_KEYS="9f8e7d6c5b4a 5b4a9f8e7d6c"', 'STRIPE_KEYS="[redacted]"'],
    [`STRIPE_KEYS = '9f8e7d6c5b4a, 5b4a9f8e7d6c' # two`, `STRIPE_KEYS = '[redacted]' # two`],
    ['os.environ["SHOP_API_KEY"] = "9f8e7d6c5b4a"', 'os.environ["SHOP_API_KEY"] = "[redacted]"'],
    [
      String.raw`{"source":["os.environ[\"SHOP_API_KEY\"] = \"9f8e7d6c5b4a\"\n"]}`,
      String.raw`{"source":["os.environ[\"SHOP_API_KEY\"] = \"[redacted]\"\n"]}`,
    ],
    [`app.config['SECRET_KEY']='9f8e7d6c5b4a'`, `app.config['SECRET_KEY']='[redacted]'`],
    ['ENV["SECRET_KEY_BASE"] ||= "9f8e7d6c"', 'ENV["SECRET_KEY_BASE"] ||= "[redacted]"'],
    ['process.env["DB_PASSWORD"] = "hunter22"', 'process.env["DB_PASSWORD"] = "[redacted]"'],
    [`['STRIPE_KEY' => '9f8e7d6c5b4a']`, `['STRIPE_KEY' => '[redacted]']`],
    ['@{ "STRIPE_KEY" = "9f8e7d6c5b4a" }', '@{ "STRIPE_KEY" = "[redacted]" }'],
    [
      'class A(B):\n    SECRET_KEY: str = "9f8e7d6c5b4a"\n    DB_PASSWORD: SecretStr = "hunter22"',
      'class A(B):\n    SECRET_KEY: str = "[redacted]"\n    DB_PASSWORD: SecretStr = "[redacted]"',
    ],
    ['A_KEY: str | None = "9f8e7d6c5b4a"', 'A_KEY: str | None = "[redacted]"'],
    ['A_KEY: Final[str] = "9f8e7d6c5b4a"', 'A_KEY: Final[str] = "[redacted]"'],
    [`const A_KEY: &'static str = "9f8e7d6c";`, `const A_KEY: &'static str = "[redacted]";`],
    ['const STRIPE_KEY: string = "9f8e7d6c"', 'const STRIPE_KEY: string = "[redacted]"'],
    [
      'os.environ.setdefault("SECRET_KEY", "9f8e7d6c5b4a")',
      'os.environ.setdefault("SECRET_KEY", "[redacted]")',
    ],
    [
      'SECRET_KEY = os.getenv("SECRET_KEY", "9f8e7d6c5b4a")',
      'SECRET_KEY = os.getenv("SECRET_KEY", "[redacted]")',
    ],
    [
      `SECRET_KEY = config('SECRET_KEY', default='9f8e7d6c5b4a')`,
      `SECRET_KEY = config('SECRET_KEY', default='[redacted]')`,
    ],
    [
      'const KEY = process.env.SECRET_KEY || "9f8e7d6c5b4a"',
      'const KEY = process.env.SECRET_KEY || "[redacted]"',
    ],
    [
      `const KEY = process.env['SECRET_KEY'] ?? '9f8e7d6c5b4a'`,
      `const KEY = process.env['SECRET_KEY'] ?? '[redacted]'`,
    ],
    [
      'KEY = os.environ.get("SECRET_KEY") or "9f8e7d6c5b4a"',
      'KEY = os.environ.get("SECRET_KEY") or "[redacted]"',
    ],
    ['process.env.SECRET_KEY ||= "9f8e7d6c"', 'process.env.SECRET_KEY ||= "[redacted]"'],
    [
      'process.env.SECRET_KEY\n  || "9f8e7d6c5b4a"; getenv("A_KEY",\n    "9f8e7d6c5b4a")',
      'process.env.SECRET_KEY\n  || "[redacted]"; getenv("A_KEY",\n    "[redacted]")',
    ],
    [
      `e["A_KEY"] = f"9f8e7d6c"; e["A_KEY"] = '''9f8e7d6c'''; e["A_KEY"] = (\n    "9f8e7d6c"\n)`,
      `e["A_KEY"] = f"[redacted]"; e["A_KEY"] = '''[redacted]'''; e["A_KEY"] = (\n    "[redacted]"\n)`,
    ],
    ['A_KEY: SecretStr = SecretStr("9f8e7d6c")', 'A_KEY: SecretStr = SecretStr("[redacted]")'],
    ['var A_KEY: String? = "9f8e7d6c"', 'var A_KEY: String? = "[redacted]"'],
    [
      `session.headers['X-Api-Key'] = '9f8e7d6c5b4a'`,
      `session.headers['X-Api-Key'] = '[redacted]'`,
    ],
    ['- **X-Api-Key**: `9f8e7d6c5b4a`', '- **X-Api-Key**: `[redacted]`'],
    ['**X-Api-Key:** 9f8e7d6c5b4a', '**X-Api-Key:** [redacted]'],
    ['`X-Api-Key`: `9f8e7d6c5b4a`', '`X-Api-Key`: `[redacted]`'],
    ['Use __Authorization__: `Token 9f8e7d6c`.', 'Use __Authorization__: `Token [redacted]`.'],
    ['**Cookie**: `lang=de; sid=9f8e7d6c`', '**Cookie**: `lang=de; sid=[redacted]`'],
    [
      '[{"name":"Cookie","value":"lang=de; sid=9f8e7d6c"},{"name":"a","value":"b=12345678"}]',
      '[{"name":"Cookie","value":"lang=de; sid=[redacted]"},{"name":"a","value":"b=12345678"}]',
    ],
    [
      String.raw`{\"name\": \"Set-Cookie\",\n \"value\": \"sid=9f8e7d6c; Path=/v1/orders\"}`,
      String.raw`{\"name\": \"Set-Cookie\",\n \"value\": \"sid=[redacted]; Path=/v1/orders\"}`,
    ],
    [
      String.raw`{"name":"set-cookie","value":"a=1; Path=/\nsid=9f8e7d6c"}`,
      String.raw`{"name":"set-cookie","value":"a=1; Path=/\nsid=[redacted]"}`,
    ],
    [
      `{ value: 'lang=de; sid=9f8e7d6c', name: 'cookie' }`,
      `{ value: 'lang=de; sid=[redacted]', name: 'cookie' }`,
    ],
    [
      String.raw`{"value":"sid=\"9f8e7d6c\"; Path=/", "name":"set-cookie"}`,
      '{"value":"sid=[redacted]; Path=/", "name":"set-cookie"}',
    ],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected)
    expect(redact(redact(text))).toBe(expected)
  })

  test.each([
    'a basic understanding of authentication',
    'the bearer authentication-protocol',
    'const password = getPassword()',
    'if (password == given) return',
    'password={{ password }}',
    'connect(user=ada, password=getpass(), host=db)',
    `docker run -e DB_PASSWORD=$DB_PASSWORD -e POSTGRES_PASSWORD=${'$'}{PASSWORD} x`,
    'password=**** passwd=<your password>',
    '{"password":"must have 8 characters","secret":"{{token}}","access_token":"$TOKEN"}',
    '{"password":"string"}',
    'max_tokens=4096, task-oriented, risk-management-procedures',
    'The password must have 8 characters.',
    'https://example.test/a?b=c',
    'token=none',
    'https://x.test/orders?next_token=abc123def456ghi&page_token=abc123def456ghi',
    'NextToken=abc123def456ghi, nextPageToken=abc123def456ghi',
    'https://x.test/?key=value&sort_key=created_at2026&max_tokens=1024&q=token',
    'https://x.test/?token=<token>&api_key=YOUR_API_KEY&api_key={key}&token=$TOKEN',
    'X-Api-Key: <your key>',
    'X-Api-Key: YOUR_API_KEY',
    'Api-Key: see the documentation',
    'primary_key: 12345678, foreign-key: orders_2026, cache-key: v2/a/b',
    'The Authorization: Bearer scheme is described in RFC 6750.',
    'Authorization: required since 2026-01-01',
    'authorization: { type: "oauth2" }',
    'X-Next-Token: 9f8e7d6c5b4a, X-Auth-Token: <token>, x-api-key: see https://x.test/12345678',
    'token: expected 12|34, got end:1; see https://ada@x.test:8080/a@b',
    'Cookie: accept or decline, see https://x.test/?a=12345678',
    '{"cookie":"theme=dark","note":"order=12345678","set-cookie":[],"id":"a=12345678"}',
    '["Cookie: theme=dark", "order=12345678"]',
    '{set-cookie=[theme=dark; Path=/v1/orders], cookie=[], etag=[9f8e7d6c5b4a]} order=12345678',
    'http.Header{"Set-Cookie":[]string{"theme=dark; Path=/v1/orders"}, "Etag":[]string{"a=9f8e7d6c"}}',
    'http.Header{"X-Api-Key":[]string(nil), "Accept":[]string{"9f8e7d6c5b4a"}}',
    'const cookie=[order12345678, other=parse(12345678)]',
    'Set-Cookie: theme=dark; Path=/v1/orders; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
    'password: required',
    'Password: must have 8 characters\npassword: min_length_8\npassword: too-short-8',
    'password: sha256\npassword: argon2id\npassword: varchar(255)\npassword: 8-64',
    'password: $PASSWORD1\npassword: <password1>\npassword: {{password1}}\npassword: ****1a',
    '{\n  password: password1,\n  pwd: user.password2\n}',
    'wrong password: attempt2of3 left for ada',
    'password: "required"\npassword: "min_length_8"\npassword: "see page 8"\npassword: "$PASSWORD1"\npassword: ""',
    'robot1234567890:AAbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, https://x.test/api/webhooks/list-all-of-them',
    'EAA and EZAK are words, key-value, API-VERSION, en-us, sha256~, Q~, MANIFEST.backup.of-the-year-2026-november-27th',
    'sess-2026-11-27-of-the-user-ada-in-the-shop-of-berlin, sess-9fceb02d0ae598e95dc970b74767f19372d61af8, ASSESS-001',
    'week_of_the_year_2026, seek_0123456789, geek_9fceb02d0ae598e95dc970b74767f193, ek_users_by_country_and_by_month_2026',
    'image:v1.9fceb02-dirty, v1.0.0-9fceb02d0ae598e95dc970b74767f19372d61af8, rev1.9fceb02d0ae598e95dc970b74767f19372d61af8',
    'ABSKILLS and bedrock-api-key-rotation-policy-of-the-production-environment-of-the-shop-and-of-all-its-customers-in-2026-and-2027',
    'FAQ.how-to-order-12345678901234567890123456789012345678901234567890, AQ.the_question_of_the_day_about_clocks_and_watches, 1//0, https://x.test/1//0/orders',
    'xoxo-ada, glwt-1, the sk_org_live_ keys of an organization, ek_test_1',
    'PUBLIC_KEY=MIIBIjANBgkqhkiG9w0B\nPRIMARY_KEY=order_id_2026\nKEY_ID=9f8e7d6c5b4a\nSORT_KEY=created_at_2026',
    'CACHE_KEY=9f8e7d6c5b4a, SITE_KEY=9f8e7d6c5b4a, IDEMPOTENCY_KEY=9f8e7d6c5b4a, NEXT_PAGE_TOKEN=9f8e7d6c5b4a',
    `SECRET_KEY=$SECRET1\nMASTER_KEY=${'$'}{MASTER_KEY:-9f8e7d6c}\nSTRIPE_KEY=<key of 2026>\nDB_PASS=${'$'}{DB_PASS}\nA_KEY=`,
    'MY_KEY=your-key-of-2026, MY_KEY=YOUR_KEY_2026, MY_KEY="see page 2026 of the manual", SECRET_KEY=changeme',
    'KMS_KEY=arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
    'TLS_KEY=/etc/ssl/private/shop-2026.pem\nSSH_KEY=~/.ssh/id_ed25519\nAPP_KEY=./secrets/app2.json\nDB_PASS=/run/secrets/db_pass',
    'PULL_SECRETS=registry-2026\nTOKEN_URL=https://x.test/token2\nJWKS_KEY=https://x.test/key2\nMAX_TOKENS=128000k',
    'const API_KEY = readKey("key-of-2026")\nconst TOKEN = tokens[0x2026abcd]\nAPI_KEY=config1.get(key2026)\nif (KEY == key20262026) {}',
    'KEYCLOAK_REALM=shop2026x1 KEYBOARD_LAYOUT=pc105-2026 PASSWORD_MIN_LENGTH=12345678 TOKENIZER=cl100k_base MONKEY_2026=a1b2c3d4e5',
    'Set `A_KEY=orders-2026`, (B_KEY=orders-2026), C_KEY=`orders-2026`.',
    'HEX_PAT = "[0-9A-Fa-f]{1,4}", LS32_PAT = "(?:{hex2}:{hex3})"',
    'the SMTP_AUTH=login or plain, TESTS_PASS=12345, FAST_PATH=9f8e7d6c5b4a, BYPASS=9f8e7d6c5b4a',
    'Makefile.config.production-environment-of-the-shop, Main.loader.js',
    'AccountKey=customer-2026-001, dapi is a module, sk_lists_of_words_2026',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8, id 123e4567-e89b-12d3-a456-426614174000',
    'de:ad:be:ef:00:11 is a MAC address, 0x1F 0x8B is gzip, data:image/png;base64,iVBORw0KGgoAAAANSUhEUg',
    'postgres://ada:***@db.example.com/app is not reachable',
    '{"passwordPolicy": "strong", "password_required": true, "has_password": "yes", "passwordResetUrl": "https://x.test/1"}',
    '{"hasPassword":"unknown","reset_password":"Zurücksetzen","forgot-password":"Vergessen?","user.is_password":"unknown"}',
    '{"db_password":"required","smtpPassword":"string","DB_PASSWORD":"$DB_PASSWORD","new_password":"must have 8 characters"}',
    `PWD=/home/ada\nOLDPWD="/app"\n["PWD=/srv/app2"]\n{ PWD: '/home/ada1/app' }\n{\n  password: '/run/secrets/db1'\n}`,
    'VK_TAB_KEY = 0x00000B1F2\n#define A_KEY 0x1A2B3C4D',
    '{"PWD":"/home/ada","OLDPWD":"/home/ada/app","DB_PASSWORD":"/run/secrets/db","smtp_password":"https://x.test/1"}',
    '{"next_page_token":"9f8e7d6c5b4a","PRIMARY_KEY":"order_id_2026","KEY_ID":"9f8e7d6c","cache_key":"9f8e7d6c5b4a","has_secret":"9f8e7d6c"}',
    '{"api_key":["This field is required."],"x-api-key":["<your key>"],"authorization":["required"],"access_key":[]}',
    '[{"name":"X-Request-Id","value":"9f8e7d6c5b4a"},{"name":"X-Api-Key","in":"header"},{"name":"X-Api-Key","value":"{{key}}"}]',
    '[{"value":"9f8e7d6c5b4a","name":"Accept"},{"name":"X-Api-Key","value":""}]',
    'const API_KEY = API_KEY_V2\nA_KEY = settings.key2\nA_KEY = tokenOf2026\nTOKEN = sha256sum',
    `t['API_KEY'] = 'Key of 2026'\nt["A_TOKEN"] = "orders-2026"\nt["A_KEY"] = "$KEY2026"\nt["A_KEY"] = "key2026(a)"\nt["A_KEY"] = env["KEY_2026"]`,
    'if (config["API_KEY"] == "9f8e7d6c5b4a") return headers["X-Api-Key"] === "9f8e7d6c5b4a"',
    't["PRIMARY_KEY"] = "9f8e7d6c5b4a", t["PRODUCT_KEY_ID"] = "9f8e7d6c", headers["X-Api-Key"] = "<your key>"',
    'API_KEY: str = Field(alias="key2026abc")\nSORT_KEY: string = "9f8e7d6c"\nSECRET_KEY: str = "orders-2026"',
    'throw new ApiError("INVALID_TOKEN", "ERR2026x1y2z3"); os.getenv("API_KEY", "your-key-of-2026"); define("TOKEN", "OAuth2Token")',
    'getenv("A_KEY","OAuth2Key",isStrict); A_KEY || "OAuth2Key"+moreText; A_TOKEN: str = make("OAuth2Key")',
    'env.API_KEY || "demo-key-2026"\nenv.API_KEY ?? "OAuth2Key"\nhas_KEY or "OAuth2Key"\nenv.MAX || "9f8e7d6c5b4a"',
    '**X-Api-Key**: `<your key>`, **Api-Key:** see page 12345678, `X-Api-Key: $KEY2026`, **access_key**: **required**',
    '[{"name":"cookie","value":"accept=yes"},{"name":"X-Cookies","in":"a=12345678"},{"value":"a=12345678","name":"query"}]',
    'The KEY = 9f8e7d6c5b4a, PRIMARY_KEY = 9f8e7d6c5b4a\nA_KEY = 9f8e7d6c5b4a is old\nMAX_TOKENS = 128000\nif KEY == 9f8e7d6c5b4a',
  ])('ordinary text is kept: %s', text => {
    expect(redact(text)).toBe(text)
  })
})

test.each([
  [{ name: 'X-Api-Key', value: '9f8e7d6c5b4a' }, '[redacted]'],
  [{ name: 'authorization', value: 'Token 9f8e7d6c5b4a', comment: '' }, 'Token [redacted]'],
  [{ value: 'sid=9f8e7d6c; Path=/', name: 'Set-Cookie' }, 'sid=[redacted]; Path=/'],
  [{ name: 'Cookie', value: 'lang=de; sid="9f8e7d6c"' }, 'lang=de; sid=[redacted]'],
  [{ name: 'set-cookie', value: 'a=1\nsid=9f8e7d6c' }, 'a=1\nsid=[redacted]'],
  [{ key: 'X-Auth-Token', value: '9f8e7d6c5b4a' }, '[redacted]'],
])('a header of an HTTP archive is masked in a value: %j', (header, expected) => {
  const archive = (value: string) => ({ log: [{ request: { headers: [{ ...header, value }] } }] })
  expect(redact(archive(header.value))).toEqual(archive(expected))
  expect(redact(archive(expected))).toEqual(archive(expected))
})

test.each([
  { name: 'X-Request-Id', value: '9f8e7d6c5b4a' },
  { name: 'X-Api-Key', value: '{{key2026}}' },
  { name: 'X-Api-Key', value: 20262026 },
  { name: 'the api key', value: '9f8e7d6c5b4a' },
  { name: 'password', value: 'hunter22' },
  { 'x-api-key': '9f8e7d6c5b4a' },
])('another object of a name and a value is kept: %j', value => {
  expect(redact(value)).toBe(value)
})

test('docs/security.md lists every format', () => {
  const page = readFileSync('docs/security.md', 'utf8')
  expect(KEYWORDS.filter(keyword => !page.includes(`\`${keyword}\``))).toEqual([])
})

test('a key of PuTTY keeps its public lines', () => {
  const lines = (name: string, line: string) =>
    `${name}-Lines: 2\n${line}\n${line.slice(0, 20)}==\n`
  const [open, secret] = ['b3Blbg'.repeat(10), 'c2VjcmV0'.repeat(8)]
  const key = `${lines('Public', open)}${lines('Private', secret)}Private-MAC: 14e10cf7`
  expect(redact(key)).toBe(
    `${lines('Public', open)}Private-Lines: 2[redacted]\nPrivate-MAC: 14e10cf7`,
  )
})
