/** The colours of the dashboard (web/src/style/tokens.css); a test compares them. */
export const DOCS_TOKENS = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#faf9f6, #101317);
  --surface: light-dark(#ffffff, #171b20);
  --sunken: light-dark(#f2f0ea, #0b0d10);
  --ink: light-dark(#1a1d21, #eceef0);
  --ink-2: light-dark(#474e56, #b6bdc4);
  --ink-3: light-dark(#626a73, #929aa3);
  --line: light-dark(#e1ded5, #2a3038);
  --control: light-dark(#85898d, #6b747e);
  --link: light-dark(#0e5963, #7cc7cf);
  --sans: "Atkinson Hyperlegible Next", "Atkinson Next fallback", system-ui, sans-serif;
  --mono: "Atkinson Hyperlegible Mono", "Atkinson Mono fallback", ui-monospace, monospace;
  --radius-tag: 3px;
  --radius: 4px;
  --radius-button: 5px;
  --radius-box: 6px;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
`;

const LAYOUT = `
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 76px; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 400 15px/22px var(--sans); }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; }
ul, ol { padding: 0; list-style: none; }
a { color: var(--link); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
[hidden] { display: none !important; }
code, kbd, pre { font-family: var(--mono); font-size: 0.94em; }
code { overflow-wrap: anywhere; }
kbd {
  font: 500 11px/16px var(--mono); border: 1px solid var(--line); border-bottom-width: 2px;
  border-radius: var(--radius-tag); padding: 0 4px; color: var(--ink-3);
}
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 16px; top: 12px; background: var(--surface); padding: 8px 14px; z-index: 3; }
.bar {
  position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px;
  padding: 10px 24px; background: var(--surface); border-bottom: 1px solid var(--line);
}
.brand { display: flex; align-items: center; gap: 10px; font-weight: 600; color: var(--ink); text-decoration: none; }
.brand svg { width: 24px; height: 24px; }
.bar form { flex: 1 1 320px; display: flex; align-items: center; gap: 10px; max-width: 640px; }
.bar input {
  flex: 1; min-width: 0; height: 36px; padding: 0 10px; font: inherit; color: inherit; background: var(--bg);
  border: 1px solid var(--control); border-radius: var(--radius-button);
}
.bar input::placeholder { color: var(--ink-3); opacity: 1; }
#count { color: var(--ink-3); font-size: 13px; white-space: nowrap; font-variant-numeric: tabular-nums; }
.home { margin-left: auto; padding: 7px 0; }
`;

const READING = `
.page { display: grid; grid-template-columns: 264px minmax(0, 1fr); max-width: 1280px; margin: 0 auto; }
nav {
  position: sticky; top: 57px; height: calc(100vh - 57px); overflow-y: auto; padding: 20px 16px 40px 24px;
  border-right: 1px solid var(--line); font-size: 13px; line-height: 18px;
}
.group { margin-bottom: 16px; }
nav h2, nav summary { font-size: 13px; line-height: 24px; font-weight: 600; color: var(--ink-2); }
nav summary { cursor: pointer; }
nav li a { display: flex; gap: 8px; padding: 3px 0; color: var(--ink-2); text-decoration: none; font-family: var(--mono); font-size: 12px; }
nav li a:hover { color: var(--link); text-decoration: underline; }
nav .method { flex: none; width: 46px; }
.path { overflow-wrap: anywhere; }
main { padding: 28px 32px 96px; min-width: 0; }
h1 { font-size: 27px; line-height: 34px; font-weight: 600; letter-spacing: -0.015em; }
.lead { color: var(--ink-2); max-width: 74ch; }
h1 + .lead { margin-top: 6px; }
section { margin-top: 36px; }
section > h2 { font-size: 19px; line-height: 26px; font-weight: 600; margin-bottom: 12px; }
.guide ol { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; counter-reset: step; }
.guide li { counter-increment: step; }
.guide li > p { margin-bottom: 6px; }
.guide li > p::before { content: counter(step) ". "; font-weight: 600; }
article { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-box); padding: 18px 22px 22px; margin-bottom: 16px; }
h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 10px; font: 600 16px/24px var(--mono); overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; min-width: 0; }
h3 a:hover { text-decoration: underline; }
/* The page is a hundred screens long: only what is near the reader is laid out. */
.listed article { content-visibility: auto; contain-intrinsic-size: auto 800px; }
article:target { border-color: var(--control); }
.method { font: 600 12px/18px var(--mono); color: var(--ink-3); }
h3 .method { border: 1px solid var(--control); border-radius: var(--radius-tag); padding: 0 6px; color: var(--ink-2); }
.tag { font: 500 12px/18px var(--sans); color: var(--ink-3); border: 1px solid var(--line); border-radius: var(--radius-tag); padding: 0 6px; }
.summary { margin-top: 4px; }
article > .lead { margin-top: 6px; }
h4 { margin: 18px 0 6px; font-size: 13px; line-height: 18px; font-weight: 600; color: var(--ink-2); }
.facts { display: grid; grid-template-columns: 96px minmax(0, 1fr); gap: 3px 10px; margin-top: 12px; font-size: 14px; line-height: 20px; }
.facts dt { color: var(--ink-3); }
.facts dd { overflow-wrap: anywhere; }
.warn { margin-top: 10px; padding-left: 10px; border-left: 3px solid var(--control); }
.pair { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; margin-top: 16px; }
figure { border: 1px solid var(--line); border-radius: var(--radius); background: var(--sunken); min-width: 0; }
figcaption {
  display: flex; align-items: center; gap: 10px; min-height: 34px; padding: 0 6px 0 12px; color: var(--ink-3);
  font-size: 13px; line-height: 18px; border-bottom: 1px solid var(--line);
}
figcaption button {
  margin-left: auto; min-height: 26px; padding: 0 10px; font: inherit; color: var(--ink); background: var(--surface);
  border: 1px solid var(--control); border-radius: var(--radius-button); cursor: pointer;
}
pre { margin: 0; padding: 10px 12px; overflow: auto; max-height: 360px; font-size: 13px; line-height: 19px; tab-size: 2; }
pre code { font-size: inherit; overflow-wrap: normal; }
details { margin-top: 12px; }
details > summary { cursor: pointer; color: var(--ink-2); font-size: 14px; line-height: 24px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; line-height: 20px; }
th { font-weight: 500; font-size: 13px; color: var(--ink-3); text-align: left; border-bottom: 1px solid var(--line); padding: 5px 12px 5px 0; }
td { border-bottom: 1px solid var(--line); padding: 7px 12px 7px 0; vertical-align: top; overflow-wrap: anywhere; }
tr:last-child td { border-bottom: 0; }
td:first-child { width: 26%; }
td:nth-child(2) { width: 24%; }
.errors td:first-child { width: 56px; }
.errors td:nth-child(2) { width: auto; }
.need { color: var(--ink-3); font-size: 12px; white-space: nowrap; }
.more { color: var(--ink-3); }
.in1 { padding-left: 16px; } .in2 { padding-left: 32px; } .in3 { padding-left: 48px; }
`;

const NARROW = `
@media (max-width: 820px) {
  html { scroll-padding-top: 112px; }
  .bar { padding: 8px 16px; }
  .bar form { order: 1; flex-basis: 100%; max-width: none; }
  .bar kbd { display: none; }
  .page { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; height: auto; max-height: 30vh; padding: 12px 16px; border-right: 0; border-bottom: 1px solid var(--line); }
  nav li a { padding: 5px 0; }
  main { padding: 20px 16px 72px; }
  h1 { font-size: 21px; line-height: 28px; }
  article { padding: 14px 14px 16px; }
  .wide thead { display: none; }
  .wide tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--line); }
  .wide tr:last-child { border-bottom: 0; }
  .wide td { display: block; width: auto; padding: 0; border: 0; }
  .wide .in1 { padding-left: 12px; } .wide .in2 { padding-left: 24px; } .wide .in3 { padding-left: 36px; }
}
@media print { nav, .bar, figcaption button { display: none; } .page { display: block; } pre { max-height: none; } }
`;

const FALLBACKS = `
@font-face {
  font-family: "Atkinson Next fallback"; src: local("Arial"), local("Liberation Sans"), local("Helvetica Neue");
  size-adjust: 99.97%; ascent-override: 98.4%; descent-override: 31.6%; line-gap-override: 0%;
}
@font-face {
  font-family: "Atkinson Mono fallback"; src: local("Liberation Mono"), local("Courier New"), local("Menlo");
  size-adjust: 105.3%; ascent-override: 93.4%; descent-override: 30%; line-gap-override: 0%;
}
`;

/** Addresses of the dashboard's fonts on this host; empty where no dashboard is built. */
export type DocsFonts = { readonly sans?: string; readonly mono?: string };

const fontFace = (family: string, address: string | undefined): string =>
  address === undefined
    ? ''
    : `@font-face { font-family: "${family}"; src: url("${address}") format("woff2"); font-weight: 200 800; font-display: swap; }\n`;

export const docsStyle = ({ sans, mono }: DocsFonts): string =>
  [
    fontFace('Atkinson Hyperlegible Next', sans),
    fontFace('Atkinson Hyperlegible Mono', mono),
    FALLBACKS,
    DOCS_TOKENS,
    LAYOUT,
    READING,
    NARROW,
  ].join('');
