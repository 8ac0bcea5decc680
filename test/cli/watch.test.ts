/** `escapement watch`: the eye over recorded traces. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectRefused, newDesks } from './desk.ts'

const newDesk = newDesks()

const call = (id: string, args: unknown) => ({ t: 'call', id, tool: 'search', args })
const result = (id: string, text: string) => ({ t: 'result', id, ok: true, text })
const LOST = [1, 2, 3, 4].flatMap(nth => [call(`c${nth}`, { q: 'opening hours' }), result(`c${nth}`, 'the page is empty today')])
const FINE = [1, 2, 3, 4].flatMap(nth => [call(`c${nth}`, { page: nth }), result(`c${nth}`, `twenty names from page ${nth}`)])

const lines = (...traces: readonly (readonly [string, readonly unknown[]])[]) => traces.map(([id, events]) => `${JSON.stringify({ id, events })}\n`).join('')

describe('watch', () => {
  it('writes one line for every trace, with what was seen and the time it took', async () => {
    const desk = newDesk()
    desk.file('traces.jsonl', lines(['lost', LOST], ['fine', FINE]))
    const said = await desk.type('watch', 'traces.jsonl')
    expect(said).toMatchObject({ code: 0, err: '2 traces, 1 of them with loops\n' })
    const [lost, fine] = said.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    expect(lost).toMatchObject({ id: 'lost', flags: [{ at: 5, kind: 'sequence', onset: 1, repeats: 3, sure: 0.75 }] })
    expect(fine).toMatchObject({ id: 'fine', flags: [] })
    expect(lost?.ns).toBeGreaterThan(0)

    await desk.type('watch', 'traces.jsonl', '--out', 'verdicts.jsonl')
    expect(readFileSync(join(desk.folder, 'verdicts.jsonl'), 'utf8').split('\n')).toHaveLength(3)
  })

  it('judges by a policy of its own', async () => {
    const desk = newDesk()
    desk.file('traces.jsonl', lines(['lost', LOST]))
    desk.file('patient.yaml', 'detect: { tools: { search: { poll: true } } }\n')
    expect((await desk.type('watch', 'traces.jsonl', '--policy', 'patient.yaml')).out).toMatch(/"flags":\[\]/)
    desk.file('broken.yaml', 'detect: { sequence: { repeats: none } }\n')
    expectRefused(await desk.type('watch', 'traces.jsonl', '--policy', 'broken.yaml'), /broken\.yaml: detect\.sequence.*/)
  })

  it('reads what other frameworks have recorded', async () => {
    const desk = newDesk()
    const asked = { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{"q": "opening hours"}' } }] }
    const lap = [asked, { role: 'tool', tool_call_id: 'c1', content: 'the page is empty today' }]
    desk.file('chat.jsonl', `${JSON.stringify({ id: 'chat-7', messages: [...lap, ...lap, ...lap] })}\n`)
    const said = await desk.type('watch', 'chat.jsonl', '--format', 'openai')
    expect(JSON.parse(said.out)).toMatchObject({ id: 'chat-7', flags: [{ at: 5, kind: 'sequence' }] })
  })

  it('refuses what is no trace, and names file, line and expectation', async () => {
    const desk = newDesk()
    const refused = async (content: string, told: RegExp) => expectRefused(await desk.type('watch', desk.file('bad.jsonl', content), '--out', 'v'), told)
    await refused('{"id":"a","events":[]}\n{"id":\n', /bad\.jsonl:2: expected a JSON object, one a line: /)
    await refused('[]\n', /bad\.jsonl:1: expected a trace as \{"id", "events"\}, got \[\]/)
    await refused('{"events":[]}\n', /bad\.jsonl:1: id: expected a text, got nothing/)
    await refused('{"id":"a","events":{}}\n', /bad\.jsonl:1: events: expected a list, got \{\}/)
    await refused('{"id":"a","events":[{"t":"call","args":{}}]}\n', /bad\.jsonl:1: events\[0\]\.tool: expected a text, got nothing/)
    await refused('{"id":"a","events":[{"t":"result","ok":1,"text":""}]}\n', /bad\.jsonl:1: events\[0\]\.ok: expected true, false or null, got 1/)
    await refused('{"id":"a","events":[{"t":"sang"}]}\n', /bad\.jsonl:1: events\[0\]\.t: expected say, call or result, got "sang"/)
    await refused('{"id":"a","events":[3]}\n', /bad\.jsonl:1: events\[0\]: expected an event, got 3/)
    expectRefused(await desk.type('watch', 'none.jsonl'), /none\.jsonl: there is no such file/)
    expectRefused(await desk.type('watch', '.'), /is a folder/)
    expectRefused(await desk.type('watch', 'none.jsonl', '--format', 'poem'), /Allowed choices are trace, langgraph, openai, ai-sdk, otel/)
  })
})
