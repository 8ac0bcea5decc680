/** Values of the environment are known secrets if the names of their variables say so. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nodeOwner } from '../../src/adapters/node/ports.ts'
import { createAgent, createRuntime, memoryStore, recorder } from '../../src/index.ts'
import { type Watchdog, watchdog } from '../../src/watchdog.ts'
import { modelOf, says } from '../../src/testing.ts'
import { processSecrets } from '../../src/runtime/redaction/process-secrets.ts'
import { processorTime } from '../processor-time.ts'

/** Each its own: the process remembers those that are secrets. */
const valueOf = (name: string) => `a value of ${name}, plain`

describe('variables of the environment are secrets by their names', () => {
  afterEach(() => void vi.unstubAllEnvs())

  test.each([
    'MAPS_KEY',
    'GITHUB_TOKEN',
    'CLIENT_SECRET',
    'DB_PASSWORD',
    'KEYRING_PASSPHRASE',
    'AWS_CREDENTIALS',
    'SMTP_PASS',
    'ORACLE_PWD',
    'REGISTRY_AUTH',
    'AZURE_PAT',
    ...['KEY', 'API_KEY', 'STRIPE_KEY', 'STRIPE_KEY_2', 'SECRET_KEY_BASE', 'AWS_SECRET_ACCESS_KEY'],
    ...['OPENAI_APIKEY', 'apiKey', 'PGPASSWORD', 'npm_config_//r.test/:_authToken', 'API_KEYS'],
    ...['VAULT_SECRET_ID', 'PASSWORD_HASH', 'KEY_NAME_SECRET', 'TOKEN_VALUE', 'SECRET_WEBHOOK_URL'],
    ...['COSMOS_PRIMARY_KEY', 'KEYCLOAK_ADMIN_PASSWORD'],
  ])('%s', name => {
    vi.stubEnv(name, valueOf(name))
    expect(nodeOwner().redact(`it says: ${valueOf(name)}`)).toBe('it says: [redacted]')
  })

  test.each([
    ...['EDITOR', 'PATTERN', 'AUTHOR', 'MONKEY', 'KEYBOARD_LAYOUT', 'KEYCLOAK_REALM', 'SECRETARY'],
    ...['PRIMARY_KEY_COLUMN', 'KEY_ID_PROD', 'KEY_VAULT_NAME', 'SSH_KEY_FILE', 'keyPrefix'],
    ...['TOKENIZER', 'TOKEN_LIMIT', 'TOKEN_URL', 'ACCESS_TOKEN_LIFETIME_MINUTES', 'TOKEN_TYPE'],
    ...['PASSWORD_MIN_LENGTH', 'PASSWORD_RESET_URL', 'SECRET_NAME', 'SECRETS_PATH'],
  ])('not %s', name => {
    vi.stubEnv(name, valueOf(name))
    expect(nodeOwner().redact(`it says: ${valueOf(name)}`)).toBe(`it says: ${valueOf(name)}`)
  })

  test('a name in a variable of a key that finds something is kept', () => {
    vi.stubEnv('PRIMARY_KEY', 'customer_id')
    vi.stubEnv('CACHE_KEY', 'aB3dE6gH9kL2')
    expect(nodeOwner().redact('customer_id aB3dE6gH9kL2')).toBe('customer_id [redacted]')
  })
})

describe('a value that has been in the environment stays a secret of the process', () => {
  beforeEach(() => void vi.stubEnv('CRM_TOKEN', 'plain-word-first'))
  afterEach(() => void vi.unstubAllEnvs())
  const text = 'it says: plain-word-first'
  const masked = 'it says: [redacted]'

  test.each([undefined, 'plain-word-second'])('once it is %s', after => {
    const running = nodeOwner()
    vi.stubEnv('CRM_TOKEN', after)
    expect(nodeOwner().redact(text)).toBe(masked)
    expect(nodeOwner().redact(text)).toBe(masked)
    expect(running.redact(text)).toBe(masked)
  })

  test('for threads that run when another one reads it', () => {
    const running = nodeOwner()
    vi.stubEnv('CRM_TOKEN', 'plain-word-later')
    expect(running.redact('it says: plain-word-later')).not.toBe(masked)
    nodeOwner()
    expect(running.redact('it says: plain-word-later')).toBe(masked)
  })

  test('also if it was there only while the package was imported', async () => {
    vi.resetModules()
    vi.stubEnv('CRM_TOKEN', 'plain-word-import')
    const { nodeOwner: imported } = await import('../../src/adapters/node/ports.ts')
    vi.stubEnv('CRM_TOKEN', undefined)
    expect(imported().redact('it says: plain-word-import')).toBe(masked)
  })

  test('also if it was there only while the runtime was created', async () => {
    vi.stubEnv('CRM_TOKEN', 'plain-word-runtime')
    const agent = createAgent({ id: 'a', model: modelOf([says('It is plain-word-runtime.')]) })
    const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
    vi.stubEnv('CRM_TOKEN', undefined)
    const thread = await runtime.start(agent, { goal: 'Say plain-word-runtime.' })
    await thread.result()
    const rows = JSON.stringify(await thread.rows())
    await runtime.close()
    expect(rows).toContain('It is [redacted].')
    expect(rows).not.toContain('plain-word-runtime')
  })

  test('of watchdogs that a recorder stores, for a new one and for the next turn', async () => {
    const store = memoryStore()
    const { record, flush } = recorder(store)
    const say = async (monitor: Watchdog, token: string) => {
      vi.stubEnv('CRM_TOKEN', token)
      monitor.userMessage(`Why is ${token} refused?`, 1)
      monitor.beforeModelCall(2)
      monitor.afterModelTurn({ text: `Because ${token} is old.`, calls: [], at: 3 })
      await flush()
    }
    vi.stubEnv('CRM_TOKEN', 'plain-word-recorder')
    const monitor = watchdog({ thread: 't', record })
    await say(monitor, 'plain-word-recorder')
    vi.stubEnv('CRM_TOKEN', 'plain-word-next')
    await say(watchdog({ thread: 'u', record }), 'plain-word-next')
    await say(monitor, 'plain-word-last')
    // Its tool renews the token and returns it.
    monitor.beforeModelCall(4)
    vi.stubEnv('CRM_TOKEN', 'plain-word-renewed')
    const renewed = { tool: 'renew', args: {}, result: { token: 'plain-word-renewed' } }
    monitor.afterModelTurn({
      ...{ text: '', at: 7 },
      calls: [{ ...renewed, outcome: { began: 5, ended: 6 } }],
    })
    await flush()
    const rows = JSON.stringify([await store.rows('t'), await store.rows('u')])
    expect(rows).toContain('Because [redacted] is old.')
    expect(rows).not.toMatch(/plain-word/)
  })

  test('of a new watchdog, also where its text is cut', async () => {
    const store = memoryStore()
    const { record, flush } = recorder(store)
    vi.stubEnv('CRM_TOKEN', 'plain-word-that-is-cut')
    const monitor = watchdog({ thread: 't', record })
    monitor.userMessage(`${'x'.repeat(16_374)}plain-word-that-is-cut`, 1)
    await flush()
    expect(JSON.stringify(await store.rows('t'))).not.toContain('plain-word')
  })

  test('with the latest that were replaced, in bounded time', () => {
    const token = (nth: number) => `plain-word-${nth}-rotated`
    for (let nth = 0; nth < 1_000; nth++) {
      vi.stubEnv('CRM_TOKEN', token(nth))
      nodeOwner()
    }
    const { redact } = nodeOwner()
    expect(redact([token(999), token(998), token(900), token(0)])).toEqual([
      ...['[redacted]', '[redacted]', '[redacted]'],
      token(0),
    ])
    const page = 'The order 4711 of Ada was shipped on Monday. '.repeat(2_000)
    redact(page)
    expect(processorTime(() => redact(page))).toBeLessThan(1_000)
  })

  test('with a few patterns for all that were replaced', () => {
    for (let nth = 0; nth < 100; nth++) {
      vi.stubEnv('CRM_TOKEN', `plain-word-${nth}-of-forty-characters-rotated`)
      nodeOwner()
    }
    vi.stubEnv('CRM_TOKEN', undefined)
    nodeOwner()
    expect(processSecrets().patterns.length).toBeLessThan(25)
  })

  test('and takes little time for each that is replaced', () => {
    const time = processorTime(() => {
      for (let nth = 0; nth < 100; nth++) {
        vi.stubEnv('CRM_TOKEN', `plain-word-${nth}-of-forty-characters-changed`)
        nodeOwner().redact('It was shipped on Monday.')
      }
    })
    expect(time).toBeLessThan(3_000)
  })

  test('and the latest of the long ones', () => {
    const key = (nth: number) => `${nth}-plain-`.repeat(600)
    for (let nth = 1; nth < 5; nth++) {
      vi.stubEnv('CRM_TOKEN', key(nth))
      nodeOwner()
    }
    vi.stubEnv('CRM_TOKEN', undefined)
    const { redact } = nodeOwner()
    expect([1, 4].map(nth => redact(key(nth)) === '[redacted]')).toEqual([false, true])
  })
})
