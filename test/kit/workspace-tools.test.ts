/** The file tools, and the boundary of the workspace. */
import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Json } from '../../src/core/watch/data/json.ts'
import { grep, listDir, readFile } from '../../src/kit/tools/files.ts'
import { OutsideWorkspace, readFolder, workspaceAt } from '../../src/kit/workspace.ts'
import type { Tool } from '../../src/runtime/ports.ts'
import { fakeCall, folderWith } from './fake.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a tool returns is looked into freely here.
const use = async (tool: Tool, args: Json, call = fakeCall()): Promise<any> =>
  tool.execute(tool.parse(args), call)

describe('the boundary of the workspace', () => {
  const outside = (tool: Tool, path: string) =>
    expect(use(tool, tool.name === 'grep' ? { path, pattern: 'x' } : { path })).rejects.toThrow(
      OutsideWorkspace,
    )

  test.each(['..', '../secret.txt', 'in/../../secret.txt', '/etc/passwd', '/', 'a\0b'])(
    'every tool rejects %j, which leads out',
    async path => {
      const folder = await folderWith({ 'in/a.txt': 'a' })
      const workspace = workspaceAt(join(folder, 'in'))
      for (const tool of [readFile(workspace), listDir(workspace), grep(workspace)])
        await outside(tool, path)
    },
  )

  test('does not reveal whether outside files exist', async () => {
    const workspace = workspaceAt(await folderWith({}))
    const there = await use(readFile(workspace), { path: '/etc/passwd' }).catch(
      error => error.message,
    )
    const missing = await use(readFile(workspace), { path: '/etc/nothing' }).catch(
      error => error.message,
    )
    expect(there.replace('passwd', '')).toBe(missing.replace('nothing', ''))
  })

  test.each([
    'away/passwd',
    'away/nothing',
    'away/nothing/deep',
    'away/passwd/deep',
    'gone',
    'next',
    'beside',
    'beside-nothing',
  ])('does not reveal whether a file exists behind a link that leads out: %s', async path => {
    const links = { beside: 'away/../etc/passwd', 'beside-nothing': 'away/../etc/nothing' }
    const folder = await folderWith(
      {},
      { away: '/etc', gone: '/etc/nothing', next: 'gone', ...links },
    )
    const workspace = workspaceAt(folder)
    for (const tool of [readFile(workspace), listDir(workspace), grep(workspace)])
      await outside(tool, path)
  })

  test('says that the target of a link inside does not exist', async () => {
    const folder = await folderWith({}, { gone: 'nothing', loop: 'loop' })
    const workspace = workspaceAt(folder)
    await expect(use(readFile(workspace), { path: 'gone' })).rejects.toThrow('does not exist')
    await expect(use(readFile(workspace), { path: 'loop' })).rejects.toThrow('circular link')
  })

  test('rejects a link that leads out, as a file, as a folder, and inside a path', async () => {
    const secret = await folderWith({ 'secret.txt': 'the secret', 'deep/more.txt': 'the secret' })
    const folder = await folderWith(
      { 'a.txt': 'a' },
      { 'out.txt': join(secret, 'secret.txt'), away: secret },
    )
    const workspace = workspaceAt(folder)
    await outside(readFile(workspace), 'out.txt')
    await outside(listDir(workspace), 'away')
    await outside(readFile(workspace), 'away/deep/more.txt')
    expect((await use(grep(workspace), { pattern: 'secret' })).matches).toEqual([])
  })

  test('refuses a folder that became a link after its path was checked', async () => {
    const secret = await folderWith({ 'a.txt': 'the secret', 'more/b.txt': 'the secret' })
    const folder = await folderWith({ 'in/a.txt': 'a', 'in/more/b.txt': 'a' })
    const checked = workspaceAt(folder)
    const workspace = {
      find: async (path: string) => {
        const place = await checked.find(path)
        await rename(join(folder, 'in'), join(folder, 'before'))
        await symlink(secret, join(folder, 'in'))
        return place
      },
    }
    const calls: [Tool, string][] = [
      [readFile(workspace), 'in/a.txt'],
      [listDir(workspace), 'in/more'],
      [grep(workspace), 'in/more'],
      [grep(workspace), 'in/a.txt'],
    ]
    for (const [tool, path] of calls) {
      const answer = use(tool, tool.name === 'grep' ? { path, pattern: 'secret' } : { path })
      await expect(answer).rejects.toThrow(OutsideWorkspace)
      await rm(join(folder, 'in'))
      await rename(join(folder, 'before'), join(folder, 'in'))
    }
  })

  test.runIf(process.platform === 'linux')(
    'reads the folder that was checked, also if it becomes a link meanwhile',
    async () => {
      const secret = await folderWith({ 'in/b.txt': 'the secret' })
      const folder = await folderWith({ 'in/a.txt': 'a' })
      const place = await workspaceAt(folder).find('in')
      const names = await readFolder(place, async path => {
        await rename(join(folder, 'in'), join(folder, 'before'))
        await symlink(join(secret, 'in'), join(folder, 'in'))
        return readdir(path)
      })
      expect(names).toEqual(['a.txt'])
    },
  )

  test('stays where it was when the folder or a folder above it becomes a link', async () => {
    const [up, other] = [await folderWith({}), await folderWith({})]
    for (const place of [up, other]) await mkdir(join(place, 'up/in'), { recursive: true })
    await writeFile(join(up, 'up/in/a.txt'), 'inside')
    await writeFile(join(other, 'up/in/a.txt'), 'outside')
    const tools = workspaceAt(join(up, 'up/in'))
    expect(await use(readFile(tools), { path: 'a.txt' })).toMatchObject({ text: 'inside' })
    await rename(join(up, 'up'), join(up, 'old'))
    await symlink(join(other, 'up'), join(up, 'up'))
    await expect(use(readFile(tools), { path: 'a.txt' })).rejects.toThrow(OutsideWorkspace)
    await expect(use(readFile(tools), { path: 'none.txt' })).rejects.toThrow(OutsideWorkspace)
    await expect(use(grep(tools), { pattern: 'outside' })).rejects.toThrow(OutsideWorkspace)
    await expect(use(listDir(tools), { path: '.' })).rejects.toThrow(OutsideWorkspace)
  })

  test('follows a link that stays inside, and a workspace that is a link', async () => {
    const folder = await folderWith({ 'a.txt': 'hello' }, { 'b.txt': 'a.txt' })
    const linked = await folderWith({}, { here: folder })
    expect(await use(readFile(workspaceAt(join(linked, 'here'))), { path: 'b.txt' })).toMatchObject(
      { path: 'a.txt', text: 'hello' },
    )
  })

  test('accepts inside names that only look like outside paths', async () => {
    const folder = await folderWith({ '..a/...b': 'hello', '-rf': 'hello' })
    expect(await use(readFile(workspaceAt(folder)), { path: '..a/...b' })).toMatchObject({
      text: 'hello',
    })
    expect(await use(readFile(workspaceAt(folder)), { path: join(folder, '-rf') })).toMatchObject({
      path: '-rf',
      text: 'hello',
    })
  })
})

describe('list_dir', () => {
  test('lists folders and files in order, with sizes; links apart', async () => {
    const folder = await folderWith(
      { 'b.txt': 'bbb', 'a.txt': '', 'sub/c.txt': 'c' },
      { link: 'a.txt' },
    )
    expect(await use(listDir(workspaceAt(folder)), {})).toEqual({
      path: '.',
      folders: ['sub'],
      files: [
        { name: 'a.txt', bytes: 0 },
        { name: 'b.txt', bytes: 3 },
      ],
      links: ['link'],
    })
  })

  test('lists the first entries of a large folder, and counts the rest', async () => {
    const folder = await folderWith({})
    await Promise.all(
      Array.from({ length: 320 }, (_, index) => writeFile(join(folder, `${index}`), '')),
    )
    const { files, more } = await use(listDir(workspaceAt(folder)), { path: '.' })
    expect([files.length, more]).toEqual([300, 20])
  })

  test('reports a missing folder or a file, without revealing the location of the workspace', async () => {
    const folder = await folderWith({ 'a.txt': 'a' })
    await expect(use(listDir(workspaceAt(folder)), { path: 'nowhere' })).rejects.toMatchObject({
      code: 'ENOENT',
      message: "'nowhere' does not exist in the workspace",
    })
    await expect(use(listDir(workspaceAt(folder)), { path: 'a.txt' })).rejects.toMatchObject({
      code: 'ENOTDIR',
    })
  })
})

describe('read_file', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')

  test('reads a whole file if it fits on one page', async () => {
    const folder = await folderWith({ 'a.txt': 'one\r\ntwo\n' })
    expect(await use(readFile(workspaceAt(folder)), { path: './a.txt' })).toEqual({
      path: 'a.txt',
      from: 1,
      to: 2,
      total: 2,
      text: 'one\ntwo',
    })
  })

  test('reads a long file page by page', async () => {
    const folder = await folderWith({ 'a.txt': lines(1_000) })
    const first = await use(readFile(workspaceAt(folder)), { path: 'a.txt' })
    expect(first).toMatchObject({ from: 1, to: 400, total: 1_000, next: 401 })
    expect(await use(readFile(workspaceAt(folder)), { path: 'a.txt', from: 999 })).toEqual({
      path: 'a.txt',
      from: 999,
      to: 1_000,
      total: 1_000,
      text: 'line 999\nline 1000',
    })
    expect(
      await use(readFile(workspaceAt(folder)), { path: 'a.txt', from: 5, lines: 1 }),
    ).toMatchObject({ text: 'line 5', next: 6 })
  })

  test('bounds the characters of a page, and cuts a longer line', async () => {
    const folder = await folderWith({ 'a.txt': `${'x'.repeat(50_000)}\nend` })
    const page = await use(readFile(workspaceAt(folder)), { path: 'a.txt' })
    expect(page.text).toHaveLength(12_000 + ' … [38000 more characters in this line]'.length)
    expect(page.next).toBe(2)
  })

  test('reports no lines in an empty file, and none beyond the end', async () => {
    const folder = await folderWith({ 'empty.txt': '', 'a.txt': 'a' })
    expect(await use(readFile(workspaceAt(folder)), { path: 'empty.txt' })).toMatchObject({
      total: 0,
      text: '',
    })
    await expect(use(readFile(workspaceAt(folder)), { path: 'a.txt', from: 7 })).rejects.toThrow(
      "from: expected at most 1, the number of lines of 'a.txt'",
    )
  })

  test('rejects binary files, folders and huge files with a message', async () => {
    const folder = await folderWith({
      'a.png': new Uint8Array([137, 80, 0, 71]),
      'huge.txt': 'x'.repeat(10_000_001),
      'sub/a': '',
    })
    const reading = (path: string) => use(readFile(workspaceAt(folder)), { path })
    await expect(reading('a.png')).rejects.toMatchObject({
      name: 'BusinessError',
      message: "'a.png' is a binary file of 4 bytes; only text can be read",
    })
    await expect(reading('sub')).rejects.toMatchObject({
      code: 'EISDIR',
      message: "'sub' is a folder, not a file",
    })
    await expect(reading('huge.txt')).rejects.toMatchObject({
      name: 'BusinessError',
      message: expect.stringContaining('has 10000001 bytes'),
    })
    await expect(reading('gone.txt')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test.skipIf(process.platform === 'win32')(
    'does not wait for a pipe without a writer',
    async () => {
      const folder = await folderWith({})
      execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')])
      await expect(use(readFile(workspaceAt(folder)), { path: 'pipe' })).rejects.toThrow(
        "'pipe' is neither a file nor a folder",
      )
    },
  )

  test.skipIf(process.platform === 'win32')(
    'rejects a socket without the path of the workspace',
    async () => {
      const folder = await folderWith({})
      const server = createServer()
      onTestFinished(() => void server.close())
      await new Promise<void>(resolve => server.listen(join(folder, 'socket'), resolve))
      const { message } = await use(readFile(workspaceAt(folder)), { path: 'socket' }).catch(
        error => error,
      )
      expect(message).toBe("'socket' is neither a file nor a folder")
    },
  )

  test('reads at most one byte beyond the maximum of a file that grows after its size is checked', async () => {
    const folder = await folderWith({ 'log.txt': 'needle' })
    const log = join(folder, 'log.txt')
    const { read, grow } = await afterStat(log)
    grow(() => appendFile(log, 'x'.repeat(12_000_000)))
    await expect(use(readFile(workspaceAt(folder)), { path: 'log.txt' })).rejects.toThrow(
      "'log.txt' has more than 10000000 bytes",
    )
    expect(read()).toBe(10_000_001)
    await writeFile(log, 'needle')
    grow(() => appendFile(log, 'x'.repeat(2_000_000)))
    const found = await use(grep(workspaceAt(folder)), { pattern: 'needle' })
    expect(found).toMatchObject({ matches: [], files: 0 })
    expect(read()).toBe(11_000_002)
    await writeFile(log, 'needle')
    grow(() => appendFile(log, ' and a line'))
    expect((await use(readFile(workspaceAt(folder)), { path: 'log.txt' })).text).toBe(
      'needle and a line',
    )
  })
})

/** Runs an action once, after the next check of the size of an open file, and counts the bytes that are read. */
async function afterStat(file: string) {
  const handle = await open(file)
  const handles = Object.getPrototypeOf(handle)
  await handle.close()
  const { stat, read, readFile: readAll } = handles
  onTestFinished(() => Object.assign(handles, { stat, read, readFile: readAll }))
  let action: (() => Promise<void>) | undefined
  let bytes = 0
  handles.stat = async function (...args: unknown[]) {
    const found = await stat.apply(this, args)
    const act = action
    action = undefined
    await act?.()
    return found
  }
  handles.read = async function (...args: unknown[]) {
    const result = await read.apply(this, args)
    bytes += result.bytesRead
    return result
  }
  handles.readFile = async function (...args: unknown[]) {
    const result = await readAll.apply(this, args)
    bytes += result.length
    return result
  }
  return {
    read: () => bytes,
    grow(act: () => Promise<void>) {
      action = act
    },
  }
}

describe('grep', () => {
  test('finds lines by a regular expression or by plain text, with file and line', async () => {
    const folder = await folderWith({
      'a.ts': 'const a = 1\nconst b = f(2)',
      'sub/b.md': 'F(2)',
      'c.bin': new Uint8Array([0, 102, 40, 50, 41]),
    })
    const search = grep(workspaceAt(folder))
    expect(await use(search, { pattern: String.raw`\w = \d` })).toEqual({
      matches: [{ file: 'a.ts', line: 1, text: 'const a = 1' }],
      files: 2,
    })
    expect((await use(search, { pattern: 'f(2)', plain: true })).matches).toEqual([
      { file: 'a.ts', line: 2, text: 'const b = f(2)' },
    ])
    expect(
      (await use(search, { pattern: 'f(2)', plain: true, ignoreCase: true })).matches,
    ).toHaveLength(2)
    expect((await use(search, { pattern: 'const', ending: '.md' })).matches).toEqual([])
    expect((await use(search, { pattern: '2', path: 'sub/b.md' })).matches).toEqual([
      { file: 'sub/b.md', line: 1, text: 'F(2)' },
    ])
  })

  test('leaves out node_modules and .git', async () => {
    const folder = await folderWith({
      'node_modules/x/a.js': 'here',
      '.git/config': 'here',
      'deep/node_modules/b.js': 'here',
      '.env': 'here',
    })
    expect(
      (await use(grep(workspaceAt(folder)), { pattern: 'here' })).matches.map(
        ({ file }: { file: string }) => file,
      ),
    ).toEqual(['.env'])
  })

  test('stops at the requested number of matches, and says that more exist', async () => {
    const folder = await folderWith({ 'a.txt': 'x\nx\nx', 'b.txt': 'x' })
    expect(await use(grep(workspaceAt(folder)), { pattern: 'x', max: 3 })).toMatchObject({
      matches: [{ line: 1 }, { line: 2 }, { line: 3 }],
      more: true,
    })
    await writeFile(join(folder, 'c.txt'), 'nothing')
    expect(await use(grep(workspaceAt(folder)), { pattern: 'x', max: 4 })).not.toHaveProperty(
      'more',
    )
  })

  test('shows the part of a long line that matches', async () => {
    const folder = await folderWith({ 'a.txt': `${'-'.repeat(5_000)}needle${'-'.repeat(5_000)}` })
    const { matches } = await use(grep(workspaceAt(folder)), { pattern: 'needle' })
    expect(matches[0].text).toContain('needle')
    expect(matches[0].text.length).toBeLessThan(300)
  })

  test('runs patterns in linear time', async () => {
    const folder = await folderWith({ 'a.txt': `${'a'.repeat(60)}!` })
    const start = performance.now()
    const search = use(grep(workspaceAt(folder)), { pattern: '(a+)+$' })
    expect(await search).toEqual({ matches: [], files: 1 })
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  test('rejects a pattern with lookaround, with the reason', async () => {
    const search = use(grep(workspaceAt(await folderWith({}))), { pattern: 'a(?=b)' })
    await expect(search).rejects.toMatchObject({
      name: 'InvalidArguments',
      message: expect.stringContaining('lookahead and lookbehind are not supported'),
    })
  })

  test('stops between two files of one folder when its signal is aborted', async () => {
    const names = Array.from({ length: 400 }, (_, index) => [`${index}.txt`, 'x\n'.repeat(1_000)])
    const folder = await folderWith(Object.fromEntries(names))
    const controller = new AbortController()
    let reads = 0
    const call = fakeCall({ signal: controller.signal })
    const search = use(grep(workspaceAt(folder)), { pattern: 'y' }, call)
    const timer = setInterval(() => {
      if (++reads === 2) controller.abort(new Error('left'))
    }, 1)
    await expect(search).rejects.toThrow('left')
    clearInterval(timer)
  })

  test('stops between two entries of which none has the ending', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => [`${index}.txt`, ''])
    const folder = await folderWith(Object.fromEntries(names))
    const controller = new AbortController()
    // More turns of the event loop than it takes to read the names.
    let turns = 0
    const count = () => (++turns === 25 ? controller.abort(new Error('left')) : setImmediate(count))
    count()
    const call = fakeCall({ signal: controller.signal })
    const search = use(grep(workspaceAt(folder)), { pattern: 'x', ending: '.ts' }, call)
    await expect(search).rejects.toThrow('left')
  })

  test('reads a folder far deeper than the stack of calls', async () => {
    const folder = await folderWith({ 'a.txt': 'x' })
    let at = folder
    for (let depth = 0; depth < 1_200; depth++) {
      at = join(at, 'd')
      await mkdir(at)
    }
    await writeFile(join(at, 'b.txt'), 'x')
    const { matches } = await use(grep(workspaceAt(folder)), { pattern: 'x' })
    expect(matches.map(({ file }: { file: string }) => file.slice(-5))).toEqual(['a.txt', 'b.txt'])
  })

  test('explains an invalid pattern', async () => {
    await expect(use(grep(workspaceAt(await folderWith({}))), { pattern: '(' })).rejects.toThrow(
      'grep: pattern: expected a regular expression (or `plain`)',
    )
  })

  test('stops when its signal is aborted', async () => {
    const folder = await folderWith({})
    for (let index = 0; index < 20; index++) await mkdir(join(folder, `${index}`))
    const reason = new Error('left')
    await expect(
      use(
        grep(workspaceAt(folder)),
        { pattern: 'x' },
        fakeCall({ signal: AbortSignal.abort(reason) }),
      ),
    ).rejects.toBe(reason)
  })
})
