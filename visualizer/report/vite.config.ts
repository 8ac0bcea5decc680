/** Builds the page of `escapement report` into one file, without the journal. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { oneFile } from './one-file.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), oneFile()],
  resolve: {
    alias: [{ find: './elk-worker.ts', replacement: `${import.meta.dirname}/elk-worker.ts` }],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 4_000,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: { output: { codeSplitting: false } },
  },
})
