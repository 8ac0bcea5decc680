/** `escapement policy`: printed in `--set` notation, and changed while no process drives the thread. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { here } from '../durability/process.ts'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const ASKS = spec(`
nodes:
  ask: { use: human, question: Go on?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E } }
  E: { final: success }
tools:
  look: { use: list_dir }
`).replace('start: A', 'start: ask')

describe('policy', () => {
  it('shows the policy of a thread before and after a change', async () => {
    const desk = newDesk()
    await desk.type('run', desk.file('asks.yaml', ASKS), '--thread', 't')
    const shown = await desk.type('policy', 't')
    expect(shown).toMatchObject({ code: 0, err: '' })
    expect(shown.out).toMatch(/^retry\.base +1s\n/m)
    expect(shown.out).toMatch(/^limits\.steps +100\n/m)
    expect(shown.out).toMatch(/^limits\.usd +10\n/m)
    expect(shown.out).toMatch(/^failures\.recurring\.within +10m\n/m)

    const patch = desk.file(
      'patch.yaml',
      'retry: { cap: 90s }\ndetect: { visits: { max: 5 }, tools: { look: false } }\n',
    )
    expect(
      await desk.type(
        'policy',
        't',
        '--file',
        patch,
        '--set',
        'limits.usd=5',
        '--set',
        'escape.review.deadline=2h',
      ),
    ).toMatchObject({ code: 3 })
    const after = await desk.type('policy', 't')
    expect(after.out).toMatch(/^limits\.usd +5\n/m)
    expect(after.out).toMatch(/^retry\.cap +90s\n/m)
    expect(after.out).toMatch(/^escape\.review\.deadline +2h\n/m)
    const json = JSON.parse((await desk.type('policy', 't', '--json')).out) as {
      policy: { detect: { visits: unknown; tools: unknown } }
    }
    expect(json.policy.detect).toMatchObject({
      visits: { max: 5, window: 60_000 },
      tools: { look: { sequence: false } },
    })

    expect(await desk.type('policy', 't', '--set', 'limits.usd=null')).toMatchObject({ code: 3 })
    expect((await desk.type('policy', 't')).out).toMatch(/^limits\.usd +10\n/m)
    expect((await desk.type('show', 't')).out).toMatch(/policy changed: \{"retry": /)
  })

  it('rejects an invalid change with its path', async () => {
    const desk = newDesk()
    await desk.type('run', desk.file('asks.yaml', ASKS), '--thread', 't')
    expectRefused(
      await desk.type('policy', 't', '--set', 'limits.usd=-1'),
      /refused: limits\.usd: expected a number above 0/,
    )
    expectRefused(
      await desk.type('policy', 't', '--set', 'detect.tools.lok=false'),
      /refused: detect\.tools\.lok: unknown tool 'lok'; expected one of: look/,
    )
    expectRefused(
      await desk.type('policy', 't', '--set', '__proto__.x=1'),
      /is not a path of a spec/,
    )
    expectRefused(
      await desk.type('policy', 't', '--file', desk.file('list.yaml', '- 1\n')),
      /change: expected an object/,
    )
    expectRefused(
      await desk.type('policy', 't', '--file', 'none.yaml'),
      /none\.yaml: file not found/,
    )
    expectRefused(await desk.type('policy', 'other'), /thread 'other' does not exist/)
  })

  it('of a thread between rounds applies to the next round', async () => {
    const desk = newDesk()
    await desk.type('run', desk.file('asks.yaml', ASKS), '--thread', 't', '--set', 'mode=observe')
    await desk.type('resume', 't', '--decision', 'approved')
    expect(
      await desk.type('policy', 't', '--set', 'mode=act', '--set', 'limits.steps=1'),
    ).toMatchObject({ code: 0, err: '' })
    expect((await desk.type('policy', 't')).out).toMatch(/^mode +act\n/m)
    const { code, out } = await desk.type('send', 't', '--input', '{}')
    expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining('spent     1/1 step ·') })
    expect((await desk.type('show', 't')).out).toContain(
      'policy changed: {"mode": "act", "limits": {"steps": 1}}',
    )
  })

  it('changes from observe to act as docs/detection.md shows', async () => {
    const desk = newDesk()
    mkdirSync(join(desk.folder, 'node_modules'))
    symlinkSync(here('../..'), join(desk.folder, 'node_modules/escapement'))
    const page = readFileSync(here('../../docs/detection.md'), 'utf8')
    const [, commands = ''] = /```sh\n(escapement run [^`]*mode=observe[^`]*)```/.exec(page) ?? []
    const lines = commands.trim().split('\n')
    expect(lines).toHaveLength(4)
    const said: string[] = []
    for (const line of lines) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      )
      const { out, err } = await desk.type(...words.slice(1))
      expect(err).toBe('')
      said.push(out)
    }
    expect(said[0]).toContain('→ stop (budget.modelCalls)')
    expect(said[0]).not.toContain('→ alternative')
    expect(said[3]).toContain('✓ ticket-42: success (goal)')
  })
})

describe('a removed key', () => {
  const setting = async (...settings: readonly string[]) => {
    const desk = newDesk()
    await desk.type('run', desk.file('asks.yaml', ASKS), '--thread', 't')
    const set = settings.flatMap(each => ['--set', each])
    const changed = await desk.type('policy', 't', ...set)
    const forked = await desk.type('fork', 't', '--effects', 'refuse', ...set)
    return { changed, forked }
  }

  it.each([
    ['limits.stepz=null', "limits.stepz: is unknown; did you mean 'steps'?"],
    ['a=', 'a: is unknown; expected one of: mode, limits, '],
    ['a=null', 'a: is unknown; expected one of: mode, limits, '],
    ['nodes=null', 'nodes: is unknown; expected one of: mode, limits, '],
    ['id=null', 'id: is unknown; expected one of: mode, limits, '],
    ['escape.review.too=null', "escape.review.too: is unknown; did you mean 'to'?"],
    ['retry.attemptz=null', "retry.attemptz: is unknown; did you mean 'attempts'?"],
    ['limits.scopes.team.usdd=null', "limits.scopes.team.usdd: is unknown; did you mean 'usd'?"],
    ['detect.tools.look.poll.evry=null', "poll.evry: is unknown; did you mean 'every'?"],
    ['detect.sequenze=null', "detect.sequenze: is unknown; did you mean 'sequence'?"],
    ['detect.tools.lok=null', "detect.tools.lok: unknown tool 'lok'"],
    ['detect.nodes.asc=null', "detect.nodes.asc: unknown node 'asc'"],
    ['confirm.lok=null', "confirm.lok: unknown tool 'lok'"],
  ])('that is unknown is refused: %s', async (set, expected) => {
    const { changed, forked } = await setting(set)
    expectRefused(changed, `refused: `)
    expect(changed.err).toContain(expected)
    expectRefused(forked)
    expect(forked.err).toContain(expected)
  })

  it.each([
    ['limits.steps=null'],
    ['limits.usd='],
    ['escape.review=null'],
    ['detect.sequence.repeats=null'],
    ['detect.tools.look=null'],
    ['detect.tools.look.visits=null'],
    ['detect.nodes.ask=null'],
    ['confirm.look=null'],
    ['confirm.l*=null'],
    ['limits.scopes.team=null'],
    ['retry=null'],
  ])('that is known restores the default: %s', async set => {
    const { changed, forked } = await setting(set)
    expect({ code: changed.code, err: changed.err }).toEqual({ code: 3, err: '' })
    expect(forked.code).toBe(0)
  })
})
