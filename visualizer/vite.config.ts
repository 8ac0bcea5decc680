/** Builds the inspector into `visualizer/dist`, which the service serves and the package contains. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { routes } from './routes.ts'
import { shell } from './shell.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), routes(), shell()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined assets would need a weaker content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Each further file costs a request before the page is there.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            {
              name: 'parts',
              test: /visualizer.src.design|node_modules.(react|react-dom|scheduler)\b/,
            },
          ],
        },
      },
    },
    license: { fileName: 'licenses.txt' },
  },
})
