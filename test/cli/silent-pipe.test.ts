/** Commands that wait for the other end of a pipe: a signal ends them at once. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { here, type Running, startIn } from '../durability/process.ts'
import { type Desk, GOOD, newDesks, spec } from './desk.ts'

const newDesk = newDesks()
const MAIN = here('../../src/main.ts')
const running: Running[] = []
const held: number[] = []

afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
  for (const fd of held.splice(0)) closeSync(fd)
})

/** Asks for a person: its thread waits for an answer or a message. */
const ASKS = spec(`
nodes:
  A: { use: human, question: Go on?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E } }
  E: { final: success }
`)

function deskWithPipe(): Desk {
  const desk = newDesk()
  execFileSync('mkfifo', [join(desk.folder, 'pipe')])
  desk.file('spec.yaml', GOOD)
  return desk
}

function start(desk: Desk, args: readonly string[], shell = ''): Running {
  const one = startIn(shell, [MAIN, ...args], { cwd: desk.folder })
  running.push(one)
  return one
}

/** Opens an end of the pipe that stays silent: it neither writes nor reads. */
function hold({ folder }: Desk): void {
  held.push(openSync(join(folder, 'pipe'), constants.O_RDWR))
}

/** The bit of SIGHUP, which Node.js does not catch before `main` does. */
const SIGHUP = 1n

async function untilCaught({ child }: Running): Promise<void> {
  const isCaught = () => {
    const [, mask = '0'] = /^SigCgt:\s*(\w+)$/m.exec(statusOf(child.pid)) ?? []
    return (BigInt(`0x${mask}`) & SIGHUP) === SIGHUP
  }
  await expect.poll(isCaught, { timeout: 30_000 }).toBe(true)
  // A command that has not opened its pipe yet ends at the signal, too.
  await pause(1_500)
}

const statusOf = (pid: number | undefined): string => readFileSync(`/proc/${pid}/status`, 'utf8')

async function untilOpen({ child }: Running): Promise<void> {
  const folder = `/proc/${child.pid}/fd`
  const isOpen = () =>
    readdirSync(folder).some(fd => {
      try {
        return Number(fd) > 2 && readlinkSync(join(folder, fd)).endsWith('/pipe')
      } catch {
        return false
      }
    })
  await expect.poll(isOpen, { timeout: 30_000 }).toBe(true)
}

/** The exit code after a signal, within a few seconds. */
async function codeAfter(one: Running, signal: NodeJS.Signals): Promise<number | null | 'alive'> {
  one.child.kill(signal)
  return Promise.race([one.ended.then(({ code }) => code), pause(4_000, 'alive' as const)])
}

const READERS: readonly (readonly string[])[] = [
  ['watch', 'pipe'],
  ['run', 'spec.yaml', '--input', '@pipe', '--thread', 't'],
  ['inspect', 'spec.yaml', '--once', '--input', '@pipe'],
  ['send', 'asks', '--input', '@pipe'],
  ['inject', 'asks', '--tool', 'x', '--result', '@pipe'],
  ['fork', 'asks', '--at', '0', '--effects', 'refuse', '--input', '@pipe'],
]

const WRITERS: readonly (readonly string[])[] = [
  ['export', 'asks', '--out', 'pipe'],
  ['report', 'asks', '--out', 'pipe'],
  ['watch', 'traces.jsonl', '--out', 'pipe'],
  ['sim', 'proxy', 'calm.scenario.yaml', '--mcp', 'http://127.0.0.1:1/mcp', '--tape', 'pipe'],
]

const SIGNALS = [
  ['SIGTERM', 143],
  ['SIGHUP', 143],
  ['SIGINT', 130],
] as const

describe.runIf(process.platform === 'linux')('a pipe whose writer is silent', () => {
  it.each(READERS)('does not keep %s %s alive', async (...args) => {
    const desk = deskWithPipe()
    desk.file('asks.yaml', ASKS)
    await desk.type('run', 'asks.yaml', '--thread', 'asks')
    const before = await desk.type('threads', '--json')
    hold(desk)
    const one = start(desk, args)
    await untilOpen(one)
    expect(await codeAfter(one, 'SIGTERM')).toBe(143)
    expect(await desk.type('threads', '--json')).toEqual(before)
  })

  it.each(SIGNALS)('lets %s end `watch /dev/stdin` with %i', async (signal, code) => {
    const desk = deskWithPipe()
    const one = start(desk, ['watch', '/dev/stdin'], 'exec 0<>pipe;')
    await untilOpen(one)
    expect(await codeAfter(one, signal)).toBe(code)
  })
})

describe.runIf(process.platform === 'linux')('a pipe without a writer', () => {
  it.each(SIGNALS)('lets %s end `run` with %i, and no thread starts', async (signal, code) => {
    const desk = deskWithPipe()
    const one = start(desk, ['run', 'spec.yaml', '--input', '@pipe', '--thread', 't'])
    await untilCaught(one)
    expect(await codeAfter(one, signal)).toBe(code)
    expect(readdirSync(desk.folder).toSorted()).toEqual(['pipe', 'spec.yaml'])
  })

  it('lets SIGTERM end `watch`', async () => {
    const one = start(deskWithPipe(), ['watch', 'pipe'])
    await untilCaught(one)
    expect(await codeAfter(one, 'SIGTERM')).toBe(143)
  })
})

describe.runIf(process.platform === 'linux')('a pipe in place of a module', () => {
  it.each([
    ['lint', 'parts.mjs'],
    ['lint', 'uses.yaml'],
    ['run', 'uses.yaml', '--thread', 't'],
    ['sim', 'run', 'ours.scenario.yaml'],
  ])('is refused by %s %s %s, like any path that is not a file', async (...args) => {
    const desk = newDesk()
    execFileSync('mkfifo', [join(desk.folder, 'parts.mjs')])
    desk.file('spec.yaml', GOOD)
    desk.file('uses.yaml', GOOD.replace('use: pass', 'use: ./parts.mjs#node'))
    desk.file(
      'ours.scenario.yaml',
      'scenario: 1\nname: ours\ngraph: ./spec.yaml\nsystem: ./parts.mjs#system\nseeds: 1\n',
    )
    const one = start(desk, args)
    const said = await Promise.race([one.ended, pause(20_000)])
    expect(said).toMatchObject({
      code: 2,
      err: expect.stringMatching(/parts\.mjs'? is not a file/),
    })
  })
})

describe.runIf(process.platform === 'linux')('a pipe without a reader', () => {
  it.each(WRITERS)('does not keep %s %s alive', async (...args) => {
    const desk = deskWithPipe()
    desk.file('asks.yaml', ASKS)
    desk.file('traces.jsonl', '{"id":"a","events":[{"t":"say","text":"hello"}]}\n')
    desk.file(
      'calm.scenario.yaml',
      'scenario: 1\nname: calm\nfaults: [{ id: cut, on: tool:stock, how: { nth: [1] }, what: { truncate: 1 } }]\n',
    )
    await desk.type('run', 'asks.yaml', '--thread', 'asks')
    const one = start(desk, args)
    await untilCaught(one)
    expect(await codeAfter(one, 'SIGTERM')).toBe(143)
  })
})

describe.runIf(process.platform === 'linux')('a pipe', () => {
  it('is read to its end, also when its writer comes late and splits a character', async () => {
    const desk = deskWithPipe()
    desk.file(
      'echo.yaml',
      spec(`
channels: { word: { type: string } }
input: [word]
output: [word]
nodes:
  A: { use: pass, on: { done: E } }
  E: { final: success }
`),
    )
    const one = start(desk, ['run', 'echo.yaml', '--input', '@pipe', '--thread', 't', '--json'])
    const write = `sleep 1; printf '{"word":"caf\\303' && sleep 0.2 && printf '\\251"}'`
    execFileSync('bash', ['-c', `(${write}) > pipe`], { cwd: desk.folder })
    const { code, out } = await one.ended
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('café') })
  })

  it('that its writer closes at once is empty', async () => {
    const desk = deskWithPipe()
    const one = start(desk, ['run', 'spec.yaml', '--input', '@pipe', '--thread', 't'])
    execFileSync('bash', ['-c', ': > pipe'], { cwd: desk.folder })
    expect(await one.ended).toMatchObject({
      code: 2,
      err: expect.stringContaining('--input is not JSON'),
    })
  })
})
