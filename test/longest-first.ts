/** Starts the longest files first, so that none of them keeps one worker busy when the other has nothing left to do. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, in order. All others follow as the runner sorts them. */
const LONGEST: readonly string[] = [
  'test/docs.test.ts',
  'test/inspector/screens.test.ts',
  'test/durability/kill/drive.test.ts',
  'test/package.test.ts',
  'test/attack/page.test.ts',
  'test/redaction/cost.test.ts',
  'test/examples/support.test.ts',
  'test/attack/inputs.test.ts',
  'test/inspector/run.test.ts',
  'test/detect.test.ts',
  'test/inspector/live.test.ts',
  'test/inspector/report.test.ts',
  'test/attack/kills.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex(file => moduleId.endsWith(`/${file}`))
      return place < 0 ? LONGEST.length : place
    }
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
