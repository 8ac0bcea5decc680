/** Recorded traces of agents: one JSON object a line, with an id and its events. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Act, Trace } from '../../core/watch/act.ts'
import type { Json } from '../../core/watch/json.ts'

/** A file that is no trace: the message names the file, the line, and what was expected there. */
export class InvalidTrace extends Error {
  override readonly name = 'InvalidTrace'
}

/** Characters of one trace: what is read is held in memory, one line at a time. */
const LINE_MAX = 67_108_864

/** The traces of a file, one after the other. @throws InvalidTrace */
export async function* readTraces(file: string): AsyncGenerator<Trace> {
  const bytes = createReadStream(file, { encoding: 'utf8' })
  const lines = createInterface({ input: bytes, crlfDelay: Number.POSITIVE_INFINITY })
  let number = 0
  try {
    for await (const line of lines) {
      number++
      if (line.trim() !== '') yield traceIn(line, message => new InvalidTrace(`${file}:${number}: ${message}`))
    }
  } catch (error) {
    throw explained(file, error)
  } finally {
    lines.close()
    bytes.destroy()
  }
}

const WORDS: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'is a folder, and no file of traces', EACCES: 'may not be read' }

function explained(file: string, error: unknown): unknown {
  const words = WORDS[(error as { code?: string }).code ?? '']
  return words === undefined ? error : new InvalidTrace(`${file}: ${words}`)
}

type Fault = (message: string) => InvalidTrace

function traceIn(line: string, fault: Fault): Trace {
  if (line.length > LINE_MAX) throw fault(`has ${line.length} characters; expected a trace of at most ${LINE_MAX}`)
  const { id, events } = mapIn(parsed(line, fault), 'a trace as {"id", "events"}', message => fault(message.slice(2)))
  if (typeof id !== 'string' || id === '') throw fault(`id: expected a text, got ${shown(id)}`)
  if (!Array.isArray(events)) throw fault(`events: expected a list, got ${shown(events)}`)
  return { id, acts: events.map((event, index) => actIn(event, message => fault(`events[${index}]${message}`))) }
}

function parsed(line: string, fault: Fault): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw fault(`expected a JSON object, one a line: ${(error as Error).message}`)
  }
}

type Fields = Readonly<Record<string, unknown>>

function mapIn(value: unknown, expected: string, fault: Fault): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fault(`: expected ${expected}, got ${shown(value)}`)
  return value as Fields
}

function actIn(value: unknown, fault: Fault): Act {
  const event = mapIn(value, 'an event', fault)
  switch (event.t) {
    case 'say': {
      const by = optional(event, 'who', fault) ?? optional(event, 'role', fault)
      return { act: 'said', text: text(event, 'text', fault), ...(by === undefined ? {} : { by }), ...(by === 'user' ? { person: true } : {}) }
    }
    case 'call':
      return { act: 'called', tool: text(event, 'tool', fault), args: (event.args ?? null) as Json, ...called(event, fault) }
    case 'result': {
      const { ok = null, len, hash } = event
      if (ok !== null && typeof ok !== 'boolean') throw fault(`.ok: expected true, false or null, got ${shown(ok)}`)
      if (len !== undefined && typeof len !== 'number') throw fault(`.len: expected a number, got ${shown(len)}`)
      if (hash !== undefined && typeof hash !== 'string') throw fault(`.hash: expected a text, got ${shown(hash)}`)
      return {
        act: 'answered',
        ok,
        text: text(event, 'text', fault),
        ...called(event, fault),
        ...(hash === undefined ? {} : { hash }),
        ...(len === undefined ? {} : { length: len }),
      }
    }
    default:
      throw fault(`.t: expected say, call or result, got ${shown(event.t)}`)
  }
}

function called(event: Fields, fault: Fault): { readonly call?: string } {
  const call = optional(event, 'id', fault)
  return call === undefined ? {} : { call }
}

function text(event: Fields, name: string, fault: Fault): string {
  const value = event[name]
  if (typeof value !== 'string') throw fault(`.${name}: expected a text, got ${shown(value)}`)
  return value
}

function optional(event: Fields, name: string, fault: Fault): string | undefined {
  return event[name] === undefined || event[name] === null ? undefined : text(event, name, fault)
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)).slice(0, 60)
}
