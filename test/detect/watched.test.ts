/** Loops that one idea of a detector finds, each with a healthy agent that it leaves alone. */
import { describe, expect, test } from 'vitest'
import type { Act } from '../../src/core/watch/trace-watcher.ts'
import { firstFlag } from './recorded.ts'

const call = (tool: string, args: Record<string, string>): Act => ({ act: 'called', tool, args })
const answer = (text: string, ok: boolean | null = true): Act => ({ act: 'answered', ok, text })

/** Each turn is a call and its answer. Returns the number of the first turn with a finding. */
function turnOf(turns: readonly (readonly Act[])[]): number | undefined {
  const flag = firstFlag(turns.flat())
  if (flag === undefined) return undefined
  return turns.findIndex((_, nth) => turns.slice(0, nth + 1).flat().length > flag) + 1
}

describe('a search that finds nothing', () => {
  const search = (query: string, similar: string): readonly Act[] => [
    call('search', { query }),
    answer(`Could not find [${query}]. Similar: ${similar}`, false),
  ]

  test('has the same outcome, whatever it suggests instead', () => {
    const again = ['Lake Orta', 'Lake Garda, Garda', 'Pella'].map(similar =>
      search('"Orta San Giulio"', similar),
    )
    expect(turnOf(again)).toBe(3)
  })

  test('is repeated by a search with more words', () => {
    expect(
      turnOf([
        search('bridge of the old mill', 'Bridge'),
        search('bridge of the old mill in town', 'Mill, Bridge'),
        search('stone bridge of the old mill', 'Stone'),
        search('stone bridge of the old mill built before', 'Stone, Bridge'),
      ]),
    ).toBe(4)
  })

  test('is not repeated by searches for other names', () => {
    const names = ['Anselm Roth', 'Berta Lang', 'Carlo Conti', 'Dora Weiss', 'Emil Haas']
    expect(turnOf(names.map(name => search(name, `the family of ${name}`)))).toBeUndefined()
  })

  test('is not repeated by the same search in other folders', () => {
    const folders = ['docs', 'notes', 'scripts', 'assets', 'vendor']
    expect(turnOf(folders.map(folder => search(`"Pool" ${folder}`, 'nothing')))).toBeUndefined()
  })
})

describe('an error that returns', () => {
  const failure = (seats: string): readonly Act[] => [
    call('book', { seats }),
    answer('Error: the balance of the card is too low', false),
  ]
  const person = (text: string): Act => ({ act: 'said', by: 'user', person: true, text })

  test('is a loop, also after a complaint that a harness repeats', () => {
    const complaint = person('The last command failed. Go on.')
    const turns = ['12A', '12B', '12C', '12D'].map(seats => [complaint, ...failure(seats)])
    expect(turnOf(turns)).toBe(3)
  })

  test('is counted from the latest new request of a person', () => {
    const requests = ['Take the aisle.', 'Then the window.', 'Or the back?', 'In front, please.']
    const turns = requests.map(text => [person(text), ...failure(text)])
    expect(turnOf(turns)).toBeUndefined()
  })
})

describe('a command without an effect', () => {
  const shell = (command: string): readonly Act[] => [
    call('shell', { command }),
    answer('(the command has no output)'),
  ]

  test('is repeated with other blanks around it', () => {
    expect(turnOf([shell(':'), shell(': '), shell(' :\n')])).toBe(3)
  })

  test('is not repeated by another command', () => {
    expect(turnOf(['touch a', 'mkdir b', 'cd b', 'chmod +x c'].map(shell))).toBeUndefined()
  })
})

describe('a paragraph that returns', () => {
  const paragraph = (of: string) => `${of} ${'and then I will look at the page again '.repeat(9)}`
  const turn = (text: string, nth: number): readonly Act[] => [
    { act: 'said', text },
    call('open', { page: `${text.slice(0, 9)} ${nth}` }),
    answer(`page ${nth} of many, with other lines on it than all pages before`),
  ]

  test('is a loop at its third time, whatever the steps in between answer', () => {
    const texts = ['The plan', 'A note', 'The plan', 'A thought', 'The plan'].map(paragraph)
    expect(turnOf(texts.map(turn))).toBe(5)
  })

  test('is not a loop in other words', () => {
    const texts = ['The plan', 'A plan', 'Our plan', 'My plan', 'This plan'].map(paragraph)
    expect(turnOf(texts.map(turn))).toBeUndefined()
  })

  test('is not a loop as an answer to a person who asks for it again', () => {
    const asked = ['Which?', 'Sorry, which?', 'Once more?'].map((text): readonly Act[] => [
      { act: 'said', by: 'user', person: true, text },
      { act: 'said', text: paragraph('The plan') },
    ])
    expect(turnOf(asked)).toBeUndefined()
  })

  test('is not a loop if it is a phrase that comes with each step', () => {
    const texts = ['one', 'two', 'three', 'four', 'five'].map(() => 'Now I look at the next page.')
    expect(
      turnOf(
        texts.map((text, nth) => [
          { act: 'said', text } as const,
          ...turn(`step ${nth}${'abcde'[nth]}`, nth).slice(1),
        ]),
      ),
    ).toBeUndefined()
  })
})

describe('a test that prints the same', () => {
  const check = [call('shell', { command: 'python3 solve.py 1' }), answer('saved to out/1.txt')]
  const shell = (command: string, text: string) => [call('shell', { command }), answer(text)]
  const edit = (nth: number) => {
    const body = ['alpha', 'beta', 'gamma', 'delta'].map(name => `${name}${'xyzw'[nth]} = ${name}`)
    return shell(`cat > solve.py <<END\nimport search\n${body.join('\n')}\nEND`, '')
  }

  test('is not a loop after a script that was written by a shell', () => {
    expect(turnOf([0, 1, 2, 3].flatMap(nth => [edit(nth), check]))).toBeUndefined()
  })

  test('is a loop after commands that show nothing new', () => {
    const look = shell('ls', 'solve.py out')
    expect(turnOf([0, 1, 2].flatMap(() => [look, check]))).toBe(5)
  })
})
