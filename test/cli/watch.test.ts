/** `escapement watch`: the detectors over recorded traces. */
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { escapementIn } from '../durability/process.ts'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()

const call = (id: string, args: unknown) => ({ t: 'call', id, tool: 'search', args })
const result = (id: string, text: string) => ({ t: 'result', id, ok: true, text })
const LOST = [1, 2, 3, 4].flatMap(nth => [
  call(`c${nth}`, { q: 'opening hours' }),
  result(`c${nth}`, 'the page is empty today'),
])
const FINE = [1, 2, 3, 4].flatMap(nth => [
  call(`c${nth}`, { page: nth }),
  result(`c${nth}`, `twenty names from page ${nth}`),
])

const lines = (...traces: readonly (readonly [string, readonly unknown[]])[]) =>
  traces.map(([id, events]) => `${JSON.stringify({ id, events })}\n`).join('')

describe('watch', () => {
  it('writes one line for every trace with its findings and its duration', async () => {
    const desk = newDesk()
    desk.file('traces.jsonl', lines(['lost', LOST], ['fine', FINE]))
    const said = await desk.type('watch', 'traces.jsonl')
    expect(said).toMatchObject({ code: 0, err: '2 traces, 1 with loops\n' })
    const [lost, fine] = said.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    expect(lost).toMatchObject({
      id: 'lost',
      flags: [{ at: 5, kind: 'sequence', onset: 1, repeats: 3, confidence: 0.75 }],
    })
    expect(fine).toMatchObject({ id: 'fine', flags: [] })
    expect(lost?.ns).toBeGreaterThan(0)

    await desk.type('watch', 'traces.jsonl', '--out', 'verdicts.jsonl')
    expect(readFileSync(join(desk.folder, 'verdicts.jsonl'), 'utf8').split('\n')).toHaveLength(3)
  })

  it('redacts the secrets in what it prints and writes', async () => {
    const desk = newDesk()
    const secret = `ghp_${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'}`
    const failed = (id: string) => ({ t: 'result', id, ok: false, text: `401 for ${secret}` })
    const events = ['a', 'b', 'c', 'd'].flatMap(id => [call(id, { q: id }), failed(id)])
    desk.file('traces.jsonl', lines(['lost', events]))
    const { out } = await desk.type('watch', 'traces.jsonl')
    await desk.type('watch', 'traces.jsonl', '--out', 'verdicts.jsonl')
    const written = readFileSync(join(desk.folder, 'verdicts.jsonl'), 'utf8')
    for (const text of [out, written]) {
      expect(text).toContain('401 for [redacted]')
      expect(text).not.toContain(secret)
    }
  })

  it('accepts its own policy', async () => {
    const desk = newDesk()
    desk.file('traces.jsonl', lines(['lost', LOST]))
    desk.file('patient.yaml', 'detect: { tools: { search: { poll: true } } }\n')
    expect((await desk.type('watch', 'traces.jsonl', '--policy', 'patient.yaml')).out).toMatch(
      /"flags":\[\]/,
    )
    desk.file('broken.yaml', 'detect: { sequence: { repeats: none } }\n')
    expectRefused(
      await desk.type('watch', 'traces.jsonl', '--policy', 'broken.yaml'),
      /broken\.yaml: detect\.sequence.*/,
    )
    desk.file('mistyped.yaml', 'detect: { repetitoin: { times: 4 } }\n')
    expectRefused(
      await desk.type('watch', 'traces.jsonl', '--policy', 'mistyped.yaml'),
      /mistyped\.yaml: detect\.repetitoin: is unknown; did you mean 'repetition'\?/,
    )
  })

  it('reads traces of other frameworks', async () => {
    const desk = newDesk()
    const asked = {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'search', arguments: '{"q": "opening hours"}' },
        },
      ],
    }
    const lap = [asked, { role: 'tool', tool_call_id: 'c1', content: 'the page is empty today' }]
    desk.file(
      'chat.jsonl',
      `${JSON.stringify({ id: 'chat-7', messages: [...lap, ...lap, ...lap] })}\n`,
    )
    const said = await desk.type('watch', 'chat.jsonl')
    expect(
      (await desk.type('watch', 'chat.jsonl', '--format', 'openai')).out.replace(/"ns":\d+/, ''),
    ).toBe(said.out.replace(/"ns":\d+/, ''))
    expect(JSON.parse(said.out)).toMatchObject({
      id: 'chat-7',
      flags: [{ at: 5, kind: 'sequence' }],
    })
  })

  it('skips and reports events of unknown kinds; all others keep their numbers', async () => {
    const desk = newDesk()
    const node = { t: 'node', name: 'plan' }
    desk.file(
      'traces.jsonl',
      lines(['lost', [node, ...LOST.slice(0, 2), node, { t: 'edge' }, ...LOST.slice(2), node]]),
    )
    const said = await desk.type('watch', 'traces.jsonl')
    expect(JSON.parse(said.out)).toMatchObject({
      id: 'lost',
      flags: [{ at: 8, kind: 'sequence', onset: 2, repeats: 3 }],
    })
    expect(said).toMatchObject({
      code: 0,
      err: 'skipped 4 of unknown kinds: 3 "node", 1 "edge"\n1 trace, 1 with loops\n',
    })

    desk.file('A.yaml', 'detect: {}\n')
    const { out } = await desk.type('watch', 'traces.jsonl', '--compare', 'A.yaml', 'A.yaml')
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({
      events: 12,
      a: { at: 8, saved: 2 },
    })
  })

  it('reads files with Windows line ends and byte order mark, and deeply nested arguments', async () => {
    const desk = newDesk()
    desk.file(
      'windows.jsonl',
      `\uFEFF${lines(['lost', LOST], ['fine', FINE]).replaceAll('\n', '\r\n')}`,
    )
    expect(await desk.type('watch', 'windows.jsonl')).toMatchObject({
      code: 0,
      err: '2 traces, 1 with loops\n',
    })
    const nested = (levels: number) => {
      const args = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
      return lines(['deep', LOST]).replaceAll('{"q":"opening hours"}', args)
    }
    desk.file('nested.jsonl', nested(900))
    expect(await desk.type('watch', 'nested.jsonl')).toMatchObject({
      code: 0,
      err: '1 trace, 1 with loops\n',
    })
    desk.file('deeper.jsonl', nested(20_000))
    expectRefused(await desk.type('watch', 'deeper.jsonl'), /deeper\.jsonl:\d+/)
  })

  it('writes a file whole or not at all', async () => {
    const desk = newDesk()
    desk.file('verdicts.jsonl', 'those of yesterday\n')
    desk.file('traces.jsonl', `${lines(['fine', FINE])}nothing\n`)
    expectRefused(
      await desk.type('watch', 'traces.jsonl', '--out', 'verdicts.jsonl'),
      /traces\.jsonl:2/,
    )
    expect(readdirSync(desk.folder).toSorted()).toEqual(['traces.jsonl', 'verdicts.jsonl'])
    expect(readFileSync(join(desk.folder, 'verdicts.jsonl'), 'utf8')).toBe('those of yesterday\n')
    expectRefused(
      await desk.type('watch', 'traces.jsonl', '--out', 'none/verdicts.jsonl'),
      /none\/verdicts\.jsonl.*: cannot be written \(ENOENT\)/,
    )
    expect(
      await desk.type(
        'watch',
        desk.file('good.jsonl', lines(['fine', FINE])),
        '--out',
        '/dev/null',
      ),
    ).toMatchObject({ code: 0 })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s stops it at once, with exit code %i, and no half of a file',
    async (signal, code) => {
      const desk = newDesk()
      desk.file('long.jsonl', lines(['lost', LOST]).repeat(100_000))
      const running = desk.start('watch', 'long.jsonl', '--out', 'verdicts.jsonl')
      // It makes the file after its start, which takes seconds on a busy machine.
      await expect.poll(() => readdirSync(desk.folder).length, { timeout: 30_000 }).toBe(2)
      running.child.kill(signal)
      const said = await running.ended
      expect(said).toEqual({
        code,
        signal: null,
        out: '',
        err: expect.stringMatching(/^stopped after \d+ traces; verdicts\.jsonl was not written\n$/),
      })
      expect(readdirSync(desk.folder)).toEqual(['long.jsonl'])
    },
  )

  it('never overwrites its input file, under any name', async () => {
    const desk = newDesk()
    const content = lines(['fine', FINE])
    desk.file('traces.jsonl', content)
    symlinkSync('traces.jsonl', join(desk.folder, 'link.jsonl'))
    for (const out of ['traces.jsonl', './traces.jsonl', 'link.jsonl'])
      expectRefused(
        await desk.type('watch', 'traces.jsonl', '--out', out),
        new RegExp(`${out}: is also read; expected another file to write`),
      )
    expectRefused(
      await desk.type('watch', 'traces.jsonl', '--out', ''),
      /expected the name of a file to write, got an empty one/,
    )
    expect(readFileSync(join(desk.folder, 'traces.jsonl'), 'utf8')).toBe(content)
  })

  it('names the apparent format of a binary file and how to read it', async () => {
    const desk = newDesk()
    const content = `${JSON.stringify({ id: 'a', events: LOST })}\n`
    const expectUnpackedBy = async (
      name: string,
      bytes: Uint8Array,
      seems: string,
      command: string,
    ) => {
      desk.file(name, bytes)
      expectRefused(
        await desk.type('watch', name),
        `${name}: seems to be ${seems}; expected text in UTF-8: \`${command} ${name} | escapement watch /dev/stdin\``,
      )
      const { code, out } = await escapementIn(`${command} ${name} |`, ['watch', '/dev/stdin'], {
        cwd: desk.folder,
      })
      expect(code).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ id: 'a', flags: [{ kind: 'sequence' }] })
    }
    await expectUnpackedBy('traces.jsonl.gz', gzipSync(content), 'packed by gzip', 'gunzip -c')
    await expectUnpackedBy(
      'marked.jsonl',
      Buffer.from(`\uFEFF${content}`, 'utf16le'),
      'text in UTF-16',
      'iconv -f UTF-16 -t UTF-8',
    )
    await expectUnpackedBy(
      'unmarked.jsonl',
      Buffer.from(content, 'utf16le'),
      'text in UTF-16LE',
      'iconv -f UTF-16LE -t UTF-8',
    )
    await expectUnpackedBy(
      'big.jsonl',
      Buffer.from(content, 'utf16le').swap16(),
      'text in UTF-16BE',
      'iconv -f UTF-16BE -t UTF-8',
    )
    expectRefused(
      await desk.type(
        'watch',
        desk.file('picture.jsonl', Uint8Array.of(137, 80, 78, 71, 0, 0, 0, 13)),
      ),
      'picture.jsonl: is a binary file; expected text in UTF-8',
    )
  })

  it('rejects a file that is not a trace with file, line and expectation', async () => {
    const desk = newDesk()
    const refused = async (content: string, expected: RegExp) =>
      expectRefused(
        await desk.type('watch', desk.file('bad.jsonl', content), '--out', 'v'),
        expected,
      )
    await refused(
      '{"id":"a","events":[]}\n{"id":\n',
      /bad\.jsonl:2: expected a JSON object, one a line: /,
    )
    await refused(
      '[]\n',
      /bad\.jsonl:1: does not show in which format it was recorded; expected --format trace, /,
    )
    await refused(
      '{"id":"a","events":[]}\n[]\n',
      /bad\.jsonl:2: expected a trace as \{"id", "events"\}, got \[\]/,
    )
    await refused('{"events":[]}\n', /bad\.jsonl:1: id: expected a text, got nothing/)
    await refused('{"id":"a","events":{}}\n', /bad\.jsonl:1: events: expected a list, got \{\}/)
    await refused(
      '{"id":"a","events":[{"t":"call","args":{}}]}\n',
      /bad\.jsonl:1: events\[0\]\.tool: expected a text, got nothing/,
    )
    await refused(
      '{"id":"a","events":[{"t":"result","ok":1,"text":""}]}\n',
      /bad\.jsonl:1: events\[0\]\.ok: expected true, false or null, got 1/,
    )
    await refused(
      '{"id":"a","events":[{"text":"la"}]}\n',
      /bad\.jsonl:1: events\[0\]\.t: expected a kind as say, call or result, got nothing/,
    )
    await refused(
      '{"id":"a","events":[{"t":7}]}\n',
      /bad\.jsonl:1: events\[0\]\.t: expected a kind as say, call or result, got 7/,
    )
    await refused(
      '{"id":"a","events":[{"t":"sang"},{"t":"wrote"}]}\n',
      /bad\.jsonl: expected something of a kind that trace knows, got only "sang", "wrote"/,
    )
    await refused(
      '{"id":"a","events":[3]}\n',
      /bad\.jsonl:1: events\[0\]: expected an event, got 3/,
    )
    expectRefused(await desk.type('watch', 'none.jsonl'), /none\.jsonl: file not found/)
    expectRefused(await desk.type('watch', '.'), /is a folder/)
    expectRefused(
      await desk.type('watch', 'none.jsonl', '--format', 'poem'),
      /Allowed choices are trace, langgraph, openai, ai-sdk, otel/,
    )
  })
})
