/** Checks that the lock file names every optional platform package, so that `npm ci` works on every platform. */
import { readFileSync } from 'node:fs'

const file = process.argv[2] ?? 'package-lock.json'
const { packages } = JSON.parse(readFileSync(file, 'utf8'))

/** Looks a dependency up as Node does: in the package's own node_modules, then in those of the folders above. */
function isLocked(from, name) {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
  ) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true
    if (!folder) return false
  }
}

const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies).flatMap(name =>
    isLocked(from, name) ? [] : [`${from || '(root)'} needs ${name}`],
  ),
)
for (const line of missing) process.stderr.write(`${file}: ${line}, which is not locked\n`)
process.exit(missing.length > 0 ? 1 : 0)
