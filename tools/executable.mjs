/** Marks a built file as executable: TypeScript does not keep the mode of its source. */
import { chmodSync } from 'node:fs'

for (const file of process.argv.slice(2)) chmodSync(file, 0o755)
