import type { Report } from './run-check.ts';

/** The report for people: broken clauses, notes on harmless differences, and a table of the collections. */
export function renderReport(report: Report): string {
  const { violations, notes, collections, replays } = report;
  const lines: string[] = [];
  for (const { clause, standard, section, words, count, request, example } of violations)
    lines.push(
      `VIOLATION  ${clause} (${standard} section ${section}), ${count} times`,
      ...shown(words, request, example),
    );
  for (const { note, words, count, request, example } of notes)
    lines.push(`note       ${note}, ${count} times`, ...shown(words, request, example));
  lines.push('collection                       objects  pages  walked');
  for (const { root, id, objects, pages, complete, types } of collections)
    lines.push(
      `${`${root}${id}`.padEnd(32)} ${String(objects).padStart(7)} ${String(pages).padStart(6)}  ` +
        `${complete ? 'whole' : 'in part'}  ${Object.entries(types)
          .map(([type, n]) => `${n} ${type}`)
          .join(', ')}`,
    );
  if (replays.length > 0) lines.push('', 'client');
  for (const { title, failed, learnt } of replays)
    lines.push(`${failed ? 'FAILS' : 'reads'}  ${title} (${learnt})`);
  lines.push('', `${report.requests} requests, ${violations.length} clauses broken, ${notes.length} notes`);
  return `${lines.join('\n')}\n`;
}

const shown = (words: string, request: string, example: string): readonly string[] => [
  `  ${words}`,
  `  request  ${request}`,
  `  example  ${example}`,
  '',
];
