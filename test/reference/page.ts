/** `docs/spec.md`, from the schema. */
import { EXAMPLES } from './examples.ts'
import { type Row, rowsOf } from './rows.ts'
import { definitions } from './schema.ts'
import { SECTIONS, type Section, VALUES } from './sections.ts'
import { typeOf } from './type.ts'

const ALL = definitions()

const HEAD = `# Spec reference

Every key of a graph spec. This page is generated from the schema; \`escapement schema\` prints it as JSON Schema for your editor.
[Writing a graph](graphs.md) shows how the parts work together. An unknown key or an invalid value is an error that names its path. Every map of the policy may
be partial: an absent key has its default.
`

export function page(): string {
  return `${[HEAD, ...SECTIONS.map(sectionOf), values()].join('\n')}`
}

function sectionOf(section: Section): string {
  const { definition, title, level = 2, intro = ALL.get(definition)?.description ?? '' } = section
  const rows = shownRows(section)
  const example = EXAMPLES[title]
  return [
    `${'#'.repeat(level)} ${title}\n`,
    `${intro}${intro.endsWith('.') ? '' : '.'}\n`,
    ...(rows.length === 0
      ? []
      : [`${table(['key', 'type', 'default', 'meaning'], rows.map(cells))}\n`]),
    ...(example === undefined ? [] : [`\`\`\`yaml\n${example.trim()}\n\`\`\`\n`]),
  ].join('\n')
}

/** The keys that the section lists. */
export function shownRows({ definition, without = [], only }: Section): readonly Row[] {
  const first = (key: string) => key.split('.')[0] ?? ''
  return rowsOf(definition, link).filter(({ key }) =>
    only ? only.includes(first(key)) : !without.includes(first(key)),
  )
}

function values(): string {
  const rows = VALUES.map(name => [
    `\`${name}\``,
    typeOf(ALL.get(name) ?? {}, link),
    ALL.get(name)?.description ?? '',
  ])
  return [
    `## Values\n`,
    'Types that the tables above refer to by name.\n',
    table(['name', 'written', 'meaning'], rows),
    '',
  ].join('\n')
}

function cells({ key, type, default: value, meaning }: Row): string[] {
  return [`\`${key}\``, type, value || '–', meaning]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (texts: readonly string[]) =>
    `| ${texts.map(text => text.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A link to the section of a definition, or to the table of values. */
function link(name: string): string {
  const section = SECTIONS.find(({ definition, only }) => definition === name && only === undefined)
  return section ? `[${name}](#${anchor(section.title)})` : `[${name}](#values)`
}

/** The anchor that GitHub makes of a heading. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}
