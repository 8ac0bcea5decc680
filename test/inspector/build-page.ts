/** Builds the page before the tests, if its sources are newer. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const BUILT = join(ROOT, 'visualizer/dist/index.html')
const SOURCES = [
  'visualizer/{src,public}/**/*.*',
  'visualizer/*.{ts,html}',
  'src/{core,host,faces/http}/**/*.ts',
]

export default async function buildPage(): Promise<void> {
  const files = globSync(SOURCES, { cwd: ROOT }).map(file => join(ROOT, file))
  const newest = Math.max(...files.map(file => statSync(file).mtimeMs))
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (built > newest) return
  await build({ configFile: join(ROOT, 'visualizer/vite.config.ts'), logLevel: 'error' })
}
