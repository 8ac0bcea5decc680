/** `escapement inspect`: a graph in a pipe, a stored thread, an archive, and what it refuses. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { newFolders } from '../durability/folders.ts'
import { escapement, startEscapement } from '../durability/process.ts'

const newFolder = newFolders()
const APPROVAL = resolve(import.meta.dirname, '../../graphs/approval.yaml')

/** The journal that the page of this subject reads, with the session of its link. */
async function shown(folder: string, subject: string): Promise<string> {
  const args = ['inspect', subject, '--json', '--store', 's.db']
  const { child, lines, ended } = startEscapement(args, { cwd: folder })
  while (lines().length === 0 && child.exitCode === null) await pause(20)
  const { url, token, link } = JSON.parse(lines()[0] ?? (await ended).err)
  expect(link).toBe(`${url}/#/threads/news?token=${token}`)
  const opened = await fetch(`${url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const [cookie = ''] = opened.headers.getSetCookie()
  const rows = await fetch(`${url}/v1/threads/news/rows`, { headers: { cookie } })
  child.kill('SIGTERM')
  await ended
  return rows.text()
}

it('shows a stored thread and its archive, which have the same journal', async () => {
  const folder = newFolder()
  const input = '{"topic": "a release"}'
  const cwd = folder
  const store = ['--store', 's.db']
  await escapement(['run', APPROVAL, '--thread', 'news', ...store, '--input', input], { cwd })
  const out = join(folder, 'news.escapement.gz')
  await escapement(['export', 'news', ...store, '--out', out], { cwd })
  const stored = await shown(folder, 'news')
  expect(stored).toContain('thread.started')
  expect(await shown(folder, out)).toBe(stored)
})

it('prints the run of a graph in a pipe, with its input', async () => {
  const input = '{"topic": "a release"}'
  const { code, out } = await escapement(['inspect', APPROVAL, '--input', input], {
    cwd: newFolder(),
  })
  expect(code).toBe(3)
  expect(out).toContain('waiting for a person')
})

it.each([
  [['inspect', 'none'], "thread 'none' does not exist"],
  [['inspect', '--port', '70000'], 'the largest port is 65535'],
  [['inspect', './none.yaml'], 'none.yaml'],
  [['inspect', 'news', '--once'], "not thread 'news'\n       → escapement show news\n"],
  [['inspect', './', '--once'], 'expected a spec or a module, not file ./'],
  [['inspect', APPROVAL, '--graphs', 'none'], '--graphs is for a stored thread, not a graph'],
  [['inspect', './', '--graphs', 'none'], '--graphs is for a stored thread, not an archive'],
  [['inspect', 'news', '--input', '{}'], '--input is for a graph, which starts a new thread'],
  [['inspect', '--once'], '--once runs a graph without the page'],
])('refuses %j with exit code 2', async (args, message) => {
  const { code, err } = await escapement(args, { cwd: newFolder() })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
  expect(err).not.toMatch(/^\s+at /m)
})

it('refuses an archive that is none with exit code 2 and its name', async () => {
  const cwd = newFolder()
  writeFileSync(join(cwd, 'hello.gz'), gzipSync('hello\n'))
  const { code, err } = await escapement(['inspect', 'hello.gz'], { cwd })
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining('hello.gz: is not an escapement archive'),
  })
})

it('refuses a port in use with exit code 2', async () => {
  const [cwd, server] = [newFolder(), createServer().listen(0, '127.0.0.1')]
  await once(server, 'listening')
  const port = String((server.address() as AddressInfo).port)
  const { code, err } = await escapement(['inspect', '--port', port], { cwd })
  server.close()
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining(`--port ${port}: already in use`),
  })
})
