/** The measured part of `docs/detection.md`. */
import type { WrittenPart } from '../written-part.ts'

export const MEASURED: WrittenPart = {
  page: 'detection.md',
  name: 'measured',
  by: 'REWRITE=1 npm run detection',
}
