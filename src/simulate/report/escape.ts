/** Text in HTML, XML and Markdown. Names, conditions and reasons are texts of scenarios, tools and models. */
import { oneLine } from '../../core/watch/data/invisible.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Not allowed in XML, like control characters. */
const NONCHARACTERS = /[\ufffe\uffff]/g

/** On one line, and without signs that change what is seen around them. */
const visible = (text: string): string => oneLine(text).replace(NONCHARACTERS, '\ufffd')

/** A text that cannot become markup. */
export const escapeMarkup = (text: string): string =>
  visible(text).replace(/[&<>"']/g, sign => ENTITIES[sign] ?? sign)

/** A text that cannot become Markdown or HTML, also in a table. */
export const escapeMarkdown = (text: string): string =>
  visible(text).replace(/[\\`*_[\]<>|~&#!]/g, sign => `\\${sign}`)

/** A text as code in Markdown. */
export const markdownCode = (text: string): string => `\`${visible(text).replaceAll('`', "'")}\``
