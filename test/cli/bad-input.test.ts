/** Invalid inputs, names and stores: a message, exit code 2, and no change. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { type Desk, expectRefused, GOOD, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const ORDERS = spec(`
input: [order]
channels: { order: { type: object, properties: { clocks: { type: integer } } } }
nodes:
  A: { use: pass, on: { done: E } }
  E: { final: success }
`)

describe('an input', () => {
  it.each([
    ['that is missing', undefined, 'input.order is missing'],
    ['of the wrong type', '{"order": 3}', 'input.order expected object, received number'],
    [
      'with a fault inside',
      '{"order": {"clocks": "three"}}',
      /input\.order\.clocks expected (int|number), received string/,
    ],
    [
      'for an undeclared channel',
      '{"order": {}, "ordre": {}}',
      `input.ordre unknown channel 'ordre'; did you mean 'order'?`,
    ],
    ['that is a list', '[]', 'input expected an object with order'],
    ['that is not JSON', '{order: 3}', '--input is not JSON: '],
    [
      'that would pollute',
      '{"__proto__": {"polluted": 1}}',
      `input.__proto__ unknown channel '__proto__'`,
    ],
    ['in a file that is not there', '@order.json', '--input @order.json: file not found'],
    ['in a folder', '@.', '--input @.: is a folder'],
    ['in a binary file', '@binary', '--input is not JSON: '],
    ['in an empty file', '@empty', '--input is not JSON: '],
  ])('%s is rejected', async (_, input, expected) => {
    const desk = newDesk()
    desk.file('binary', new Uint8Array([0, 1, 2, 0xff]))
    desk.file('empty', '')
    expectRefused(
      await desk.type(
        'run',
        desk.file('spec.yaml', ORDERS),
        '--thread',
        't',
        ...(input === undefined ? [] : ['--input', input]),
      ),
      expected,
    )
    expect(await desk.type('threads')).toMatchObject({ out: 'no threads\n' })
  })

  it('with a nested key `__proto__` is kept as data', async () => {
    const desk = newDesk()
    const { code, out } = await desk.type(
      'run',
      desk.file('spec.yaml', ORDERS),
      '--json',
      '--input',
      '{"order": {"__proto__": {"clocks": 1}, "constructor": {"prototype": {"clocks": 2}}}}',
    )
    expect(code).toBe(0)
    expect(out).toContain(
      '"result":{"order":{"__proto__":{"clocks":1},"constructor":{"prototype":{"clocks":2}}}}',
    )
  })

  it('for a started thread is rejected', async () => {
    const desk = newDesk()
    const run = () =>
      desk.type('run', desk.file('spec.yaml', ORDERS), '--thread', 't', '--input', '{"order": {}}')
    expect((await run()).code).toBe(0)
    expectRefused(await run(), `thread 't' exists; --input is only for a new thread`)
    expectRefused(
      await desk.type('run', desk.file('other.yaml', GOOD), '--thread', 't'),
      `thread 't' runs another graph`,
      'escapement resume t',
    )
  })

  it('an empty thread name is rejected', async () => {
    const desk = newDesk()
    expectRefused(
      await desk.type('run', desk.file('spec.yaml', GOOD), '--thread', ''),
      '--thread expects a name',
    )
  })

  it.each([
    ['that is not there', 'wrokspace', '--workspace wrokspace: folder not found'],
    ['that is a file', 'spec.yaml', '--workspace spec.yaml: is not a folder'],
  ])('a workspace %s is rejected', async (_, folder, expected) => {
    const desk = newDesk()
    expectRefused(
      await desk.type('run', desk.file('spec.yaml', GOOD), '--workspace', folder),
      expected,
    )
    expect(await desk.type('threads')).toMatchObject({ out: 'no threads\n' })
  })

  it.each([
    [['serve'], '--graphs', 'graphs'],
    [['serve', '--graphs', 'graps'], '--graphs', 'graps'],
    [['threads', '--stale'], '--stale', 'graphs'],
  ])('%j without its folder of graphs names the option', async (args, option, folder) => {
    const { code, err } = await newDesk().type(...args)
    expect(code).toBe(2)
    expect(err).toMatch(
      new RegExp(`/${folder}: not found\\n.*→ name a folder or a file with ${option}`),
    )
  })

  it('an event beyond the end of a thread is rejected', async () => {
    const desk = newDesk()
    await desk.type('run', desk.file('spec.yaml', GOOD), '--thread', 't')
    expectRefused(
      await desk.type('show', 't', '--at', '99'),
      /event 99 does not exist in thread 't'; its last event is \d+/,
    )
  })

  it('an unknown option points to the help of its command', async () => {
    expectRefused(
      await newDesk().type('show', 't', '--until', '3'),
      `unknown option '--until'`,
      'escapement show --help',
    )
  })

  it.each([
    [['sim', 'monte', 'x', '--set', 'y'], 'sim monte', 'options'],
    [['sim', 'run'], 'sim run', 'options'],
    [['sim', 'replay', '--foo'], 'sim replay', 'options'],
    [['sim', 'explore', 'x', '--workers'], 'sim explore', 'options'],
    [['sim', 'proxy', 'x', '--foo'], 'sim proxy', 'options'],
    [['sim', 'fly'], 'sim', 'commands'],
    [['sim', '--foo'], 'sim', 'commands'],
    [['init', '--foo'], 'init', 'options'],
    [['answer'], 'resume', 'options'],
    [['fly'], '', 'commands'],
  ])('%j points to a help that exists', async (args, command, what) => {
    const desk = newDesk()
    const named = ['escapement', command, '--help'].filter(Boolean).join(' ')
    expectRefused(await desk.type(...args), `\n(${named} lists the ${what})\n`)
    const help = await desk.type(...named.split(' ').slice(1))
    const start = `Usage: ${['escapement', command].filter(Boolean).join(' ')}`
    expect(help.out.replaceAll('|answer', '').slice(0, start.length)).toBe(start)
  })
})

describe('a worker', () => {
  it.each([
    [['--concurrency', '0'], '--concurrency 0: expected a number from 1 to 2147483647'],
    [['--fleet', '0'], '--fleet 0: expected a number from 1'],
    [['--fleet', '8'], '--fleet 8: expected at least --concurrency, which is 16'],
    [['--rate', '0/1s'], '--rate 0/1s: expected a number per duration'],
    [['--rate', '5/0s'], '--rate 5/0s: expected a number per duration'],
    [['--rate', '99999999999999999999/1s'], 'expected a number per duration'],
  ])('refuses %j', async (options, expected) => {
    const desk = newDesk()
    const graphs = ['--graphs', desk.file('spec.yaml', GOOD)]
    const url = ['--postgres', 'postgres://localhost:1/x']
    expectRefused(await desk.type('worker', ...url, ...graphs, ...options), expected)
  })
})

describe('a store', () => {
  const LETTER = 'Dear aunt, I write to tell you that all clocks have stopped. '.repeat(40)

  it.each<readonly [string, (desk: Desk) => string, string | RegExp]>([
    [
      'that is a letter',
      desk => desk.file('letter.txt', LETTER),
      'letter.txt is not a SQLite database',
    ],
    [
      'of somebody else',
      desk => database(desk, 'CREATE TABLE clocks (name)'),
      'other.db is a SQLite database, but not a store of escapement',
    ],
    ['that is a folder', () => '.', /\. cannot be opened/],
    [
      'inside a file',
      desk => `${desk.file('letter.txt', LETTER)}/threads.db`,
      /letter\.txt\/threads\.db(: file not found| cannot be opened)/,
    ],
  ])('%s is rejected and not changed', async (_, make, expected) => {
    const desk = newDesk()
    const file = make(desk)
    const before = contentOf(desk, file)
    expectRefused(await desk.type('run', desk.file('spec.yaml', GOOD), '--store', file), expected)
    expectRefused(await desk.type('threads', '--store', file), expected)
    expect(contentOf(desk, file)).toEqual(before)
  })

  it.each([
    ['PRAGMA user_version = -5', 'threads.db has schema version -5'],
    [
      'DROP TABLE events',
      'threads.db does not have the tables of its version; restore it from a backup',
    ],
    [
      'DROP TABLE breakers; CREATE VIEW breakers AS SELECT 1',
      'does not have the tables of its version',
    ],
  ])('with other tables is rejected: %s', async (change, expected) => {
    const desk = newDesk()
    await desk.type('run', desk.file('spec.yaml', GOOD), '--store', 'threads.db')
    const db = new DatabaseSync(join(desk.folder, 'threads.db'))
    db.exec(change)
    db.close()
    expectRefused(await desk.type('threads', '--store', 'threads.db'), expected)
    expectRefused(await desk.type('run', 'spec.yaml', '--store', 'threads.db'), 'threads.db')
  })

  it('cannot be below a folder that accepts no entries', async () => {
    const desk = newDesk()
    const spec = desk.file('spec.yaml', GOOD)
    const store = '/proc/escapement/deep/threads.db'
    // In a process of its own, because a call that never ends would block this one.
    const { code, err } = await desk.start('run', spec, '--store', store).ended
    expect(code).toBe(2)
    expect(err).toContain(store)
  })

  it('named by the URL of another database, or by one with a slash or a colon too few, is rejected without its password', async () => {
    const desk = newDesk()
    const spec = desk.file('spec.yaml', GOOD)
    for (const [url, shown] of [
      ['mysql://ada:hunter2secret@db/x', 'mysql://ada:***@db/x'],
      ['postgres:/ada:hunter2secret@db/x', 'postgres:***@db/x'],
      ['postgres//ada:hunter2secret@db/x', 'postgres//ada:***@db/x'],
    ])
      for (const args of [['run', spec], ['threads'], ['sql', 'SELECT 1']]) {
        const refused = await desk.type(...args, '--store', url as string)
        expectRefused(refused, `${shown}: expected a file, or a URL that begins with postgres://`)
        expect(refused.err).not.toContain('hunter2secret')
      }
    expect(readdirSync(desk.folder)).toEqual(['spec.yaml'])
  })

  it('of a newer escapement is rejected', async () => {
    const desk = newDesk()
    await desk.type('run', desk.file('spec.yaml', GOOD), '--store', 'threads.db')
    const db = new DatabaseSync(join(desk.folder, 'threads.db'))
    db.exec('PRAGMA user_version = 99')
    db.close()
    expectRefused(
      await desk.type('threads', '--store', 'threads.db'),
      'threads.db has schema version 99',
      'use a newer escapement',
    )
  })

  it('that is damaged is rejected', async () => {
    const desk = newDesk()
    await desk.type('run', desk.file('spec.yaml', GOOD), '--store', 'threads.db')
    const file = join(desk.folder, 'threads.db')
    const bytes = readFileSync(file)
    bytes.fill(0x5a, 1_000)
    writeFileSync(file, bytes)
    expectRefused(await desk.type('threads', '--store', 'threads.db'), 'threads.db is damaged')
  })

  it('without the graph of a thread, or with a damaged one, reports it', async () => {
    const desk = newDesk()
    await desk.type('run', desk.file('spec.yaml', GOOD), '--thread', 't', '--store', 'threads.db')
    const looking = async (sql: string, expected: string) => {
      const db = new DatabaseSync(join(desk.folder, 'threads.db'))
      db.exec(sql)
      db.close()
      for (const command of ['show', 'resume', 'policy'])
        expectRefused(await desk.type(command, 't', '--store', 'threads.db'), expected)
    }
    await looking(`UPDATE kept SET body = '{"file":'`, 'is damaged: it is missing or malformed')
    for (const other of ['null', '[]', '{"file":"spec.yaml","spec":{}}'])
      await looking(
        `UPDATE kept SET body = '${other}'`,
        "the graph of 't' is damaged in the store: ",
      )
    await looking('DELETE FROM kept', "the store does not hold the graph of 't'")
  })
})

function database({ folder }: Desk, sql: string): string {
  const db = new DatabaseSync(join(folder, 'other.db'))
  db.exec(sql)
  db.close()
  return 'other.db'
}

/** The content of a file, or undefined where the path is not a file. */
function contentOf({ folder }: Desk, file: string): Buffer | undefined {
  try {
    return readFileSync(join(folder, file))
  } catch {
    return undefined
  }
}
