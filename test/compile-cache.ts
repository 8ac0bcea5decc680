/** Where processes of the tests keep the compiled code of modules: each starts in half of the time. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const COMPILE_CACHE = join(tmpdir(), 'escapement-compiled')
