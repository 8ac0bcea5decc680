/**
 * `cli.*`: the start time of the command as it is installed, and the modules that it must not load. From the sources, Node.js
 * first loads its TypeScript compiler, which takes longer than the rest.
 */
import { execFile } from 'node:child_process'
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Figure, figure } from './figure.ts'
import { inFolder, interleaved, timed } from './measure.ts'

const node = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const MAIN = join(ROOT, 'src/main.ts')

export async function starting(): Promise<readonly Figure[]> {
  const { bare, version, sources } = await inFolder(async folder => {
    const built = await build(folder)
    return interleaved(
      {
        bare: () => timed(() => node(process.execPath, ['-e', '0'])),
        version: () => timed(() => node(process.execPath, [built, '--version'])),
        sources: () => timed(() => node(process.execPath, [MAIN, '--version'])),
      },
      { rounds: 15 },
    )
  })
  const loaded = await modulesOf([
    'run',
    'graphs/ring.yaml',
    '--seed',
    '1',
    '--clock',
    'virtual',
    '--store',
    ':memory:',
    '--json',
  ])
  return [
    figure({ name: 'cli.start', value: version, unit: 'ms' }),
    figure({ name: 'cli.start.sources', value: sources, unit: 'ms' }),
    figure({ name: 'cli.start.bareNode', value: bare, unit: 'ms' }),
    figure({ name: 'cli.start.ratio', value: version / bare, unit: 'times', atMost: 2.5 }),
    figure({
      name: 'cli.runWithoutModel',
      value: loaded.filter(url => url.includes('/@langchain/')).length,
      unit: 'modules of LangChain',
      atMost: 0,
    }),
    figure({ name: 'cli.runWithoutModel.modules', value: loaded.length, unit: 'modules' }),
  ]
}

/** The path of the command, compiled into this folder. */
async function build(folder: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const config = join(ROOT, 'tsconfig.build.json')
  await node(process.execPath, [tsc, '-p', config, '--outDir', join(folder, 'dist')])
  await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'dist/main.js')
}

/** The modules a command loads. A hook writes them down from inside the process, which is the only place where they are known. */
async function modulesOf(args: readonly string[]): Promise<readonly string[]> {
  return inFolder(async folder => {
    const list = join(folder, 'modules')
    const hook = join(folder, 'hook.mjs')
    await writeFile(
      hook,
      `import { appendFileSync } from 'node:fs'
       import { registerHooks } from 'node:module'
       registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(list)}, url + '\\n'), next(url, context)) })`,
    )
    await node(process.execPath, ['--import', pathToFileURL(hook).href, MAIN, ...args], {
      cwd: ROOT,
    })
    const urls = (await readFile(list, 'utf8')).trimEnd().split('\n')
    if (!urls.includes(pathToFileURL(MAIN).href))
      throw new Error('the hook has not seen the modules of the command')
    return [...new Set(urls)]
  })
}
