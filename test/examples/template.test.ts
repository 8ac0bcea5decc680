/** `templates/typescript/main.ts`: one conversation over several runs of the program, against a model over HTTP. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LLMock } from '@copilotkit/aimock'
import { expect, test } from 'vitest'
import { environmentOf } from '../durability/process.ts'

const MAIN = fileURLToPath(new URL('../../templates/typescript/main.ts', import.meta.url))
const FROM_SOURCE = new URL('from-source.ts', import.meta.url).href

test('the program of the template sends each message, and answers only an existing thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'template-'))
  const model = new LLMock({ port: 0 })
  const predicate = () => true
  const refund = { id: 'c1', name: 'refund', arguments: '{"order":"17","amount":450}' }
  model.addFixture({
    match: { predicate },
    response: request => {
      const { messages } = request as unknown as {
        messages: readonly { role: string; content: unknown }[]
      }
      const last = messages.at(-1)
      if (last?.role === 'tool') return { content: 'Refunded.' }
      return String(last?.content).includes('broken')
        ? { content: '', toolCalls: [refund] }
        : { content: 'You are welcome.' }
    },
  })
  await model.start()
  const start = (...args: readonly string[]) =>
    new Promise<readonly [text: string, code: unknown]>(done => {
      const env = { ...process.env, OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${model.url}/v1` }
      const command = ['--import', FROM_SOURCE, MAIN, ...args]
      execFile(process.execPath, command, { cwd: folder, env }, (error, out, err) =>
        done([out + err, error?.code ?? 0]),
      )
    })
  try {
    const text = async (...args: readonly string[]) => (await start(...args))[0]
    expect(await text('--thread', 't3', '--answer', 'approved')).toMatch(/'t3' does not exist/)
    const [asked, code] = await start('My clock is broken.')
    expect(asked).toContain('npm start -- --thread ticket-1 --answer approved   # or rejected')
    expect(code).toBe(0)
    const [refused, refusedCode] = await start('--answer', 'applied')
    expect(refused).toMatch(/\? Refund 450[\s\S]*--answer takes one of: approved, rejected/)
    expect(refused).not.toMatch(/\n\s+at /)
    expect(refusedCode).toBe(1)
    expect(await text('Hello?')).toMatch(/\? Refund 450[\s\S]*is open: answer it first/)
    expect(await text('--answer', 'approved')).toMatch(/Refunded\.[\s\S]*success/)
    expect(await text('Thank you.')).toMatch(/You are welcome\.[\s\S]*success/)
  } finally {
    await model.stop()
    rmSync(folder, { recursive: true })
  }
}, 60_000)

test('the program of the template needs a key or an endpoint before it creates a thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'template-'))
  const env = environmentOf()
  const command = ['--import', FROM_SOURCE, MAIN, 'My clock is broken.']
  const [code, text] = await new Promise<readonly [unknown, string]>(done => {
    execFile(process.execPath, command, { cwd: folder, env }, (error, out, err) =>
      done([error?.code, out + err]),
    )
  })
  const stored = existsSync(join(folder, 'threads.db'))
  rmSync(folder, { recursive: true })
  expect([code, text, stored]).toEqual([2, expect.stringMatching(/^set OPENAI_API_KEY/), false])
}, 60_000)
