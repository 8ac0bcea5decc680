/** `escapement sim proxy`: addresses, the tape, MCP over stdio, and bad input. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { afterEach, expect, test } from 'vitest'
import { listen } from '../../src/faces/http/listen.ts'
import { stockServer } from '../adapters/fixture/mcp-server.ts'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const SERVER = join(import.meta.dirname, '../adapters/fixture/mcp-server.ts')

function deskWith(faults: string) {
  const desk = newDesk()
  desk.file('storm.scenario.yaml', `scenario: 1\nname: storm\nfaults: [${faults}]\n`)
  return desk
}

const textOf = ({ content }: { content?: unknown }) => (content as { text: string }[])[0]?.text

const stock = (client: Client) =>
  client.callTool({ name: 'stock', arguments: { article: 'clock' } }, { timeout: 5_000 })

const LATER = '{ id: unused, on: tool:stock, how: { nth: [9] }, what: hang }'
const CUT = '{ id: cut, on: tool:stock, how: { nth: [1] }, what: { truncate: 1 } }'

test('relays MCP over stdio, and writes the tape to a file', async () => {
  const lost = '{ id: lost, on: tool:order, how: { nth: [1] }, what: lostAck }'
  const twice = '{ id: twice, on: tool:order, how: { nth: [2] }, what: duplicate }'
  const desk = deskWith(`${CUT}, ${lost}, ${twice}, ${LATER}`)
  const args = [MAIN, 'sim', 'proxy', 'storm.scenario.yaml', '--tape', 'tape.jsonl', '--json']
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args, '--', process.execPath, SERVER],
    cwd: desk.folder,
    stderr: 'pipe',
  })
  let err = ''
  transport.stderr?.on('data', text => {
    err += text
  })
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(transport)
  expect((await client.listTools()).tools).toHaveLength(4)
  expect(textOf(await stock(client))).toBe('3')
  expect(textOf(await stock(client))).toBe('3 of clock')
  const order = { name: 'order', arguments: { article: 'clock', count: 2 } }
  await expect(client.callTool(order, { timeout: 300 })).rejects.toThrow(/timed out/i)
  expect((await client.callTool(order)).structuredContent).toEqual({ ordered: 2 })
  await client.close()
  const tape = readFileSync(join(desk.folder, 'tape.jsonl'), 'utf8')
  const lines = tape.trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { target: 'tool:stock', index: 1, fault: 'cut', effect: { truncate: 1 } },
    { target: 'tool:order', index: 1, fault: 'lost', effect: { lostAck: true } },
    { target: 'tool:order', index: 2, fault: 'twice', effect: { duplicate: true } },
  ])
  expect(err).toBe(`${tape}never occurred: unused\n`)
})

/** A server that ends neither with its input nor at SIGTERM, and that a shell starts. */
const DEAF = `
process.on('SIGTERM', () => {})
process.stdin.resume()
setInterval(() => {}, 1_000)
require('node:fs').writeFileSync('pid', String(process.pid))
`

test.each(['SIGTERM', 'SIGINT', 'the end of its input'] as const)(
  'ends at %s, and leaves no process of a server that ignores it',
  async how => {
    const desk = deskWith(CUT)
    desk.file('deaf.cjs', DEAF)
    const command = ['sh', '-c', `'${process.execPath}' deaf.cjs; true`]
    const running = desk.start('sim', 'proxy', 'storm.scenario.yaml', '--', ...command)
    ends.push(() => running.child.kill('SIGKILL'))
    const pidOf = () => Number(readFileSync(join(desk.folder, 'pid'), 'utf8'))
    await expect.poll(pidOf, { timeout: 20_000 }).toBeGreaterThan(0)
    const pid = pidOf()
    ends.push(() => isAlive(pid) && process.kill(pid, 'SIGKILL'))
    const started = performance.now()
    if (how !== 'the end of its input') running.child.kill(how)
    const { signal } = await running.ended
    expect(signal).toBe(null)
    expect(performance.now() - started).toBeLessThan(how.startsWith('SIG') ? 4_000 : 9_000)
    await expect.poll(() => isAlive(pid)).toBe(false)
  },
  30_000,
)

test('ends with its server, although a process in the background holds the output', async () => {
  const desk = deskWith(CUT)
  const command = ['sh', '-c', 'sleep 20 2> /dev/null & exit 3']
  const ended = desk.exec('sim', 'proxy', 'storm.scenario.yaml', '--', ...command)
  expect((await ended).code).toBe(1)
}, 15_000)

test.each([
  ['agent', 'process.stdin.resume()', 'x'.repeat(17_000_000)],
  ['server', "process.stdout.write('x'.repeat(17_000_000)); setInterval(() => {}, 1_000)", ''],
])(
  'names a line of the %s that is too long',
  (of, code, input) => {
    const { folder: cwd } = deskWith(CUT)
    const args = [MAIN, 'sim', 'proxy', 'storm.scenario.yaml', '--', process.execPath, '-e', code]
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd,
      input,
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(stderr).toContain(`the ${of} sent a line of more than 16777216 characters`)
    expect(status).toBe(2)
  },
  30_000,
)

/** A zombie has ended. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Requests a tool of this name over stdio. */
function requested(tool: unknown, ...options: readonly string[]) {
  const { folder: cwd } = deskWith(
    '{ id: cut, on: "tool:*", how: always, what: { error: transient } }',
  )
  const args = [MAIN, 'sim', 'proxy', 'storm.scenario.yaml', ...options, '--']
  const params = { name: tool, arguments: {} }
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`
  return spawnSync(process.execPath, [...args, process.execPath, SERVER], {
    cwd,
    input,
    encoding: 'utf8',
  })
}

/** What the proxy prints beside the protocol. */
const printedFor = (tool: string, ...options: readonly string[]): string =>
  requested(tool, ...options).stderr

test.each([[{ toString: 1 }], [7], [null]])(
  'the server answers a request for a tool with the name %j',
  name => {
    const { stdout, stderr } = requested(name)
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, error: { code: expect.any(Number) } })
    expect(stderr).toContain('never occurred: cut')
  },
)

test('a tape that cannot be written does not end the relay', () => {
  const { stdout, stderr, status } = requested('stock', '--tape', '/dev/full')
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, error: expect.anything() })
  expect(stderr).toMatch(/error: --tape \/dev\/full: cannot be written: ENOSPC/)
  expect(status).toBe(2)
})

test('the name of a tool forges no line of the tape', () => {
  const printed = printedFor('pay call 1  cut: {}\n0ms  tool:order\u202e')
  expect(printed).toMatch(
    /^\d+ms {2}tool:pay call 1 {2}cut: \{\}\\n0ms {2}tool:order\\u202e call 1 {2}cut: .*\n$/,
  )
})

test('the tape as JSON has the name of a tool as it is', () => {
  const tool = 'pay\u202e\u200b\u009b1m\u{e0001}'
  const printed = printedFor(tool, '--json')
  expect(printed).toContain(String.raw`pay\u202e\u200b\u009b1m\udb40\udc01`)
  expect(JSON.parse(printed)).toMatchObject({ target: `tool:${tool}`, fault: 'cut' })
})

test('serves MCP over HTTP, prints each injected effect, and ends with code 0', async () => {
  const handler = createMcpHandler(stockServer)
  const tools = await listen(request => handler.fetch(request), { host: '127.0.0.1', port: 0 })
  ends.push(tools.close)
  const model = '{ id: dumb, on: model:*, what: earlyStop }'
  const forged = '{ id: forged, on: "tool:pay*", how: always, what: hang }'
  const desk = deskWith(`${CUT}, ${model}, ${forged}`)
  const running = desk.start(
    'sim',
    'proxy',
    'storm.scenario.yaml',
    '--mcp',
    tools.url,
    '--port',
    '0',
  )
  ends.push(() => running.child.kill('SIGKILL'))
  await expect.poll(() => running.lines()[0], { timeout: 20_000 }).toMatch(/^tools {2}http/)
  const served = (running.lines()[0] ?? '').slice('tools  '.length)
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(served)))
  const pay = { name: 'pay\nnever occurred: none', arguments: {} }
  await expect(client.callTool(pay, { timeout: 300 })).rejects.toThrow(/timed out/i)
  expect(textOf(await stock(client))).toBe('3')
  await client.close()
  running.child.kill('SIGINT')
  const { code, out, err } = await running.ended
  expect(out).toMatch(/^\d+ms {2}tool:pay\\nnever occurred: none call 1 {2}forged: /m)
  expect(out).toMatch(/tool:stock call 1 {2}cut: \{"truncate":1\}\n$/)
  expect(err).toBe(
    "fault 'dumb' is on a model, which this proxy does not serve\nnever occurred: dumb\n",
  )
  expect(code).toBe(0)
})

const FINE = ['storm.scenario.yaml', '--mcp', 'http://127.0.0.1:9/mcp']

test.each([
  ['neither address nor command', CUT, ['storm.scenario.yaml'], 'expected --model URL'],
  ['address and command', CUT, [...FINE, '--', 'node'], 'expected --model URL'],
  [
    'an address that is not a URL',
    CUT,
    ['storm.scenario.yaml', '--model', '8080'],
    "--model '8080': expected a URL",
  ],
  [
    'a person',
    '{ id: a, on: human, what: absent }',
    FINE,
    'storm.scenario.yaml:3:19: faults[0].on: a proxy has no human',
  ],
  [
    'a node',
    '{ id: a, on: tool:a, when: { node: plan }, what: hang }',
    FINE,
    'faults[0].when.node: a proxy sees no nodes',
  ],
  [
    'a hint',
    '{ id: a, on: model:a, what: ignoreHint }',
    FINE,
    'faults[0].what: a proxy does not know the hints',
  ],
  [
    'a command that does not exist',
    CUT,
    ['storm.scenario.yaml', '--', './missing'],
    './missing: cannot be started: ENOENT',
  ],
  [
    'a tape that cannot be written',
    CUT,
    [...FINE, '--tape', 'no/tape'],
    '--tape no/tape: cannot be written',
  ],
])('refuses %s', async (_, faults, args, message) => {
  const { code, out, err } = await deskWith(faults).type('sim', 'proxy', ...args)
  expect(err).toContain(message)
  expectRefused({ code, out, err, signal: null })
})

test('refuses a port that is taken', async () => {
  const taken = await listen(() => new Response(), { host: '127.0.0.1', port: 0 })
  ends.push(taken.close)
  const { port } = new URL(taken.url)
  const refused = await deskWith(CUT).type('sim', 'proxy', ...FINE, '--port', port)
  expectRefused(refused, `--port ${port}: already in use`)
})

test('a scenario without a graph is refused where a graph is needed', async () => {
  const refused = await deskWith(CUT).type('sim', 'run', 'storm.scenario.yaml')
  expectRefused(refused, 'graph: missing; expected the spec of the graph')
})
