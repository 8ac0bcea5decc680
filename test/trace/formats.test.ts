/** Recorded traces in the formats of frameworks, which the reader translates to one form. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTraces } from '../../src/adapters/trace/traces.ts'
import { type Trace, TRACE_WATCHER, watchAct } from '../../src/core/watch/trace-watcher.ts'
import { POLICY } from '../../src/core/watch/policy/policy.ts'
import { newFolders } from '../durability/folders.ts'
import { DIALECTS } from './dialects.ts'
import { CALLS, FOUND, WRITTEN } from './story.ts'

const newFolder = newFolders()

type Format = (typeof WRITTEN)[number][0]

async function read(format: Format | undefined, content: string): Promise<readonly Trace[]> {
  const file = join(newFolder(), 'file.json')
  writeFileSync(file, content)
  const traces: Trace[] = []
  for await (const trace of readTraces(file, format ? { format } : {})) traces.push(trace)
  return traces
}

/** The findings of the detectors, each with the call whose answer triggered it. */
function verdict({ acts }: Trace) {
  let watcher = TRACE_WATCHER
  return acts.flatMap((act, at) => {
    const [next, sketches] = watchAct(watcher, act, POLICY.detect)
    watcher = next
    const { call } = act.act === 'answered' ? act : { call: `event ${at}` }
    return sketches.map(({ detector, repeats }) => ({ detector, repeats, call }))
  })
}

describe('the same run', () => {
  it.each(WRITTEN)('has the same verdict: %s, %s', async (format, _, content) => {
    const [trace, ...others] = await read(format, content)
    expect(others).toEqual([])
    expect(
      trace?.acts.flatMap(act =>
        act.act === 'called' ? [{ id: act.call, tool: act.tool, args: act.args }] : [],
      ),
    ).toEqual(CALLS.map(({ id, tool, args }) => ({ id, tool, args })))
    expect(
      trace?.acts.flatMap(act => (act.act === 'answered' ? [[act.call, act.text]] : [])),
    ).toEqual(CALLS.map(({ id, text }) => [id, text]))
    expect(trace && verdict(trace)).toEqual([{ detector: 'sequence', repeats: 3, call: 'c3' }])
  })

  it.each(WRITTEN)('has a detectable format: %s, %s', async (format, _, content) => {
    const ofFile = (traces: readonly Trace[]) =>
      traces.map(trace => ({ ...trace, id: trace.id.replace(/.*file\.json/, '') }))
    expect(ofFile(await read(undefined, content))).toEqual(ofFile(await read(format, content)))
  })

  it.each(DIALECTS)('has the same verdict in the dialect of %s', async (_, values) => {
    const [trace, ...others] = await read(
      'otel',
      values.map(value => `${JSON.stringify(value)}\n`).join(''),
    )
    expect(others).toEqual([])
    const { acts = [] } = trace ?? {}
    expect(
      acts.flatMap(act =>
        act.act === 'called' ? [{ id: act.call, tool: act.tool, args: act.args }] : [],
      ),
    ).toEqual(CALLS.map(({ id, tool, args }) => ({ id, tool, args })))
    expect(acts.flatMap(act => (act.act === 'answered' ? [[act.call, act.text]] : []))).toEqual(
      CALLS.map(({ id, text }) => [id, text]),
    )
    expect(acts.flatMap(act => (act.act === 'said' && !act.person ? [act.text] : []))).toEqual([
      FOUND,
    ])
    expect(acts.filter(act => act.act === 'said' && act.person).length).toBeLessThanOrEqual(1)
    expect(trace && verdict(trace)).toEqual([{ detector: 'sequence', repeats: 3, call: 'c3' }])
  })

  it('is separate from others in the same file', async () => {
    const one = { id: 'one', messages: [{ role: 'user', content: 'Hello?' }] }
    const other = {
      thread_id: 'other',
      messages: [{ role: 'assistant', content: 'Yes?', name: 'clerk' }],
    }
    expect(await read('openai', `${JSON.stringify(one)}\n\n${JSON.stringify(other)}\n`)).toEqual([
      { id: 'one', acts: [{ act: 'said', by: 'user', person: true, text: 'Hello?' }] },
      { id: 'other', acts: [{ act: 'said', by: 'clerk', text: 'Yes?' }] },
    ])
    const span = (traceId: string, talk?: string) => ({
      traceId,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'find',
        ...(talk ? { 'gen_ai.conversation.id': talk } : {}),
      },
    })
    const traces = await read(
      'otel',
      [span('t1', 'talk'), span('t2'), span('t3', 'talk')]
        .map(value => JSON.stringify(value))
        .join('\n'),
    )
    expect(traces.map(({ id, acts }) => [id, acts.length])).toEqual([
      ['talk', 4],
      ['t2', 2],
    ])
  })
})

describe('special cases', () => {
  it('keeps arguments that are not JSON as text', async () => {
    const call = { id: 'c1', function: { name: 'find', arguments: '{"street": "Bok' } }
    const custom = { id: 'c2', type: 'custom', custom: { name: 'sql', input: 'select 1' } }
    const [trace] = await read(
      'openai',
      JSON.stringify({ role: 'assistant', tool_calls: [call, custom] }),
    )
    expect(trace?.acts).toEqual([
      { act: 'called', call: 'c1', tool: 'find', args: '{"street": "Bok' },
      { act: 'called', call: 'c2', tool: 'sql', args: 'select 1' },
    ])
  })

  it('reads a refusal as the text of the agent', async () => {
    const refused = { role: 'assistant', content: null, refusal: 'I cannot do that.' }
    const [trace] = await read(
      'openai',
      JSON.stringify([{ role: 'user', content: 'Do it.' }, refused]),
    )
    expect(trace?.acts[1]).toEqual({ act: 'said', text: 'I cannot do that.' })
  })

  it('reads the result of a call in either field of its part, and leaves out an empty name', async () => {
    const response = (id: string, more: object) => {
      return { role: 'tool', parts: [{ type: 'tool_call_response', id, ...more }] }
    }
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': JSON.stringify([
        response('c1', { response: 'at 4' }),
        response('c2', { result: 'at 5' }),
      ]),
    }
    const [spans] = await read('otel', JSON.stringify({ traceId: 't', attributes }))
    expect(spans?.acts).toEqual([
      { act: 'answered', call: 'c1', ok: null, text: 'at 4' },
      { act: 'answered', call: 'c2', ok: null, text: 'at 5' },
    ])
    const chat = [{ role: 'assistant', content: 'Yes?', name: '' }]
    const [unnamed] = await read('openai', JSON.stringify(chat))
    expect(unnamed?.acts).toEqual([{ act: 'said', text: 'Yes?' }])
  })

  it('skips empty parts', async () => {
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }
    expect(
      (
        await read(
          'openai',
          JSON.stringify([
            image,
            { role: 'system', content: 'Be kind.' },
            { type: 'item_reference', id: 'r1' },
          ]),
        )
      )[0]?.acts,
    ).toEqual([])
    expect(
      (await read('langgraph', JSON.stringify([{ type: 'remove', id: '1' }])))[0]?.acts,
    ).toEqual([])
    const early = {
      content: [
        { type: 'tool-result', preliminary: true, toolCallId: 'c1', output: 1 },
        { type: 'source' },
      ],
    }
    expect((await read('ai-sdk', JSON.stringify(early)))[0]?.acts).toEqual([])
    expect(
      await read(
        'otel',
        '{"resourceLogs":[]}\n{"resourceMetrics":[]}\n{"resourceSpans":[]}\n{"traceId":"t","attributes":{"gen_ai.operation.name":"invoke_agent"}}\n',
      ),
    ).toEqual([])
  })

  it('reads many conversations from one list', async () => {
    const says = (content: string) => [{ role: 'user', content }]
    expect(
      (await read('openai', JSON.stringify([says('one'), says('other')]))).map(({ id, acts }) => [
        id.replace(/.*file/, 'file'),
        acts.length,
      ]),
    ).toEqual([
      ['file.json:1[0]', 1],
      ['file.json:1[1]', 1],
    ])
    expect(
      (
        await read(
          'openai',
          JSON.stringify([
            { id: 'one', messages: says('one') },
            { id: 'other', input: says('other') },
          ]),
        )
      ).map(({ id }) => id),
    ).toEqual(['one', 'other'])
    expect(
      (
        await read(
          'langgraph',
          JSON.stringify({ values: { messages: [] }, checkpoint: { thread_id: 'library' } }),
        )
      ).map(({ id }) => id),
    ).toEqual(['library'])
  })

  it('places calls of one message before their results', async () => {
    const part = (id: string, more: object) => ({
      type: 'tool-find',
      toolCallId: id,
      input: {},
      ...more,
    })
    const denied = part('c2', {
      state: 'output-denied',
      approval: { id: 'a', approved: false, reason: 'not at night' },
    })
    const parts = [
      part('c1', { state: 'output-available', output: { at: 4 } }),
      denied,
      part('c3', { state: 'input-streaming' }),
      part('c4', { state: 'approval-requested' }),
    ]
    const [trace] = await read('ai-sdk', JSON.stringify([{ role: 'assistant', parts }]))
    const asked = ['c1', 'c2', 'c4'].map(call => ({ act: 'called', call, tool: 'find', args: {} }))
    const came = [
      { act: 'answered', call: 'c1', ok: true, text: '{"at":4}' },
      { act: 'answered', call: 'c2', ok: false, text: 'not at night' },
    ]
    expect(trace?.acts).toEqual([...asked, ...came])
  })

  it('reads the answers of provider-executed calls', async () => {
    const made = (id: string, more: object) => ({
      type: 'mcp_call',
      id,
      server_label: 'town',
      name: 'find',
      arguments: '{"street":"Bok"}',
      ...more,
    })
    const items = [
      made('c1', { output: 'at 4' }),
      made('c2', { error: { type: 'http_error', code: 500, message: 'no town' } }),
      made('c3', { status: 'calling' }),
    ]
    const [trace] = await read('openai', JSON.stringify({ output: items }))
    const call = (id: string) => ({
      act: 'called',
      call: id,
      tool: 'find',
      args: { street: 'Bok' },
    })
    expect(trace?.acts).toEqual([
      call('c1'),
      { act: 'answered', call: 'c1', ok: null, text: 'at 4' },
      call('c2'),
      { act: 'answered', call: 'c2', ok: false, text: 'no town' },
      call('c3'),
    ])
  })

  it('reads legacy function calls without ids', async () => {
    const [trace] = await read(
      'openai',
      JSON.stringify([
        { role: 'assistant', content: null, function_call: { name: 'find', arguments: '{}' } },
        { role: 'function', name: 'find', content: 'at 4' },
      ]),
    )
    expect(trace?.acts).toEqual([
      { act: 'called', tool: 'find', args: {} },
      { act: 'answered', ok: null, text: 'at 4' },
    ])
  })

  it('a tool span without a call id belongs to the oldest waiting call of that tool', async () => {
    const call = (tool: string, at: number) => ({
      [`gen_ai.completion.0.tool_calls.${at}.name`]: tool,
      [`gen_ai.completion.0.tool_calls.${at}.arguments`]: `{"at":${at}}`,
    })
    const tool = (name: string, result: string) => ({
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': name,
      'traceloop.entity.output': result,
    })
    const spans = [
      { ...call('find', 0), ...call('look', 1), ...call('find', 2) },
      tool('find', 'one'),
      tool('find', 'two'),
      tool('look', 'three'),
      tool('look', 'four'),
    ]
    const [trace] = await read(
      'otel',
      spans
        .map(
          (attributes, nth) =>
            `${JSON.stringify({ traceId: 't', spanId: `s${nth}`, startTime: nth, endTime: nth, attributes })}\n`,
        )
        .join(''),
    )
    expect(trace?.acts).toEqual([
      { act: 'called', call: 't/s0/0.0', tool: 'find', args: { at: 0 } },
      { act: 'called', call: 't/s0/0.1', tool: 'look', args: { at: 1 } },
      { act: 'called', call: 't/s0/0.2', tool: 'find', args: { at: 2 } },
      { act: 'answered', call: 't/s0/0.0', ok: null, text: 'one' },
      { act: 'answered', call: 't/s0/0.2', ok: null, text: 'two' },
      { act: 'answered', call: 't/s0/0.1', ok: null, text: 'three' },
      { act: 'called', call: 't/s4', tool: 'look', args: null },
      { act: 'answered', call: 't/s4', ok: null, text: 'four' },
    ])
  })

  it.each<readonly [Format, string, string]>([
    [
      'otel',
      '{"traceId":"t","attributes":{"gen_ai.operation.name":"chat"}}\n{"traceId":"t","attributes":{"http.method":"GET"}}',
      '"chat without its content", "other spans"',
    ],
    [
      'openai',
      '[{"role":"oracle"},{"type":"web_search_call","id":"w"}]',
      '"oracle", "web_search_call"',
    ],
    ['langgraph', '{"type":"generic","content":"hm"}', '"generic"'],
    ['ai-sdk', '{"messages":[{"role":"data","content":""}]}', '"data"'],
  ])('a file without any known event of %s is an error', async (format, content, kinds) => {
    await expect(read(format, content)).rejects.toThrow(
      `expected something of a kind that ${format} knows, got only ${kinds}`,
    )
  })

  it.each<readonly [Format, string, RegExp]>([
    [
      'openai',
      '{"role":"user","content":""}\n{"role":\n',
      /file\.json:2: expected a JSON object, one a line: /,
    ],
    ['openai', '[\n  {"role": }\n]\n', /file\.json: expected JSON: Unexpected token '\}'/],
    ['openai', '{"id":"a","events":[]}\n', /file\.json:1: role: expected a text, got nothing/],
    ['openai', '[3]\n', /file\.json:1: \[0\]: expected a message as \{"role", "content"\}, got 3/],
    [
      'openai',
      '{"messages":[{"role":"tool","content":""}]}\n',
      /file\.json:1: messages\[0\]\.tool_call_id: expected a text, got nothing/,
    ],
    [
      'openai',
      '{"role":"assistant","tool_calls":[{"id":"c","function":{}}]}\n',
      /file\.json:1: tool_calls\[0\]\.function\.name: expected a text, got nothing/,
    ],
    [
      'langgraph',
      '{"type":"constructor","kwargs":{}}\n',
      /file\.json:1: id: expected a list that ends with the name of a class, got nothing/,
    ],
    [
      'langgraph',
      '{"type":"ai","data":{"tool_calls":{}}}\n',
      /file\.json:1: data\.tool_calls: expected a list, got \{\}/,
    ],
    [
      'ai-sdk',
      '{"steps":[{"kind":"user"}]}\n',
      /file\.json:1: steps\[0\]: expected a step as \{"text", "toolCalls", "toolResults"\}, got /,
    ],
    [
      'ai-sdk',
      '{"toolCalls":[{"toolCallId":"c"}]}\n',
      /file\.json:1: toolCalls\[0\]\.toolName: expected a text, got nothing/,
    ],
    [
      'otel',
      '{"name":"chat"}\n',
      /file\.json:1: expected a span with its trace id, or \{"resourceSpans"\}, got /,
    ],
    [
      'otel',
      '{"resourceSpans":[{"scopeSpans":[{"spans":[3]}]}]}\n',
      /file\.json:1: resourceSpans\[0\]\.scopeSpans\[0\]\.spans\[0\]: expected a span, got 3/,
    ],
  ])('rejects a file that is not %s with its location: %s', async (format, content, expected) => {
    await expect(read(format, content)).rejects.toThrow(expected)
  })

  it.each(['[]', '3', '{}', '{"messages":[]}', '{"type":"poem"}'])(
    'rejects a file of unknown format with the known formats: %s',
    async content => {
      await expect(read(undefined, content)).rejects.toThrow(
        /file\.json:1: does not show in which format it was recorded; expected --format trace, otel, ai-sdk, langgraph, openai/,
      )
    },
  )

  it('detects the format from the beginning of a file, and rejects an empty file', async () => {
    await expect(read(undefined, `${'['.repeat(50_000)}${']'.repeat(50_000)}`)).rejects.toThrow(
      'is nested deeper than 1000 levels',
    )
    await expect(read(undefined, '\n')).rejects.toThrow('file.json: is empty')
  })

  it('reads an object in the place of a text, whatever its keys are', async () => {
    const odd = { toString: 1, valueOf: [] }
    const attributes = [
      { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
      { key: 'count', value: { intValue: odd } },
    ]
    const status = { code: 2, message: odd }
    const span = {
      traceId: 't',
      spanId: odd,
      name: odd,
      status,
      attributes,
      events: [{ name: odd }],
    }
    const [trace] = await read('otel', JSON.stringify(span))
    expect(trace?.acts.map(({ act }) => act)).toEqual(['called', 'answered'])
    const parts = [{ type: odd }, { type: 'text', text: 'Hi.' }]
    const message = { role: 'assistant', parts, content: odd }
    await expect(read('ai-sdk', JSON.stringify([message]))).resolves.toHaveLength(1)
    await expect(
      read('openai', JSON.stringify([{ ...message, content: parts }])),
    ).resolves.toHaveLength(1)
  })

  it.each(['gen_ai.prompt', 'gen_ai.completion', 'llm.input_messages'])(
    'reads a span with a name of 100,000 points below %s',
    async prefix => {
      const attributes = [
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        { key: `${prefix}.${'a.'.repeat(100_000)}b`, value: { stringValue: 'x' } },
        { key: 'gen_ai.completion.0.content', value: { stringValue: 'Hi.' } },
      ]
      const [trace] = await read('otel', JSON.stringify({ traceId: 't', spanId: 's', attributes }))
      expect(trace?.acts).toMatchObject([{ act: 'said', text: 'Hi.' }])
    },
  )

  it('rejects a file that is too large for memory', async () => {
    const long = 'x'.repeat(40_000_000)
    await expect(read('openai', `[\n"${long}",\n"${long}"\n]\n`)).rejects.toThrow(
      /file\.json: has more than 67108864 characters/,
    )
    await expect(read('trace', `\n"${long}${long}"`)).rejects.toThrow(/file\.json:2: has more/)
    const message = JSON.stringify({ role: 'system', content: long })
    await expect(read('openai', `${message}\n${message}\n`)).rejects.toThrow(
      /file\.json: has more than 67108864 characters/,
    )
  })
})
