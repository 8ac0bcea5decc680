/** The icons of the page, as one set of outlines: fonts lack many symbols. */
const PATHS = {
  model: 'M8 1.5 9.6 6.4 14.5 8 9.6 9.6 8 14.5 6.4 9.6 1.5 8 6.4 6.4Z',
  tools: 'M9.5 2.5a3.5 3.5 0 0 0-3.9 4.9L2 11v3h3l3.6-3.6a3.5 3.5 0 0 0 4.9-3.9L11 9 9 9 7 7l0-2Z',
  person:
    'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8Zm-5.2 6c.4-3 2.4-4.6 5.2-4.6s4.8 1.6 5.2 4.6Z',
  wait: 'M4 1.5h8M4 14.5h8M5 1.5c0 4 6 5 6 6.5s-6 2.5-6 6.5M11 1.5c0 4-6 5-6 6.5s6 2.5 6 6.5',
  check: 'M8 1.8 14.2 8 8 14.2 1.8 8Z',
  graph: 'M3 2.5h4v4H3Zm6 7h4v4H9ZM5 6.5v5h4',
  end: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z',
  group: 'M2 3h12v10H2Zm0 3h12',
  any: 'M3 8h.1M8 8h.1M13 8h.1',
  play: 'M4 2.5v11l9-5.5Z',
  pause: 'M5 2.5v11M11 2.5v11',
  step: 'M3 3v10l6-5ZM12 3v10',
  lap: 'M13 8a5 5 0 1 1-1.6-3.7M13.2 1.8v3h-3',
  over: 'M2 9c1-5 9-6 11-1m.3-3.5V8H10M7 13h2',
  here: 'M8 1.5v8M5 6.5l3 3 3-3M3 13.5h10',
  out: 'M8 13V3M4 7l4-4 4 4',
  back: 'M10 3 5 8l5 5',
  forward: 'M6 3l5 5-5 5',
  first: 'M12 3 7 8l5 5M4 3v10',
  last: 'M4 3l5 5-5 5M12 3v10',
  fork: 'M5 3v4c0 2 6 2 6 4v2M5 7v6M11 3v2M3.5 3h3M9.5 3h3M3.5 13h3M9.5 13h3',
  fault: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8Z',
  send: 'M2 8 14 2.5 10.5 14 8 9.5Z',
  stop: 'M3 3h10v10H3Z',
  loop: 'M12.5 6A5 5 0 0 0 3.3 6.4M3.5 10a5 5 0 0 0 9.2-.4M12.8 2.5V6H9.5M3.2 13.5V10h3.3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  file: 'M4 1.5h5l3.5 3.5v9.5H4ZM9 1.5V5h3.5',
  link: 'M6.5 9.5l3-3M7 4.5 8.6 3a3 3 0 0 1 4.3 4.3L11.4 9M9 11.5 7.4 13a3 3 0 0 1-4.3-4.3L4.6 7',
  fit: 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4',
  tick: 'M2.5 8.5l3.5 3.5 7.5-8',
  warning: 'M8 2 15 14H1ZM8 6.5v3.5M8 12h.1',
  help: 'M6 6a2 2 0 1 1 2.7 1.9c-.5.2-.7.6-.7 1.1v.5M8 12h.1',
  breakpoint: 'M8 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Z',
} as const

export type IconName = keyof typeof PATHS

const FILLED: ReadonlySet<IconName> = new Set(['play', 'stop', 'breakpoint'])

export function Icon({ name, label }: { readonly name: IconName; readonly label?: string }) {
  const className = `icon ${FILLED.has(name) ? 'filled' : ''}`
  const drawing = <path d={PATHS[name]} />
  return label === undefined ? (
    <svg className={className} viewBox="0 0 16 16" aria-hidden="true">
      {drawing}
    </svg>
  ) : (
    <svg className={className} viewBox="0 0 16 16" role="img" aria-label={label}>
      {drawing}
    </svg>
  )
}
