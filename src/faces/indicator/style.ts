/** The style and the icons of the indicator. Custom properties change the colors; `part` names reach each element. */
import type { Look } from './shown.ts'

/** Paths in a box of 16 × 16. Each look has its own shape, because colors alone say nothing to some people. */
export const ICONS: Readonly<Record<Look, string>> = {
  working: 'M12.5 6A5 5 0 0 0 3.3 6.4M3.5 10a5 5 0 0 0 9.2-.4M12.8 2.5V6H9.5M3.2 13.5V10h3.3',
  failing: 'M8 2 14.5 13.5H1.5ZM8 6.5v3.2M8 11.4v.3',
  waiting:
    'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8Zm-5.2 6c.4-3 2.4-4.6 5.2-4.6s4.8 1.6 5.2 4.6Z',
  paused: 'M5.5 3v10M10.5 3v10',
  done: 'M3 8.5 6.5 12 13 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  lost: 'M2 2l12 12M3 8a7 7 0 0 1 3-1.8M13 8a7 7 0 0 0-3-1.8M8 12.5h.1',
}

const color = (look: Look, light: string, dark: string): string =>
  `--look-${look}: var(--escapement-${look}, light-dark(${light}, ${dark}));`

export const STYLE = `
:host {
  ${color('working', '#0a5fc0', '#6cb6ff')}
  ${color('failing', '#7a4e00', '#f0b440')}
  ${color('waiting', '#762cb5', '#dda8ff')}
  ${color('paused', '#4b5865', '#a3b0bd')}
  ${color('done', '#0f6b44', '#56d19a')}
  ${color('failed', '#b3261e', '#ff8a80')}
  ${color('lost', '#4b5865', '#a3b0bd')}
  display: block;
  box-sizing: border-box;
  max-width: 100%;
  padding: 8px 12px;
  border: 1px solid var(--escapement-line, light-dark(#c3ccd5, #36424f));
  border-inline-start: 4px solid var(--look);
  border-radius: var(--escapement-radius, 7px);
  background: var(--escapement-background, light-dark(#ffffff, #151a21));
  color: var(--escapement-text, light-dark(#1a232e, #e6ebf1));
  font: var(--escapement-font, 14px/1.4 system-ui, sans-serif);
}
:host([hidden]) { display: none; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
.line, .status { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; }
svg { flex: none; width: 1.2em; height: 1.2em; fill: none; stroke: var(--look); stroke-width: 1.6; stroke-linejoin: round; }
.status { flex: 1 1 8em; }
.title { min-width: 0; font-weight: 600; overflow-wrap: anywhere; }
.steps { display: inline-flex; align-items: center; gap: 8px; font-variant-numeric: tabular-nums; }
progress { width: 7em; height: 8px; accent-color: var(--look); }
.errors { flex: none; color: var(--look-failed); font-weight: 600; }
.summary { margin: 4px 0 0; overflow-wrap: anywhere; white-space: pre-line; }
.command { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; margin-top: 6px; }
code { padding: 2px 6px; border-radius: 4px; background: light-dark(#e9edf1, #1c232c); overflow-wrap: anywhere; }
button { min-width: 24px; min-height: 24px; padding: 2px 10px; border: 1px solid currentcolor; border-radius: 5px; background: none; color: inherit; font: inherit; cursor: pointer; }
button:focus-visible { outline: 2px solid var(--look-working); outline-offset: 2px; }
[hidden] { display: none !important; }
@media (prefers-reduced-motion: no-preference) {
  .is-turning svg { animation: turn 1.6s linear infinite; }
}
@keyframes turn { to { transform: rotate(1turn); } }
@media (forced-colors: active) {
  svg, button { color: CanvasText; stroke: currentcolor; }
  code { border: 1px solid; }
}
@media (max-width: 30em) {
  .steps { flex: 1 0 100%; }
  progress { flex: 1; }
}
`
