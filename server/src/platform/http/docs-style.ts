export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1d2129; --soft: #5b6472; --line: #e4e1d9; --accent: #0b6e5f;
  --code: #f3f1ea; --get: #0b6e5f; --post: #8a4b00; --put: #6b3fa0; --patch: #6b3fa0; --delete: #a3262a;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --card: #1b1f26; --ink: #e6e8ec; --soft: #98a1b0; --line: #2c323c; --accent: #5fd0b8;
    --code: #232831; --get: #5fd0b8; --post: #f0b35e; --put: #c3a1f0; --patch: #c3a1f0; --delete: #f08a8c;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 3px; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 2; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 82rem; margin: 0 auto; }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1.25rem; border-right: 1px solid var(--line);
  font-size: .875rem;
}
nav h2 { font-size: .75rem; letter-spacing: .08em; text-transform: uppercase; color: var(--soft); margin: 1.5rem 0 .35rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; padding: .2rem 0; color: inherit; text-decoration: none; font-family: var(--mono); font-size: .8125rem; }
nav li a:hover { color: var(--accent); }
nav .path { overflow-wrap: anywhere; }
main { padding: 2.5rem clamp(1.25rem, 4vw, 3.5rem) 6rem; }
header h1 { font-size: 2.25rem; line-height: 1.15; letter-spacing: -.02em; margin: 0 0 .5rem; }
header p, .lead { color: var(--soft); max-width: 44rem; }
section > h2 { font-size: 1.5rem; letter-spacing: -.01em; margin: 3.5rem 0 1rem; text-transform: capitalize; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem clamp(1rem, 3vw, 1.75rem); margin: 0 0 1.5rem; }
article h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: .75rem; margin: 0 0 .25rem; font: 600 1.0625rem/1.5 var(--mono); overflow-wrap: anywhere; }
article h3 a { color: inherit; text-decoration: none; }
article h4 { margin: 1.5rem 0 .5rem; font-size: .8125rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
.method { font: 700 .75rem/1.5 var(--mono); letter-spacing: .04em; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.facts { display: flex; flex-wrap: wrap; gap: .4rem; margin: .9rem 0 0; padding: 0; list-style: none; font-size: .8125rem; }
.facts li { border: 1px solid var(--line); border-radius: 99px; padding: .1rem .65rem; color: var(--soft); }
.facts b { color: var(--ink); font-weight: 600; }
.warn { border-left: 3px solid var(--post); padding: .25rem .9rem; margin: 1rem 0; }
code { font-family: var(--mono); font-size: .875em; background: var(--code); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 8px; padding: .9rem 1.1rem; overflow-x: auto; font: .8125rem/1.6 var(--mono); }
pre code { background: none; padding: 0; font-size: inherit; overflow-wrap: normal; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: .75rem; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line); }
td { vertical-align: top; padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
td:first-child { white-space: nowrap; }
td .need { color: var(--delete); font-size: .75rem; margin-left: .35rem; }
td .more { color: var(--soft); }
.in1 { padding-left: 1.25rem; } .in2 { padding-left: 2.5rem; } .in3 { padding-left: 3.75rem; }
@media (max-width: 56rem) {
  .page { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
}
@media print { nav { display: none; } .page { display: block; } article { break-inside: avoid; } }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
`;
