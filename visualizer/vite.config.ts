/** Builds the inspector into `visualizer/dist`, which the service serves and the package contains. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { shell } from './shell.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), shell()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Inlined assets would need a weaker content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.txt' },
  },
})
