/** The same message sent again and again: each receipt has a new id, and an address that contains it. */
import type { Shape } from './loops.ts'

const RECEIPTS: readonly (readonly [string, (n: number) => unknown])[] = [
  [
    'GitHub',
    n => ({
      id: 2_967_812_345 + n * 331,
      html_url: `https://github.com/acme/shop/issues/7#issuecomment-${2_967_812_345 + n * 331}`,
      created_at: `2026-11-29T09:12:${10 + (n % 50)}Z`,
      body: 'Any news on the release?',
    }),
  ],
  [
    'Jira',
    n => ({
      self: `https://acme.atlassian.net/rest/api/3/issue/10010/comment/${10_400 + n}`,
      id: `${10_400 + n}`,
      body: 'Any news on the release?',
    }),
  ],
  [
    'Zoom',
    n => ({
      id: 85_000_000_000 + n * 7,
      join_url: `https://x.zoom.us/j/${85_000_000_000 + n * 7}`,
    }),
  ],
  [
    'the GitHub CLI',
    n => `https://github.com/acme/shop/issues/7#issuecomment-${2_967_812 + n * 331}`,
  ],
]

export const RECEIVED: readonly Shape[] = [
  ...RECEIPTS.map(([shown, receipt]) => ({
    name: `the same message sent again, with the receipt of ${shown}`,
    lap: (n: number) => ({
      tool: 'send',
      args: { issue: 7, body: 'Any news on the release?' },
      result: receipt(n),
    }),
  })),
  {
    name: 'another message each time, with the receipt of GitHub',
    healthy: true,
    laps: 12,
    lap: n => ({
      tool: 'send',
      args: { issue: 100 + n, body: `Issue ${100 + n} is mended.` },
      result: RECEIPTS[0]?.[1](n),
    }),
  },
]
