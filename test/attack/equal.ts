/** Equal answers to calls about different files and names: each is a result. */
import type { Shape } from './loops.ts'

const PACKAGES = [
  ...['auth', 'billing', 'cart', 'docs', 'email', 'feed', 'geo', 'hooks', 'icons', 'jobs', 'kit'],
  ...['logger', 'media', 'nav', 'orders'],
]
const name = (n: number) => PACKAGES[n % PACKAGES.length] ?? ''

const CONFIG =
  '{\n  "extends": "../../tsconfig.base.json",\n  "compilerOptions": { "outDir": "dist", "rootDir": "src", "composite": true },\n  "include": ["src"]\n}\n'
const WORKFLOW =
  'name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test\n'
const GROUPS = [{ label: 'Everybody' }, { label: 'Engineering' }, { label: 'On-call, Berlin' }]

const EQUAL: readonly (readonly [string, string, (n: number) => object, unknown])[] = [
  ['Claude Code', 'Read', n => ({ file_path: `/repo/packages/${name(n)}/tsconfig.json` }), CONFIG],
  ['an MCP server', 'read_text_file', n => ({ path: `packages/${name(n)}/tsconfig.json` }), CONFIG],
  [
    'GitHub',
    'get_file_contents',
    n => ({ owner: 'acme', repo: name(n), path: '.github/workflows/ci.yml' }),
    WORKFLOW,
  ],
  [
    'a review of branches',
    'get_branch_protection',
    n => ({ owner: 'acme', repo: name(n), branch: 'main' }),
    { required_reviews: 1, enforce_admins: false, required_checks: ['ci', 'lint'] },
  ],
  ['a review of access', 'get_user_groups', n => ({ username: name(n), expand: true }), GROUPS],
]

export const EQUAL_ANSWERS: readonly Shape[] = [
  ...EQUAL.map(([shown, tool, args, result]) => ({
    name: `equal answers for one name after the other: ${shown}`,
    healthy: true as const,
    laps: 15,
    lap: (n: number) => ({ tool, args: args(n), result }),
  })),
  {
    name: 'one file read again and again in another mode',
    lap: n => ({
      tool: 'Read',
      args: { file_path: '/repo/tsconfig.json', mode: ['raw', 'full', 'text', 'plain'][n % 4] },
      result: CONFIG,
    }),
  },
]
