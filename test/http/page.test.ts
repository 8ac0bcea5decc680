/** The curl examples of docs/service.md, run in order against `escapement serve`. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { hashKey } from '../../src/http.ts'
import { newFolders } from '../durability/folders.ts'

const root = resolve(import.meta.dirname, '../..')
const newFolder = newFolders()

test('the curl examples of docs/service.md work', async () => {
  const env = { ...process.env, ESCAPEMENT_KEYS: `desk:admin:${hashKey('my-key')}` }
  const args = ['serve', '--json', '--port', '0', '--graphs', join(root, 'graphs/approval.yaml')]
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), ...args], {
    cwd: newFolder(),
    env,
  })
  try {
    const text = await new Promise(done => child.stdout.once('data', done))
    const { url } = JSON.parse(String(text))
    const page = readFileSync(join(root, 'docs/service.md'), 'utf8')
    const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    const files = newFolder()
    const outputs = []
    for (const block of blocks.filter(text => text.includes('curl'))) {
      const script = block.replaceAll('localhost:4100', url.replace('http://', ''))
      outputs.push(execFileSync('bash', ['-euc', script], { encoding: 'utf8', cwd: files }))
      // The next example reads the question that the thread asks.
      if (outputs.length === 1) await waiting(url)
    }
    expect(outputs).toEqual([
      '{"thread":"news"}',
      expect.stringContaining('"status":"waiting"'),
      '{"thread":"copy-1"}{"thread":"copy-2"}',
      expect.stringMatching(/"thread":"news","seq":\d+/),
      expect.stringContaining('"node":"write"'),
      expect.stringContaining('"when":"spent.usd >= 1.0"'),
      expect.stringMatching(/"thread":"draft","seq":\d+/),
      expect.stringMatching(/"thread":"draft","seq":\d+/),
      expect.stringContaining('event: batch'),
      expect.stringContaining('"state":"open"'),
      expect.stringMatching(/^\{"threads":\[\]\}\{"tallies":\[\{"graph":"approval",/),
      expect.stringMatching(/"thread":"news".*"decision":"approved","by":"desk"/),
      expect.stringContaining('escapement_runs_total{graph="approval",outcome="success"} 1'),
    ])
  } finally {
    child.kill('SIGKILL')
  }
})

async function waiting(url: string): Promise<void> {
  const headers = { authorization: 'Bearer my-key' }
  for (let text = ''; !text.includes('"status":"waiting"'); )
    text = await (await fetch(`${url}/v1/threads/news`, { headers })).text()
}
