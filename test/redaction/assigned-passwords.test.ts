/** Passwords and keys with any signs that settings, source code and plans assign, also in columns. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/runtime/redaction/redact.ts'

const redact = redactor()
const M = '[redacted]'

/** As generators of passwords make them: with signs inside, at the beginning and at the end. */
const PASSWORDS = [
  ...[
    'Kx9$vQ2#mB7z',
    'P&4zmNLquS5efR',
    'r$8jN8ExEIJo',
    'C*Yo1tf5bATf',
    'a(b9xKq!z7',
    'p@ss;w0rd9xY',
  ],
  ...[
    '$Qx9Kq2z7Vb',
    '!Qx9Kq2z7Vb',
    '*Qx9Kqz7Vb',
    '(%QkU)g*w?1MFFm4',
    '{aI1vhUE6iwTM+bY',
    '<Mpp34DOAN0mXI5',
  ],
  ...[
    '[Mpp34DO]AN0mXI',
    '|bxo01^f;5-Y~BG?C1b8',
    '&sPPGtZwaQB8V2',
    ')x9Kq2z7Vb',
    ',x9Kq2z7Vb',
    '+)T0]6M3nRXKuMhv',
  ],
  ...[
    'Qx9Kq2z7)',
    'Qx9Kq2z7;',
    'Qx9Kq2z7,',
    'Qx9Kq2z7{',
    'x=9Kq&y=2z',
    'Winter-2024',
    'acme.prod.2024x',
  ],
]

/** With the password in quotes: `"` stands for either quotation mark. */
const QUOTED = [
  '[db]\nuser = "ada"\npassword = "X"\nport = 5432\n',
  'psycopg2.connect(host="db", user="ada", password="X")\n',
  'PlainLoginModule required username="ada" password="X";\n',
  '<user username="ada" password="X" roles="manager-gui"/>',
  'username             = "ada"\npassword             = "X"\n',
  'db_password    = "X"\n\tPassword\t=\t"X"',
  'DB_PASSWORD = "X"\nDB_PASSWORD="X"\nDB_PASSWORD          = "X"\n',
  '+ "DB_PASSWORD"               = "X"\n+ "SPRING_PROFILES_ACTIVE" = "prod"\n',
  '~ "DB_PASSWORD" = "X" -> "X"\n~ password      = "X" -> "X" # forces replacement\n',
  '~ password = (sensitive value) -> "kept"\n- password = "X" -> null\n',
  'password := "X"\npassword: str = "X"\npassword = (\n    "X"\n)',
  'config["password"] = "X"',
  `define( "DB_PASSWORD", "X" );`,
  'db:\n  password: "X"\n  user: ada\n',
  'db:\n  password:       "X" # of prod\n',
  'db:\n\u00a0\u00a0password:\u00a0"X"\n',
  '{ user: "ada", password: "X" }',
  'Config { user: "ada", db_password: "X", port: 1 }\nSettings(user="ada", password="X", port=1)',
]

describe('a password with signs in quotes is masked whole', () => {
  test.each(QUOTED)('%s', form => {
    for (const quote of ['"', "'"]) {
      if (quote === "'" && form.includes('->')) continue
      const text = form.replaceAll('"', quote)
      for (const password of PASSWORDS) {
        const masked = redact(text.replaceAll('X', () => password))
        expect(masked, password).toBe(text.replaceAll('X', M))
        expect(redact(masked)).toBe(masked)
        expect(redact(JSON.stringify({ a: text.replaceAll('X', () => password) }))).toBe(
          JSON.stringify({ a: text.replaceAll('X', M) }),
        )
      }
    }
  })

  test.each([
    [String.raw`password = "ab\"c9 d'e"`, 'password = "[redacted]"'],
    [`password='a"b9x'`, `password='[redacted]'`],
    ['DB_PASSWORD="correct horse battery9 staple"', 'DB_PASSWORD="[redacted]"'],
    ['password = "correct horse battery staple"', 'password = "[redacted]"'],
    ['~ "DB_PASSWORD" = "a b9 c" -> "d e9 f"', '~ "DB_PASSWORD" = "[redacted]" -> "[redacted]"'],
    ['{"password": "$vfPP0rH"}', '{"password": "[redacted]"}'],
    ['password = "/^x7Kq9zz"', 'password = "[redacted]"'],
    ['password = "(?=x7Kq9!"', 'password = "[redacted]"'],
    ['password = "[k0-9zzQ7!"', 'password = "[redacted]"'],
    ['password = "^Kq7+0-9z"', 'password = "[redacted]"'],
    ['SECRET_KEY = "(?oX1vFMGde`rOUTQ;i5U"', 'SECRET_KEY = "[redacted]"'],
    ['password = Y8OEXdDyL7.tv`A{Suqi', 'password = [redacted]'],
    ['password = "Pa$$word"', 'password = "[redacted]"'],
    [
      `password = 'it''s9$abc' or password='a9''$bcd'`,
      `password = '[redacted]' or password='[redacted]'`,
    ],
    [
      'password ||= "hun$ter2"; password ??= "hun$ter2"',
      'password ||= "[redacted]"; password ??= "[redacted]"',
    ],
    ['"password"  :    "hun$ter2"', '"password"  :    "[redacted]"'],
    ['password = "hunter2$', 'password = "[redacted]'],
    ['password = "hun$ter22\nport = 5432', 'password = "[redacted]\nport = 5432'],
    ['password = "hunter22 of prod', 'password = "[redacted] of prod'],
    [`grep -rn 'password = "hunter22' src`, `grep -rn 'password = "[redacted]' src`],
    [String.raw`password = 'hun$ter2\'`, `password = '[redacted]'`],
    [
      `password = "'hun$ter22"; sh 'password="'hunter22'"'`,
      `password = "[redacted]"; sh 'password="[redacted]"'`,
    ],
    [`{\n  password: "x(9Kq'z7bb",\n}`, '{\n  password: "[redacted]",\n}'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected)
  })
})

describe('a password with signs without quotes is masked', () => {
  test.each([
    ['[client]\npassword = Pa$$w0rd9x\n', '[client]\npassword = [redacted]\n'],
    ['password = hunter2$x9KqZ', 'password = [redacted]'],
    ['password = &sPPGtZwaQB8V2', 'password = [redacted]'],
    [
      'password             = P&4zmNLquS5efR # of 2026',
      'password             = [redacted] # of 2026',
    ],
    ['spring.datasource.password = a,b;c(9Kq)z7', 'spring.datasource.password = [redacted]'],
    ['spring.datasource.password=<Mpp34DOAN0mXI', 'spring.datasource.password=[redacted]'],
    ['db.password==6z#t$t8tg3h', 'db.password=[redacted]'],
    ['DB_PASSWORD={aI1vhUE&x=iwTM+bY', 'DB_PASSWORD=[redacted]'],
    [
      'Server = x; Password = aB$9xKq!z7; Encrypt=True;',
      'Server = x; Password = [redacted]; Encrypt=True;',
    ],
    ['password: !Qx9Kq2z7Vb\n', 'password: [redacted]\n'],
    ['password: (%QkU)g*w?&MFFm4', 'password: [redacted]'],
    ['password: Winter-2024', 'password: [redacted]'],
    ['\ufeffpassword: Winter-2024\n', '\ufeffpassword: [redacted]\n'],
    ['\ufeffdb_password: "Winter-2024"\n', '\ufeffdb_password: "[redacted]"\n'],
    ['db:\n\u00a0 password:\u00a0Winter-2024\n', 'db:\n\u00a0 password:\u00a0[redacted]\n'],
    ['password: hun$ter22,', 'password: [redacted]'],
    ['password: acme.prod.2024x', 'password: [redacted]'],
    ['password: Qx9Kq2z7)', 'password: [redacted]'],
    [
      '    Environment:\n      SPRING_PROFILES_ACTIVE:  prod\n      DB_PASSWORD:             Zt7Kq2z7Vb\n',
      '    Environment:\n      SPRING_PROFILES_ACTIVE:  prod\n      DB_PASSWORD:             [redacted]\n',
    ],
    [
      'POOL_SIZE:            5\nSMTP_PASSWORD:        Zt7Kq2z7Vb\n',
      'POOL_SIZE:            5\nSMTP_PASSWORD:        [redacted]\n',
    ],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected)
    expect(redact(expected)).toBe(expected)
  })
})

describe('a key with signs is masked', () => {
  const keys = [
    'x8k2m(9v4q&t7w@z1c5b8n0p3s6d9f2g5h8j1k4l7q0w3e6r9t',
    '^94hmy*#4o5irw&$7vwk--92c)trkz*k5czs3!q8qqstiz_g9j',
    '($z#74i@@=t57nzw=n5(rakck(s+tsec-cp%a0jgmv%_c$%jra',
    '=w2o3!i#aw*j&@rwa@tafohwt@3bb8=-09u8yq#^pxhb_t^8%g',
    'wk--92c)trkz*k5czs3!q8qqstiz_g9j5+8-6zh^4e1ha-fzc_',
  ]
  test.each([
    "SECRET_KEY = 'X'\n",
    "SECRET_KEY='X'\n",
    'SECRET_KEY="X"\n',
    "SECRET_KEY          = 'X'\n",
    '+ "SECRET_KEY"             = "X"\n',
    '~ "SECRET_KEY" = "X" -> "X"\n',
    'A=1\nSECRET_KEY=X\nB=2\n',
    'SECRET_KEY = X\n',
    '{"Env":["A=1","SECRET_KEY=X","B=2"]}',
    "os.environ.get('SECRET_KEY', 'X')",
  ])('%s', form => {
    for (const key of keys)
      expect(redact(form.replaceAll('X', () => key))).toBe(form.replaceAll('X', M))
  })

  test.each([
    ['STRIPE_API_KEY          = "q8w7e6r5t4y3u2i1"', 'STRIPE_API_KEY          = "[redacted]"'],
    ['stripe_api_key       = "q8w7e6r5t4y3u2i1"', 'stripe_api_key       = "[redacted]"'],
    [
      '~ "STRIPE_API_KEY" = "q8w7e6r5" -> "t4y3u2i1"',
      '~ "STRIPE_API_KEY" = "[redacted]" -> "[redacted]"',
    ],
    ['~ api_key = "q8w7e6r5t4y3" -> "t4y3u2i1q8w7"', '~ api_key = "[redacted]" -> "[redacted]"'],
    ['LICENSE_KEY=ABCDE-12345-FGHIJ-67890-KLMNO', 'LICENSE_KEY=[redacted]'],
    ['A_API_KEY=abcdefab-1234-4abc-8def-1234567890ab', 'A_API_KEY=[redacted]'],
    ['{"githubAccessToken": "q8w7e6r5t4y3u2"}', '{"githubAccessToken": "[redacted]"}'],
    ['{"stripeSecretKey":"q8w7e6r5t4y3u2"}', '{"stripeSecretKey":"[redacted]"}'],
    ['HTTPS_PROXY=ada:hunter2abcX@proxy:3128', 'HTTPS_PROXY=ada:[redacted]@proxy:3128'],
    ['ALL_PROXY=ada:hunter2abcX@proxy:3128', 'ALL_PROXY=ada:[redacted]@proxy:3128'],
    ['https_proxy: "ada:hunter2abcX@proxy:3128"', 'https_proxy: "ada:[redacted]@proxy:3128"'],
    ["define( 'DB_PASSWORD', 'x(9Kq&z7$bb' );", "define( 'DB_PASSWORD', '[redacted]' );"],
    [
      String.raw`{"Env":["POSTGRES_PASSWORD=aBzz\"9xKq!z7","A=1"]}`,
      '{"Env":["POSTGRES_PASSWORD=[redacted]","A=1"]}',
    ],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected)
    expect(redact(expected)).toBe(expected)
  })
})

test.each([
  'password = os.environ["X9"]\npassword = get_password()\npassword = get_password(1, "a")\npassword = None',
  'password: string\npassword: string = ""\nconst password = input.value\nlet newPassword = generated',
  'if (password === "") return\nif (password == "hunter22x") return\nif (password !== "a$9xyz12") return',
  `password: ${'$'}{DB_PASSWORD}\npassword: "${'$'}{DB_PASSWORD}"\npassword = "${'$'}{DB_PASSWORD}"\npassword = ${'$'}{DB_PASSWORD1}`,
  'password = "{{ db_password_2 }}"\npassword="$(pass show db2)"\npassword="$(cat /run/secrets/db2)"\npassword = "<your password>"',
  'password = "$DB_PASSWORD_2"\npassword = "$password2"\npassword = "%APP_PASSWORD%"\npassword = "#{password2}"\npassword="{password}"',
  `password = f"{user2}:{token2}"\npassword = "${'$'}{a.b[2]}-${'$'}{c}"\npassword = "%(password)s"`,
  'password = "********"\npassword = "xxxxxx"\npassword = "[REDACTED]"\npassword = (sensitive value)\npassword = "(sensitive value)"',
  'password = required field\nThe password = required field of the form.',
  'errors.password = "Password is required"\nhelp.password = "must have 8 characters"\npassword="Enter your password: "',
  'url = "https://x.test/?password=" + encodeURIComponent(value9) + "&user=" + user',
  '"password="+value9+"&x="; \'password=\'.$value9.\'&x=\'; sb.append("password=").append(value9).append("&")',
  '["password=", value9, "&user=ada"]\n{"a":["--password="],"b":{"c":"a9"}}\n{"a":{"q":"password="},"b9":"c9"}',
  'password = argv[2]\npassword = sys.argv[2];\npassword = $argv[2]\npassword = $_POST[pw2]\npassword = users[0].password',
  'password = hash(password2)\npassword = row->col2;\nmy $pwd  = CPAN::anycwd2();\npassword = user.password2,\nself.pwd = self.pwd2',
  'def open(self, name, mode="r9", pwd=None): pass\nr.password=null,t[11]!==e[12])throw new Error()',
  'PWD    = "/home/ada1"\nOLDPWD="/srv/app2$x"\nPWD = /home/ada1$x',
  'password: min_length_8\npassword: "too-short-8"\npassword: sha-256\npassword: "pbkdf2-sha256"\npassword: form.fields.password2',
  'password: *default1\npassword: !vault1\npassword: [a1b2c3d4]\npassword: {a1b2c3d4}\npassword: hash(password2)\npassword: password12;',
  `password: "${'$'}{PASSWORD1}"\npassword: "{{ password1 }}"\npassword: "<password1>"\n{ password: "$PASSWORD1" }`,
  'SECRET_KEY = get_key(key2026)\nSECRET_KEY=getKey("key2026")\nSECRET_KEY = settings.keys[2026]\nSECRET_KEY="get_key(key2026)"',
  `HEX_PAT = "^[0-9A-F]{8}$"\nNAME_PAT = "(?:[a-z]+2){8}"\nSECRET_KEY="$SECRET_KEY_2026"\nSECRET_KEY="${'$'}{SECRET_KEY_2026}"`,
  '*META_KEY = \\&Test2::Util::META_KEY2;\nA_KEY    = orders-2026\nA_KEY    = "orders-2026-a"',
  'SECRET_KEY="`cat key2026`"; SECRET_KEY=`cat key2026`; use `A_KEY = get_key(key2026)`, `password = row.col2`',
  'ORDER_KEY=PROD-2026-EAST\nA_KEY=ABCDE-12345',
  '~ password = "$PASSWORD1" -> (known after apply)\n~ name = "old9name" -> "new9name"\nmap password -> "a9b8c7d6"',
  'http_proxy=http://proxy:3128\nHTTPS_PROXY=proxy:3128\nno_proxy=a:1,b@c',
  '{"passwordHint": "the 1st pet", "accessTokenUrl": "https://x.test/token2", "hasAccessToken": "a9b8c7d6"}',
])('ordinary text is kept: %s', text => {
  expect(redact(text)).toBe(text)
})

test.each([
  `q = "name = '" + name + "' AND password = '" + password + "'"\nq = 'password = "' + pw + '" AND user = "' + u + '"'`,
  `$q = "password='" . $_POST['password'] . "'";\n$q = "password='".md5($p)."' LIMIT 1";`,
  `$q = "password='" . md5($password) . "'"; cmd = "mysql --password='" + pw + "' db"`,
  `html += '<x password="' + esc(pw) + '" user="' + u + '"/>'\necho 'password="'$PW'"' >> f`,
  `grep -rn 'password = "' src`,
  `grep -rn "password = '" src --include=*.py`,
  `git log -S'password = "' -- infra/\ngrep -c 'password = "' infra/main.tf infra/db.tf`,
  `if line.startswith('password = "'): return line[12:]\nif line.startswith("password = '") and x:`,
  `assert 'password = "' not in out, out`,
  `out.split('password = "')[1].split('"')[0]\nout.split("password='")[1].split("'")[0]`,
  'out.split("password=")[1].split("&")[0]\nout = "password="+value9\nf("password=")',
  `print('password = "', pw, '"')\nprint("password='" + str(p1) + "'")\nx = 'password="'+md5(p1)+'"'`,
  `regex = 'password = "[A-Za-z0-9]{8,}"'`,
])('a quotation mark that ends another text is kept: %s', text => {
  expect(redact(text)).toBe(text)
  expect(redact(JSON.stringify({ command: text }))).toBe(JSON.stringify({ command: text }))
})

test.each([
  'conn.password = "$env:DB_PASSWORD"\npassword = "$script:Password2"\npassword = "$($env:DB_PASSWORD2)"',
  `password = "[parameters('dbPassword')]"\npassword = "[concat(parameters('a'), 'b2')]"`,
  `password = "env(DB_PASSWORD)"\npassword = '%env(DB_PASSWORD2)%'\npassword = '%env(resolve:DB_PASSWORD2)%'`,
  'password = "ENC[AES256_GCM,data:p673w==,iv:YY=,tag:A8=,type:str]"\npassword = "ENC(G6N718UuyPE5bHyWKyuLQSm02auQPUtm)"',
  'password = f"{x}"\npassword = f"""{x[\'a1\']}"""\npassword = f"{get(\'a1\')}"\npassword = f\'{get("a1")}:{b[0]!r}\'\npassword = f"prefix-{x}"\npassword = $"{user[\'a1\']}"',
  'this.connectionParameters.password = this.password = pass\nthis.a.password = this.b.dbPassword = given',
  String.raw`isValidPassword = /^(?=.*\d).{8,}$/${'\n'}validPassword = /[A-Z]+\d/.test(x)${'\n'}goodPassword = /\d{4}[a-z]/`,
  String.raw`$pwd = "C:\work\v2"${'\n'}pwd = "C:\\work2"${'\n'}$pwd = "/home/ada1"`,
])('a reference in quotes, a pattern and a folder are kept: %s', text => {
  expect(redact(text)).toBe(text)
})

test.each([
  `ALTER LOGIN ada WITH PASSWORD = N'X'`,
  'password = @"X";\nconst string DbPassword = @"X";\nvar password = $"X";',
  'password = L"X"\npassword = u8"X"\nlet password: &str = r#"X"#;',
  'const char password[] = "X";\nconst wchar_t db_password[] = L"X";\nchar password[32] = "X";',
])('a password in a literal with a prefix or in an array is masked: %s', form => {
  expect(redact(form.replaceAll('X', 'Kx9vQ2mB7zBB'))).toBe(form.replaceAll('X', M))
})
