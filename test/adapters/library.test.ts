/** Child graphs of a spec: read once each from its folder, and part of its hash and of its stored form. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bindLoaded, graphOfSource, loadSpecs } from '../../src/host/drive/load.ts'

const WORKER =
  'escapement: 1\nid: worker\nstart: A\nnodes:\n  A: { use: pass, on: { done: end } }\n  end: { final: success }\n'

const running = (graphs: string, id = 'root') =>
  `escapement: 1\nid: ${id}\nstart: A\nnodes:\n  A: { use: graph, graph: worker, on: { done: end, error: end } }\n  end: { final: success }\ngraphs: ${graphs}\nlimits: { depth: 3 }\n`

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'escapement-library-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

async function loaded(files: Readonly<Record<string, string>>, name = 'root.yaml') {
  return loadSpecs(join(await folderWith(files), name))
}

describe('reports a fault in a child graph with its location', () => {
  test.each([
    [
      'the file is missing',
      { 'root.yaml': running('{ worker: ./none.yaml }') },
      /root\.yaml:7:11: graphs\.worker: file '\.\/none\.yaml' not found/,
    ],
    [
      'the file is outside the folder',
      { 'a/root.yaml': running('{ worker: ./../worker.yaml }'), 'worker.yaml': WORKER },
      /graphs\.worker: '\.\/\.\.\/worker\.yaml' leads out of the folder/,
    ],
    [
      'the child graph is invalid',
      {
        'root.yaml': running('{ worker: ./w.yaml }'),
        'w.yaml': WORKER.replace('done: end', 'done: nowhere'),
      },
      /w\.yaml:5:\d+: nodes\.A\.on\.done: unknown node 'nowhere'/,
    ],
    [
      'an inline child graph is invalid',
      {
        'root.yaml': running(
          '{ worker: { escapement: 1, id: w, start: B, nodes: { B: { use: pas } } } }',
        ),
      },
      /root\.yaml:7:\d+: graphs\.worker\.nodes\.B\.use: expected/,
    ],
    [
      'an inline child graph names an unknown node',
      {
        'root.yaml': running(
          '{ worker: { escapement: 1, id: w, start: B, nodes: { B: { use: pass, on: { done: C } } } } }',
        ),
      },
      /graphs\.worker\.nodes\.B\.on\.done: unknown node 'C'/,
    ],
    [
      'the graph is not declared',
      { 'root.yaml': running('{ other: ./w.yaml }'), 'w.yaml': WORKER },
      /nodes\.A\.graph: unknown graph 'worker'; expected one of: other/,
    ],
    [
      'the channel is unknown',
      { 'root.yaml': WORKER.replace('use: pass', 'use: map, over: items, graph: w') },
      /nodes\.A\.over: unknown channel 'items'/,
    ],
  ])('%s', async (_, files, message) => {
    const name = Object.keys(files).find(file => file.endsWith('root.yaml')) ?? ''
    await expect(loaded(files, name)).rejects.toThrow(message)
  })

  test('a link that leads out of the folder', async () => {
    const outside = await folderWith({ 'worker.yaml': WORKER })
    const folder = await folderWith({ 'root.yaml': running('{ worker: ./worker.yaml }') })
    await symlink(join(outside, 'worker.yaml'), join(folder, 'worker.yaml'))
    await expect(loadSpecs(join(folder, 'root.yaml'))).rejects.toThrow(
      /graphs\.worker: '\.\/worker\.yaml' is a link that leads out of the folder/,
    )
  })

  test('more files than the limit', async () => {
    const chain = Array.from(
      { length: 70 },
      (_, index) => [`${index}.yaml`, running(`{ worker: ./${index + 1}.yaml }`)] as const,
    )
    await expect(
      loaded({ ...Object.fromEntries(chain), '70.yaml': WORKER }, '0.yaml'),
    ).rejects.toThrow(/leads to more than 64 files/)
  })
})

describe('a graph with graphs', () => {
  test('has another identity if one child differs', async () => {
    const hashOf = async (worker: string) =>
      (
        await bindLoaded(
          await loaded({ 'root.yaml': running('{ worker: ./w.yaml }'), 'w.yaml': worker }),
        )
      ).machine.hash
    expect(await hashOf(WORKER)).toBe(await hashOf(WORKER))
    expect(await hashOf(WORKER)).not.toBe(await hashOf(WORKER.replace('id: worker', 'id: other')))
  })

  test('may run itself, and is restored from its stored form without its files', async () => {
    const graph = await bindLoaded(
      await loaded({
        'root.yaml': running('{ worker: ./w.yaml }'),
        'w.yaml': running('{ worker: ./root.yaml }', 'second'),
      }),
    )
    expect(graph.graphs?.worker?.graphs?.worker).toBe(graph)
    const again = await graphOfSource(JSON.parse(JSON.stringify(graph.source)))
    expect(again.machine.hash).toBe(graph.machine.hash)
    expect(again.graphs?.worker?.graphs?.worker).toBe(again)
    const child = await graphOfSource(
      JSON.parse(JSON.stringify(graph.graphs?.worker?.source ?? null)),
    )
    expect(child.machine.id).toBe('second')
    expect(child.graphs?.worker?.machine.id).toBe('root')
  })

  test('names the child that runs it again', async () => {
    const files = {
      'root.yaml': running('{ worker: ./w.yaml, leaf: ./leaf.yaml }'),
      'w.yaml': running('{ worker: ./root.yaml }'),
      'leaf.yaml': WORKER,
    }
    expect([...(await loaded(files)).recursive]).toEqual(['worker'])
  })
})
