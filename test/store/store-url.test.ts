/** Names of stores: which are URLs, and how messages show them without their passwords. */
import { describe, expect, it } from 'vitest'
import { isPostgresUrl, isUrl, withoutPassword } from '../../src/runtime/store/store-url.ts'

describe('the name of a store', () => {
  it.each([
    ['postgres://u:hunter2secret@h/db', 'postgres://u:***@h/db'],
    ['postgres://u:hunter2:se@cr/et@h/db', 'postgres://u:***@h/db'],
    ['postgres:/u:hunter2secret@h/db', 'postgres:***@h/db'],
    ['postgres:u:hunter2secret@h/db', 'postgres:***@h/db'],
    ['postgres:///u:hunter2secret@h/db', 'postgres:***@h/db'],
    ['postgres//u:hunter2secret@h/db', 'postgres//u:***@h/db'],
    ['postgresql+ssl:/u:hunter2secret@h', 'postgresql+ssl:***@h'],
    ['mysql://u:hunter2secret@h/db', 'mysql://u:***@h/db'],
    ['mysql:/h/db?user=u&password=hunter2secret', 'mysql:/h/db?user=u&password=***'],
  ])('%s is a URL, shown as %s', (name, shown) => {
    expect(isUrl(name)).toBe(true)
    expect(withoutPassword(name)).toBe(shown)
  })

  it.each([
    ...['threads.db', ':memory:', './a:b/threads.db', '/data/ada@home/threads.db'],
    ...['C:\\ada@home\\threads.db', 'C:/ada@home/threads.db', 'notes@2.db', 'a//b.db', 'file:x.db'],
  ])('%s is a file, and stays as it is', name => {
    expect(isUrl(name)).toBe(false)
    expect(isPostgresUrl(name)).toBe(false)
    expect(withoutPassword(name)).toBe(name)
  })
})
