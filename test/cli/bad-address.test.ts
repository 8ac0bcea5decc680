/** Addresses on which a command cannot listen: a message that names the option, and exit code 2. */
import { afterEach, expect, it, vi } from 'vitest'
import { hashKey } from '../../src/http.ts'
import { untilServed } from '../../src/faces/cli/app/app.ts'
import { expectRefused, GOOD, newDesks } from './desk.ts'

const newDesk = newDesks()

afterEach(() => vi.unstubAllEnvs())

it.each([
  ['', "--host '': expected an address of this machine"],
  ['[::1', '--host [::1: expected an address of this machine, such as 127.0.0.1 or ::1'],
  ['203.0.113.9', '--host 203.0.113.9: expected an address of this machine'],
])('a service refuses the host %j', async (host, expected) => {
  vi.stubEnv('ESCAPEMENT_KEYS', `ci:admin:${hashKey('k')}`)
  const desk = newDesk()
  const graphs = ['--graphs', desk.file('graph.yaml', GOOD)]
  const { err, ...said } = await desk.type('serve', ...graphs, '--port', '0', '--host', host)
  expect(err).toContain(expected)
  expectRefused({ err, ...said })
})

it.each([
  [['serve']],
  [['inspect']],
  [['sim', 'proxy', 'storm.scenario.yaml', '--model', 'http://127.0.0.1:1']],
])('%j refuses a port that does not exist', async args => {
  const desk = newDesk()
  desk.file('storm.scenario.yaml', 'scenario: 1\nname: storm\n')
  expectRefused(
    await desk.type(...args, '--port', '99999'),
    '--port 99999: the largest port is 65535',
  )
})

it.each([
  ['EACCES', 'listen', '--port 80: only a privileged user may listen on it'],
  ['EADDRINUSE', 'listen', '--port 80: already in use'],
  ['EADDRNOTAVAIL', 'listen', '--host h: expected an address of this machine'],
  ['EAI_AGAIN', 'getaddrinfo', '--host h: expected an address of this machine'],
  ['EACCES', 'open', 'EACCES of open'],
])('the error %s of %s is reported', async (code, syscall, message) => {
  const error = Object.assign(new Error(`${code} of ${syscall}`), { code, syscall })
  const served = untilServed({ host: '--host h', port: 80 }, Promise.reject(error))
  await expect(served).rejects.toThrow(message)
})
