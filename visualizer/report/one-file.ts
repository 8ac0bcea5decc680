/** A plugin of Vite that writes the scripts and the styles into the page, under a policy that allows exactly these and no connection. */
import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'

export function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    // After the plugin that collects the licenses.
    generateBundle: { order: 'post', handler: join },
  }
}

function join(this: Rolldown.PluginContext, _: unknown, bundle: Rolldown.OutputBundle): void {
  const files = Object.values(bundle)
  const page = files.find(isNamed('.html'))
  const script = files.find(file => file.type === 'chunk')
  if (page?.type !== 'asset' || script?.type !== 'chunk')
    throw new Error('the report needs one page and one script')
  const html = pageOf({
    html: String(page.source),
    script: script.code,
    style: sourceOf(files.find(isNamed('.css'))),
    licenses: sourceOf(files.find(isNamed('licenses.txt'))),
  })
  for (const { fileName } of files) delete bundle[fileName]
  this.emitFile({ type: 'asset', fileName: 'report.html', source: html })
}

const isNamed =
  (end: string) =>
  ({ fileName }: Rolldown.OutputBundle[string]): boolean =>
    fileName.endsWith(end)

function sourceOf(file: Rolldown.OutputBundle[string] | undefined): string {
  if (file?.type !== 'asset') throw new Error('the report lacks its styles or its licenses')
  return String(file.source)
}

interface Parts {
  readonly html: string
  readonly script: string
  readonly style: string
  readonly licenses: string
}

/** The tags of the built files, which their contents replace. */
const LINKS = /\s*<(?:script[^>]* src=[^>]*><\/script>|link[^>]* rel="stylesheet"[^>]*>)/g

function pageOf({ html, script, style, licenses }: Parts): string {
  const code = escapedEnd(script)
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const head = `<meta http-equiv="content-security-policy" content="${policy}" />`
  const notices = `<script type="text/plain" id="licenses">${escapedEnd(licenses)}</script>`
  return html
    .replace(LINKS, '')
    .replace('<head>', () => `<head>\n    ${head}`)
    .replace('</head>', () => `<style>${style}</style>\n  </head>`)
    .replace('</body>', () => `${notices}\n<script type="module">${code}</script>\n  </body>`)
}

/** In the text of a script, neither of these may occur: they would change where the script ends. Both stay the same to JavaScript. */
const escapedEnd = (text: string): string =>
  text.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '\\x3C!--')

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`
