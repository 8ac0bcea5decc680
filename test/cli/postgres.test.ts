/** The commands on a store in a Postgres database. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { escapement, here, type Running, startEscapement } from '../durability/process.ts'
import { newDatabase, npmPostgres, sql } from '../fixture/postgres.ts'
import { proxyTo, through } from '../fixture/tcp-proxy.ts'

const RING = here('../../graphs/ring.yaml')
const url = await npmPostgres()
const running: Running[] = []
let store = ''

beforeEach(async () => {
  store = await newDatabase(url)
})

afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
})

const run = (...args: string[]) => escapement(args, { env: { ESCAPEMENT_STORE: store } })

describe('a Postgres database as store', () => {
  it('holds what every command stores and prints', async () => {
    expect(await run('run', RING, '--thread', 'one', '--clock', 'virtual')).toMatchObject({
      code: 0,
      err: '',
    })
    const shown = await run('show', 'one', '--json')
    expect(JSON.parse(shown.out)).toMatchObject({ outcome: 'success' })
    const again = await escapement(['threads', '--json', '--store', store])
    expect(JSON.parse(again.out)).toMatchObject([{ thread: 'one', status: 'ended' }])
    for (const command of ['breakers', 'scopes', 'breakpoints', 'tick'])
      expect(await run(command)).toMatchObject({ code: 0, err: '' })
    expect(await sql(store, 'SELECT name FROM escapement.threads')).toEqual([{ name: 'one' }])
  })

  it('holds the same journal as a file', async () => {
    const args = ['run', RING, '--thread', 'one', '--clock', 'virtual', '--seed', '7', '--json']
    const [inMemory, inDatabase] = await Promise.all([
      escapement([...args, '--store', ':memory:']),
      run(...args),
    ])
    const timeless = ({ out }: { readonly out: string }) => out.replaceAll(/\d{13}/g, 'time')
    expect(timeless(inMemory)).toEqual(timeless(inDatabase))
    const exported = (await run('export', 'one')).out.trim().split('\n')
    expect(exported.map(line => JSON.parse(line).seq)).toEqual([...exported.keys()])
  })

  it('holds the scopes that threads of different processes share', async () => {
    const args = ['run', here('../cli/fixture/job.yaml'), '--json', '--thread']
    expect(JSON.parse((await run(...args, 'one')).out)).toMatchObject({ status: 'waiting' })
    expect(JSON.parse((await run(...args, 'two')).out)).toMatchObject({
      outcome: 'stopped',
      reason: 'loop',
      escapes: [{ because: [{ earlier: [{ thread: 'one' }] }] }],
    })
    expect(JSON.parse((await run(...args, 'three')).out)).toMatchObject({ reason: 'scope.held' })
    expect(JSON.parse((await run('scopes', '--json')).out)).toMatchObject([
      { scope: 'job', threads: ['one', 'two'] },
    ])
  })

  it('is named without its password, in messages, hints and help', async () => {
    store = Object.assign(new URL(store), { password: 's3cr3t-value' }).href
    const outputs = [
      await run('show', 'missing'),
      await run(
        'run',
        here('../../graphs/approval.yaml'),
        '--thread',
        'two',
        '--input',
        '{"topic": "it"}',
      ),
      await run('threads', '--help'),
      await escapement(['threads', '--store', `${store}x`]),
    ]
    expect(outputs.map(({ code }) => code)).toEqual([2, expect.any(Number), 0, 2])
    for (const { out, err } of outputs) expect(out + err).not.toContain('s3cr3t')
    expect(outputs[2]?.out).toContain('postgres:***@')
  })

  it.each([
    [
      'a server that is not there',
      'postgres://agent:s3cr3t-value@127.0.0.1:1/app',
      'is unreachable',
    ],
    ['a database that is not there', () => `${url}_missing`, 'does not have this database'],
    [
      'a malformed URL',
      'postgres://agent:s3cr3t-value@:bad/app',
      'is not the URL of a Postgres database',
    ],
  ])('%s is one message without a stack trace', async (_, given, message) => {
    store = typeof given === 'string' ? given : given()
    const { code, out, err } = await run('threads')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(
      `error: ${store.includes('bad') ? "'postgres://agent:***@:bad/app'" : 'Postgres at '}`,
    )
    expect(err.replaceAll(/\s+/g, ' ')).toContain(message)
    expect(err).not.toMatch(/\n\s+at |s3cr3t/)
  })

  it('that goes away does not end a service, which continues when it is back', async () => {
    const proxy = await proxyTo(store)
    const args = ['serve', '--graphs', RING, '--port', '0', '--json', '--store']
    const service = startEscapement([...args, through(proxy, store)])
    running.push(service)
    await expect.poll(() => service.lines()[0] ?? '', { timeout: 10_000 }).toContain('url')
    const { url: address, token } = JSON.parse(service.lines()[0] ?? '')
    await proxy.refuse()
    await expect.poll(async () => (await fetch(`${address}/healthz`)).status).toBe(200)
    await proxy.open()
    const started = async () =>
      (
        await fetch(`${address}/v1/threads`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ graph: 'ring', input: {}, thread: 'three' }),
        })
      ).status
    await expect.poll(started, { timeout: 15_000 }).toBeLessThan(500)
    expect(service.child.exitCode).toBe(null)
    await proxy.close()
  })
})
