/** The support agent of docs/tutorial.md, and the same behavior in two other frameworks. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Peer, type Support, support } from './support.ts'

const execute = promisify(execFile)
const PEERS: readonly Peer[] = ['escapement', 'langgraph', 'ai-sdk']
let open: Support | undefined
afterEach(async () => {
  await open?.stop()
  open = undefined
})

describe.each(PEERS)('the support agent with %s', peer => {
  test('streams, uses three tools, and asks a person before a refund above 100', async () => {
    open = await support(peer)
    expect(await open.run('My clock is broken')).toMatch(/One moment\. [\s\S]*\? .*\n/)
    expect(open.paid()).toEqual([])
    expect(await open.run('--answer', 'approved')).toContain('Done: Paid 450 back for order 17.')
    expect(open.paid()).toMatchObject([{ order: '17', amount: 450 }])
  })

  test('makes no refund after a rejection', async () => {
    open = await support(peer)
    await open.run('My clock is broken')
    await open.run('--answer', 'rejected')
    expect(open.paid()).toEqual([])
  })

  test('continues after SIGKILL and makes one refund', async () => {
    open = await support(peer)
    const { run } = open
    await open.killAtModelCall(2, () => run('My clock is broken'))
    expect(await open.run('My clock is broken')).toContain('? ')
    expect(open.asked()).toBeLessThanOrEqual(4)
    await open.killAtModelCall(1, () => run('--answer', 'approved'))
    expect(await open.run('My clock is broken')).toContain('Done: Paid 450')
    expect(open.paid()).toHaveLength(1)
  })

  test('as a service, resumes the threads of a killed process and streams over HTTP', async () => {
    open = await support(peer)
    const killed = await open.serve()
    await open.killAtModelCall(2, () => killed.post({ message: 'My clock is broken' }))
    const service = await open.serve()
    await vi.waitFor(async () => expect(await service.status()).toBe('waiting'), 20_000)
    expect(open.paid()).toEqual([])
    expect(await service.post({ answer: 'approved' })).toContain('Done: Paid 450')
    expect(await service.status()).toBe('ended')
    expect(open.paid()).toHaveLength(1)
    await service.kill()
  })
})

describe('the support agent with escapement', () => {
  test('answers a second message after the first is done', async () => {
    open = await support('escapement')
    await open.run('My clock is broken')
    await open.run('--answer', 'approved')
    const asked = open.asked()
    expect(await open.run('Thank you')).toContain('Done: Paid 450 back for order 17.')
    expect(open.asked()).toBe(asked + 1)
    expect(open.paid()).toHaveLength(1)
  })

  test('explains why it does not take a message while a question is open', async () => {
    open = await support('escapement')
    await open.run('My clock is broken')
    expect(await open.run('Hello?')).toMatch(
      /\(question .* is open: answer it first.*\)[\s\S]*\n\? Refund 450 for order 17\?/,
    )
  })

  test('as a service, refuses an answer to an unknown thread and does not create it', async () => {
    open = await support('escapement')
    const service = await open.serve()
    await expect(service.post({ answer: 'approved' })).rejects.toMatchObject({
      code: 'unknown-thread',
    })
    await expect(service.status()).rejects.toMatchObject({ code: 'unknown-thread' })
    expect(open.asked()).toBe(0)
    await service.kill()
  })
})

describe('docs/tutorial.md', () => {
  const page = readFileSync(new URL('../../docs/tutorial.md', import.meta.url), 'utf8')
  const sourceOf = (file: string) =>
    readFileSync(new URL(`../../examples/support/${file}`, import.meta.url), 'utf8')
  const codeLines = (file: string) =>
    sourceOf(file)
      .split('\n')
      .filter(line => !/^\s*($|\/\/|\/\*\*)/.test(line)).length

  test('shows the programs that the tests run', () => {
    const shown = [...page.matchAll(/```ts file=examples\/support\/(\S+)\n([\s\S]*?)```/g)]
    expect(shown).toHaveLength(2)
    for (const [, file = '', text] of shown) expect(text).toBe(sourceOf(file))
  })

  test('shows requests that work', async () => {
    open = await support('escapement')
    const service = await open.serve()
    const scripts = [...page.matchAll(/```sh\n(curl [\s\S]*?|question=[\s\S]*?)```/g)]
    const outputs: string[] = []
    for (const [, script = ''] of scripts) {
      const command = script.replaceAll('http://localhost:4100', service.url)
      outputs.push((await execute('bash', ['-euc', command])).stdout)
    }
    expect(outputs).toEqual([
      expect.stringContaining('"question":"Refund 450 for order 17?"'),
      expect.stringContaining('"outcome":"success"'),
    ])
    expect(open.paid()).toMatchObject([{ order: '17', amount: 450 }])
    await service.kill()
  })

  test.each([
    ['escapement', 40, 10],
    ['langgraph', 100, 100],
    ['ai-sdk', 100, 100],
  ])('counts the lines of %s', (peer, most, mostService) => {
    const [agent, service] = [codeLines(`${peer}.ts`), codeLines(`${peer}-service.ts`)]
    expect(page).toContain(`| ${agent} | ${service} |`)
    expect([agent <= most, service <= mostService]).toEqual([true, true])
  })
})
