/** docs/simulation.md: the way from an agent to a gate works as it is written. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newDesks } from './desk.ts'

const newDesk = newDesks()
const page = readFileSync('docs/simulation.md', 'utf8')
const part = page.slice(page.indexOf('## From an agent to a gate'), page.indexOf('## Faults'))

test('the files and commands of the page work in order, and a worse policy fails the gate', async () => {
  const desk = newDesk()
  for (const [, name = '', text = ''] of part.matchAll(/`(\S+\.yaml)`[^`]*?```yaml\n(.*?)```/gs))
    desk.file(name, text)
  const commands = [...part.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, text = '']) =>
    text.trim().split('\n'),
  )
  expect(commands).toHaveLength(3)
  for (const command of commands) {
    const { code, out, err } = await desk.type(...command.split(' ').slice(1))
    expect({ command, code, err }).toEqual({ command, code: 0, err: '' })
    expect(out).not.toBe('')
  }
  const [, workflow = ''] = part.match(/run: npx (escapement .*)/) ?? []
  const gate = await desk.type(...workflow.split(' ').slice(1))
  expect(gate).toMatchObject({ code: 0, err: '' })
  for (const report of ['report.html', 'report.xml'])
    expect(readFileSync(`${desk.folder}/${report}`, 'utf8')).toContain('lookup')
  const scenario = readFileSync(`${desk.folder}/lookup.scenario.yaml`, 'utf8')
  desk.file(
    'lookup.scenario.yaml',
    scenario.replace('default: {}', 'default: { retry: { attempts: 1 } }'),
  )
  const worse = await desk.type('sim', 'monte', 'lookup.scenario.yaml')
  expect(worse.out).toMatch(/✗ default\.goal\.low >= 0\.9/)
  expect(worse.code).toBe(1)
})
