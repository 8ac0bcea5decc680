/** Listens to an answer of a model while it comes, and breaks it off when it only repeats itself. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import {
  OUTPUT_SCAN,
  type RepeatedChunk,
  degenerateReason,
  findRepeatedChunk,
  type DegenerateOutputOptions,
  scanChunk,
} from '../../core/watch/detect/degenerate-output.ts'

/** What a model said over and over. Asked again, it may say something else: never the fault of its endpoint. */
export class DegenerateOutput extends ReasonError {
  constructor(found: RepeatedChunk) {
    super('DegenerateOutput', degenerateReason(found, ''))
  }
}

export interface Listener {
  readonly onDelta: (text: string) => void
  /** The answer has come. Of one that did not come piece by piece, this is the first that is heard. */
  answered(text: string): void
}

/** @throws DegenerateOutput from both, so that also a model that swallows what its listener throws is heard. */
export function listener(
  options: DegenerateOutputOptions | false,
  onDelta: (text: string) => void,
): Listener {
  let scan = OUTPUT_SCAN
  let broken: DegenerateOutput | undefined
  const judged = (found: RepeatedChunk | undefined) => {
    if (found) broken ??= new DegenerateOutput(found)
    if (broken) throw broken
  }
  return {
    onDelta(text) {
      onDelta(text)
      if (options === false) return
      const [next, found] = scanChunk(scan, text, options)
      scan = next
      judged(found)
    },
    answered(text) {
      if (options !== false)
        judged(scan.characters === 0 ? findRepeatedChunk(text, options) : undefined)
    },
  }
}
