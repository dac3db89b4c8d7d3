import { z } from 'zod';
import { defang, parseIndicator } from '#domain/indicator/index.ts';
import { LADDER, WORD_EXCEPTIONS } from '#domain/scoring/index.ts';
import { inertText } from '#domain/text/inert-text.ts';
import { escapeHtml } from '#platform/escape-html.ts';
import type { Report } from './contract.ts';
import { presentReport } from './keep-reports.ts';
import type { ReportRow } from './store.ts';

const Readable = z.object({
  evidence: z
    .object({
      reasons: z.array(z.string()).catch([]),
      recommendedAction: z.string().nullable().catch(null),
      freshness: z.string().nullable().catch(null),
    })
    .nullish()
    .catch(null),
  sources: z
    .array(
      z.object({
        name: z.string().catch('?'),
        category: z.string().catch(''),
        threatClass: z.string().catch(''),
      }),
    )
    .catch([]),
});

const REASONS_MAX = 50;
const SOURCES_MAX = 200;
const TEXT_MAX = 2_000;
/** The most characters of an indented result: twice the largest result (256 KiB). */
const INDENTED_MAX = 524_288;
/** A result must not run markup on the page or change the text direction around it. */
const inert = (value: unknown): string => escapeHtml(inertText(value, TEXT_MAX) ?? '');

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin-top:2rem;border-top:1px solid #ccd1d7;padding-top:1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:start;padding:.25rem .75rem .25rem 0;vertical-align:top;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem;background:#f3f5f7;padding:1rem}small{color:#57606a}`;

/** The verdicts of results without a word. None may call an unknown result harmless. */
const WORDS: Readonly<Record<Report['verdict'], string>> = {
  safe: `${LADDER.knownGood.word} by what was known then`,
  low: LADDER.lowSuspicion.word,
  medium: LADDER.suspicious.word,
  high: LADDER.highRisk.word,
  critical: LADDER.criticalRisk.word,
  inconclusive: 'Inconclusive: too little is known, which is not a clean verdict',
  malicious: LADDER.malicious.word,
  unknown: 'No verdict was reached, which is not a clean one',
};
const ROWS: readonly { readonly word: string; readonly levels: readonly string[] }[] = Object.values(LADDER);
const EXCEPTIONS: ReadonlySet<string> = new Set(WORD_EXCEPTIONS.map(({ row }) => row.word));
const ACCUSING: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'critical']);

/**
 * The word of the saved result, where it accuses or is an exception. The caller sent word, level and field, so the word
 * counts only where the ladder has it at that level, and "Malicious" only beside the field.
 */
function wordOf({ verdict, word, result }: Report): string {
  const row = ROWS.find((each) => each.word === word && each.levels.includes(verdict));
  if (row !== undefined && EXCEPTIONS.has(row.word)) return row.word;
  if (!ACCUSING.has(verdict)) return WORDS[verdict];
  if (result.malicious === true) return LADDER.malicious.word;
  return row === undefined || row.word === LADDER.malicious.word ? WORDS[verdict] : row.word;
}

/** A self-contained page, in pieces: no script, nothing loaded, everything escaped, the indicator defanged. */
export function* presentHtml(
  entity: { readonly entityType: string; readonly entityValue: string },
  rows: readonly ReportRow[],
  nowMs: number,
): Generator<string> {
  const name = inert(defanged(entity.entityValue));
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${inert(entity.entityType)}: ${name}</h1>
<p><small>${rows.length} saved ${rows.length === 1 ? 'report' : 'reports'}, newest first. Exported ${new Date(nowMs).toISOString()}.</small></p>
`;
  for (const row of rows) yield presentSection(presentReport(row));
  yield '</body>\n</html>\n';
}

function presentSection(report: Report): string {
  const read = Readable.catch({ sources: [], evidence: null }).parse(report.result);
  // Hides the score of a result without a verdict, because readers would take the number for one.
  const score =
    report.riskScore === null || report.verdict === 'unknown' ? '' : ` (${report.riskScore} of 100)`;
  const facts: readonly (readonly [string, string])[] = [
    ['Verdict', `${wordOf(report)}${score}`],
    ['Recommended', inert(read.evidence?.recommendedAction)],
    ['Data was', inert(read.evidence?.freshness)],
    ['Note', inert(report.note)],
    ['Tags', report.tags.map(inert).join(', ')],
    ['Saved by', inert(report.userId)],
  ];
  return `<section>
<h2>${report.createdAt} <small>${inert(report.id)}</small></h2>
<table>${facts
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `<tr><th scope="row">${label}</th><td>${value}</td></tr>`)
    .join('')}</table>
${listOf((read.evidence?.reasons ?? []).slice(0, REASONS_MAX))}
${tableOf(read.sources.slice(0, SOURCES_MAX))}
<details><summary>The whole result</summary><pre>${escapeHtml(visibleJson(report.result))}</pre></details>
</section>
`;
}

const listOf = (reasons: readonly string[]): string =>
  reasons.length === 0
    ? ''
    : `<h3>Why</h3><ul>${reasons.map((each) => `<li>${inert(each)}</li>`).join('')}</ul>`;

function tableOf(
  sources: readonly { readonly name: string; readonly category: string; readonly threatClass: string }[],
): string {
  if (sources.length === 0) return '';
  const rows = sources.map(
    ({ name, category, threatClass }) =>
      `<tr><td>${inert(name)}</td><td>${inert(category)}</td><td>${inert(threatClass)}</td></tr>`,
  );
  return `<h3>Sources</h3><table><tr><th scope="col">Source</th><th scope="col">Category</th><th scope="col">Class</th></tr>${rows.join('')}</table>`;
}

/** Invisible characters and those that change the text direction are shown as JSON escapes. */
const visibleJson = (value: unknown): string =>
  readableJson(value).replaceAll(
    /[\p{Cf}\u0080-\u009f\u2028\u2029]/gu,
    (char) => `\\u${char.codePointAt(0)?.toString(16).padStart(4, '0') ?? ''}`,
  );

/** Indented, except when a result of many small values would become many times larger. */
function readableJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.length > INDENTED_MAX ? JSON.stringify(value) : text;
}

function defanged(value: string): string {
  const parsed = parseIndicator(value);
  return parsed.ok ? defang(parsed.indicator) : value;
}
