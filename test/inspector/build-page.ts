/** Builds the page before the tests, if its sources are newer. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = [
  { config: 'visualizer/vite.config.ts', built: 'visualizer/dist/index.html' },
  { config: 'visualizer/report/vite.config.ts', built: 'visualizer/report/dist/report.html' },
]
const SOURCES = [
  'visualizer/{src,public}/**/*.*',
  'visualizer/*.{ts,html}',
  'visualizer/report/*.*',
  'src/{core,host,faces/http}/**/*.ts',
]

/** The test runner sets another mode, in which React is several times slower, and not what users get. */
const MODE = 'production'

export default async function buildPage(): Promise<void> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = MODE
  try {
    await buildPages()
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

async function buildPages(): Promise<void> {
  const files = globSync(SOURCES, { cwd: ROOT }).map(file => join(ROOT, file))
  const newest = Math.max(...files.map(file => statSync(file).mtimeMs))
  for (const { config, built } of PAGES) {
    const time = statSync(join(ROOT, built), { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (time <= newest) await build({ configFile: join(ROOT, config), logLevel: 'error' })
  }
}
