/** Kills a process just before and just after the commits of a host. */
import { describe, expect, it } from 'vitest'
import { type Death, IS_SWEEP, lanes, type Setting, undisturbed, whole } from './deaths.ts'

/** The points that are tried of a host other than `drive`, unless every point is. */
const SAMPLE = 4

/** Tests a host on these stores. The sample is a part of the sweep. */
export function killAtCommits(settings: readonly Setting[], sample = SAMPLE): void {
  describe('a process that is killed', { timeout: IS_SWEEP ? 3_600_000 : 300_000 }, () => {
    it.each(
      settings.flatMap(setting =>
        (['before', 'after'] as const).map(
          side => [side, setting.by, setting.on, setting] as const,
        ),
      ),
    )(
      'loses nothing and repeats nothing, just %s any of its commits by %s to %s',
      async (side, by, on, setting) => {
        const { commits, end } = await undisturbed(setting)
        expect(end).toEqual(whole)
        expect(commits).toBeGreaterThan(30)
        const points = pointsOf(setting, commits, sample)
        let over = false
        let tried = 0
        const died = await lanes((survived): Death | undefined => {
          over ||= survived
          const commit = over ? undefined : points.next().value
          if (commit === undefined) return undefined
          tried++
          const how = `${side} commit ${commit} by ${by} to ${on}`
          return { how, setting, asked: 'tool', spot: { side, commit } }
        })
        expect(died).toBeGreaterThan(tried * 0.7)
        if (IS_SWEEP)
          process.stdout.write(`${died} points swept, ${side} a commit by ${by} to ${on}\n`)
      },
    )
  })
}

/** Every commit. Otherwise every second one of `drive`: before and after it, every stored state is left once. A few of another host, spread evenly. */
function* pointsOf({ by }: Setting, last: number, sample: number): Generator<number> {
  const step = IS_SWEEP ? 1 : 2
  // A slower machine polls for commands more often, which adds a few commits: a process that survives ends the sweep.
  if (IS_SWEEP || by === 'drive') for (let commit = step; ; commit += step) yield commit
  for (let nth = 0; nth < sample; nth++) yield Math.ceil(((nth + 0.5) * last) / sample)
}
