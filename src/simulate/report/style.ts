/** The style of the HTML report. Outcomes keep their colors in light and dark. */

export const STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fff; --line: #d0d0d5; --soft: #5a5a60; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf0; --paper: #161618; --line: #3a3a40; --soft: #a8a8b0; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
.verdict { border-left: .3rem solid #2c7a4b; padding-left: .8rem; }
.verdict.failed, .verdict.nondeterministic { border-color: #b3261e; }
.verdict.vacuous { border-color: #a86400; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding: .3rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: 600; }
.heat { display: inline-block; padding: 0 .4rem; background: color-mix(in srgb, #3d78c9 calc(var(--part) * .35), transparent); }
.pareto { width: 100%; max-width: 40rem; height: auto; color: var(--ink); }
.pareto text { font-size: 11px; fill: currentColor; }
.pareto line { stroke: var(--soft); }
.chart .row { display: flex; align-items: center; gap: .8rem; margin: .3rem 0; }
.chart .name { width: 9rem; }
.chart .bar { display: flex; flex: 1; height: 1.4rem; gap: 2px; }
.chart ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; list-style: none; color: var(--soft); }
.chart li span { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; }
.success { background: #2c7a4b; } .degraded { background: #6aa84f; } .handedOff { background: #3d78c9; }
.stoppedClean { background: #c9a227; } .stoppedDirty { background: #d4762c; } .stuck { background: #a0522d; }
.crashed { background: #8e44ad; } .silentlyWrong { background: #b3261e; }
a { color: inherit; }
a:focus-visible { outline: .15rem solid #3d78c9; }
footer { margin-top: 2.5rem; color: var(--soft); }
code { font-family: ui-monospace, monospace; }
`
