/** A plugin of Vite that writes the bar of the page into its HTML: it is painted while the scripts load. */
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Plugin, runnerImport } from 'vite'

const SOURCE = join(import.meta.dirname, 'src/screens/shell.tsx')
const EMPTY = '<div id="root"></div>'

export const shell = (): Plugin => ({
  name: 'shell',
  async transformIndexHtml(html) {
    if (!html.includes(EMPTY)) throw new Error(`index.html: expected ${EMPTY}`)
    const { module } = await runnerImport<typeof import('./src/screens/shell.tsx')>(SOURCE, {
      configFile: false,
    })
    const markup = renderToStaticMarkup(createElement(module.Shell))
    return html.replace(EMPTY, () => `<div id="root">${markup}</div>`)
  },
})
