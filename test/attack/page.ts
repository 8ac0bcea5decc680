/** The measured parts of `docs/reliability.md`. */
import type { WrittenPart } from '../written-part.ts'

const part = (name: string, by = 'npm run attack -- --write'): WrittenPart => {
  return { page: 'reliability.md', name, by }
}

export const PARTS = {
  kills: part('kills'),
  storms: part('storms'),
  inputs: part('inputs'),
  loops: part('loops'),
  mutations: part('mutations', 'npm run mutate -- --write'),
}
