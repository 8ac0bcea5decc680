/** docs/simulation.md: the way from an agent to a gate works as it is written. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newDesks } from './desk.ts'

const newDesk = newDesks()
const page = readFileSync('docs/simulation.md', 'utf8')
const part = page.slice(page.indexOf('## From an agent to a gate'), page.indexOf('## Faults'))
const inTypeScript = page.slice(
  page.indexOf('## An agent in TypeScript'),
  page.indexOf('## People'),
)

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

test('the agent in TypeScript runs as a module and as its drawn spec', async () => {
  const desk = newDesk()
  const source = (name: string) => new URL(`../../src/${name}.ts`, import.meta.url).pathname
  const resolved = (text: string) =>
    text
      .replace("'escapement'", `'${source('index')}'`)
      .replace("'escapement/simulate'", `'${source('simulate')}'`)
      .replace(/'(zod|@ai-sdk\/openai)'/g, (_, name) => `'${import.meta.resolve(name)}'`)
  const files = /`(desk\S*|orders\S*)`:\n\n```(?:ts|json|yaml)\n(.*?)```/gs
  for (const [, name = '', text = ''] of inTypeScript.matchAll(files))
    desk.file(name, resolved(text))
  const [, commands = ''] = /```sh\n(.*?)```/s.exec(inTypeScript) ?? []
  const run = async () => {
    for (const command of commands.trim().split('\n')) {
      const { code, out, err } = await desk.type(...command.split(' ').slice(1))
      expect({ command, code, err }).toEqual({ command, code: 0, err: '' })
      expect(out).toMatch(/success|default/)
    }
  }
  await run()
  const [, ...draw] = /`(escapement draw [^`]*)`/.exec(inTypeScript)?.[1]?.split(' ') ?? []
  desk.file('drawn.yaml', (await desk.type(...draw)).out)
  const scenario = readFileSync(`${desk.folder}/desk.scenario.yaml`, 'utf8')
  desk.file('desk.scenario.yaml', scenario.replace('./desk.ts#support', './drawn.yaml'))
  await run()
})
