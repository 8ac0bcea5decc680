/** Loaded before a command: says at its end the most memory that it has had, in MB, as the last line of stderr. */
import { writeSync } from 'node:fs'

process.on('exit', () => writeSync(2, `peak ${Math.round(process.resourceUsage().maxRSS / 1024)}\n`))
