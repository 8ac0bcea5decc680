/** Values of the environment are known secrets if the names of their variables say so. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { nodeOwner } from '../../src/adapters/node/ports.ts'

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
    vi.stubEnv(name, 'a plain value')
    expect(nodeOwner().redact('it says: a plain value')).toBe('it says: [redacted]')
  })

  test.each([
    ...['EDITOR', 'PATTERN', 'AUTHOR', 'MONKEY', 'KEYBOARD_LAYOUT', 'KEYCLOAK_REALM', 'SECRETARY'],
    ...['PRIMARY_KEY_COLUMN', 'KEY_ID_PROD', 'KEY_VAULT_NAME', 'SSH_KEY_FILE', 'keyPrefix'],
    ...['TOKENIZER', 'TOKEN_LIMIT', 'TOKEN_URL', 'ACCESS_TOKEN_LIFETIME_MINUTES', 'TOKEN_TYPE'],
    ...['PASSWORD_MIN_LENGTH', 'PASSWORD_RESET_URL', 'SECRET_NAME', 'SECRETS_PATH'],
  ])('not %s', name => {
    vi.stubEnv(name, 'a plain value')
    expect(nodeOwner().redact('it says: a plain value')).toBe('it says: a plain value')
  })

  test('a name in a variable of a key that finds something is kept', () => {
    vi.stubEnv('PRIMARY_KEY', 'customer_id')
    vi.stubEnv('CACHE_KEY', 'aB3dE6gH9kL2')
    expect(nodeOwner().redact('customer_id aB3dE6gH9kL2')).toBe('customer_id [redacted]')
  })
})
