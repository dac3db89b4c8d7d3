import { hash } from 'node:crypto';
import type { CheckResult } from '#capabilities/check/index.ts';
import { escapeHtml as text } from '#platform/escape-html.ts';
import { ACTIONS, composeReasons, headlineOf } from './compose-text.ts';

const STYLE = `
:root { color-scheme: light dark; --paper: #faf9f6; --ink: #1a1d21; --soft: #626a73; --line: #85898d; }
@media (prefers-color-scheme: dark) { :root { --paper: #101317; --ink: #eceef0; --soft: #929aa3; --line: #6b747e; } }
body { margin: 0 auto; max-width: 68ch; padding: 20px 16px 56px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.3; border-top: 2px solid var(--ink); padding-top: 12px; }
form { display: flex; gap: 8px; margin-bottom: 28px; }
input { flex: 1; min-width: 0; }
input, button { font: inherit; color: inherit; background: none; padding: 8px 12px; border: 1px solid var(--line); border-radius: 5px; }
a { color: inherit; }
.soft { color: var(--soft); }`;

/** Content-Security-Policy that allows only this page's own style sheet and a form to this service. */
export const PLAIN_CSP = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The verdict of a check on one page without scripts. Everything in it may be a stranger's text, so all of it is escaped. */
export function renderPlain(result: CheckResult): string {
  const { query = '', evidence, riskScore } = result;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(query)} · Assay</title>
<style>${STYLE}</style>
</head>
<body>
<form method="get">
<input name="query" aria-label="Indicator to check" value="${text(query)}" autocapitalize="off" spellcheck="false">
<button>Check</button>
</form>
<main>
<h1>${text(headlineOf(evidence?.verdict ?? 'unknown', query, riskScore))}</h1>
<p><b>Do:</b> ${text(ACTIONS[evidence?.recommendedAction ?? 'unverified'])}</p>
<p>${text(composeReasons(result))}</p>
<p class="soft">The same answer with its score, sources and history: <a href="/app/">the dashboard</a>.</p>
</main>
</body>
</html>
`;
}
