/** docs/deploy.md: its commands start, and its flags, ports, paths, times and variables exist in the command line. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { spanIn } from '../src/core/watch/data/duration.ts'
import { newFolders } from './durability/folders.ts'
import { serveIn } from './http/serving.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/deploy.md'), 'utf8')
const newFolder = newFolders()

function blockOf(language: string): string {
  const text = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1]
  if (text === undefined) throw new Error(language)
  return text
}

const docker = blockOf('dockerfile')
const systemd = blockOf('ini')
const [deployment, claim, service] = parseAllDocuments(blockOf('yml')).map(of => of.toJS())
const pod = deployment.spec.template.spec
const [container] = pod.containers

const SPEC = `escapement: 1
id: ask
start: ask
nodes:
  ask: { use: human, question: Go on?, deadline: 1h, on: { human.approved: end, human.rejected: no, human.expired: no } }
  end: { final: success }
  no: { final: failure }
`

/** The words of each command line. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  docker: JSON.parse(/^CMD (\[.*\])$/m.exec(docker)?.[1] ?? '[]'),
  systemd: (/^ExecStart=(.*)$/m.exec(systemd)?.[1] ?? '').split(' '),
  kubernetes: [...container.command, ...container.args],
}
const names = Object.keys(COMMANDS)
const wordsOf = (name: string): readonly string[] => COMMANDS[name] ?? []
const valueOf = (words: readonly string[], flag: string) => words[words.indexOf(flag) + 1] ?? ''

const help = execFileSync(process.execPath, [join(root, 'src/main.ts'), 'serve', '--help'], {
  encoding: 'utf8',
})

describe('docs/deploy.md', () => {
  test.each(names)('%s: the command and its flags exist', name => {
    const [command = '', serve, ...flags] = wordsOf(name)
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(Object.keys(bin)).toContain(command.split('/').at(-1))
    expect(serve).toBe('serve')
    const given = flags.filter(word => word.startsWith('--'))
    const known = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag)
    expect(given.length).toBeGreaterThan(3)
    expect(known).toEqual(expect.arrayContaining(given))
  })

  test.each(names)(
    '%s: the service starts, is healthy and ready, and ends at SIGTERM',
    async name => {
      const folder = newFolder()
      mkdirSync(join(folder, 'graphs'))
      writeFileSync(join(folder, 'graphs/ask.yaml'), SPEC)
      const words = wordsOf(name).slice(2)
      const args = [...words, '--port', '0']
      const environment = { ESCAPEMENT_STORE: 'threads.db', ESCAPEMENT_HOSTS: 'agents' }
      const { ready, child, exit } = serveIn(folder, args, environment)
      const { port } = new URL((await ready).url)
      // A probe names the address of the pod.
      for (const path of ['/healthz', '/readyz'])
        expect(await statusOf(`http://127.0.0.1:${port}${path}`, 'pod.address:4100')).toBe(200)
      child.kill('SIGTERM')
      expect((await exit).code).toBe(0)
    },
  )

  test('names the port of the command everywhere', () => {
    const defaultPort = /--port.*default: "(\d+)"/.exec(help)?.[1]
    for (const name of names) expect(valueOf(wordsOf(name), '--port')).toBe(defaultPort)
    expect(/^EXPOSE (\d+)$/m.exec(docker)?.[1]).toBe(defaultPort)
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(defaultPort) }])
    expect(service.spec.ports).toEqual([
      { name: 'http', port: Number(defaultPort), targetPort: 'http' },
    ])
    const ports = [...page.matchAll(/:(\d{4})\b/g)].map(([, port]) => port)
    expect(new Set(ports)).toEqual(new Set([defaultPort]))
  })

  test('probes the paths of the service', () => {
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    expect(/^HEALTHCHECK .*'(http[^']*)'/m.exec(docker)?.[1]).toMatch(/\/healthz$/)
  })

  test('gives turns their time to end before the process is killed', () => {
    const drains = names.map(name => (spanIn(valueOf(wordsOf(name), '--drain')) ?? 0) / 1_000)
    const limits = [
      Number(/--stop-timeout (\d+)/.exec(page)?.[1]),
      Number(/^TimeoutStopSec=(\d+)$/m.exec(systemd)?.[1]),
      pod.terminationGracePeriodSeconds,
    ]
    for (const [index, limit] of limits.entries()) expect(limit).toBeGreaterThan(drains[index] ?? 0)
  })

  test('names variables that the program reads', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .map(file => readFileSync(join(root, 'src', file), 'utf8'))
      .join('\n')
    const variables = new Set(page.match(/\b(?:ESCAPEMENT|OPENAI)_[A-Z_]+/g))
    expect(variables.size).toBe(6)
    for (const name of container.env.map((of: { name: string }) => of.name))
      expect(variables).toContain(name)
    for (const name of variables) expect(sources).toMatch(new RegExp(`\\b${name}\\b`))
  })

  test('mounts the claimed volume where the store is', () => {
    const [{ persistentVolumeClaim, name }] = pod.volumes
    expect(persistentVolumeClaim.claimName).toBe(claim.metadata.name)
    const { mountPath } = container.volumeMounts.find((of: { name: string }) => of.name === name)
    const store = container.env.find((of: { name: string }) => of.name === 'ESCAPEMENT_STORE')
    expect(store.value.startsWith(`${mountPath}/`)).toBe(true)
  })
})

/** `fetch` sets the header `host` itself. */
async function statusOf(url: string, host: string): Promise<number> {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get(url, { headers: { host } }, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject)
  })
}
