import { expect, test } from 'vitest';
import { presentHtml } from './present-html.ts';
import type { ReportRow } from './store.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const ENTITY = { entityType: 'ip', entityValue: '192.0.2.1' } as const;

function verdictIn(verdict: ReportRow['verdict'], word: string | null, malicious: boolean): string {
  const row: ReportRow = {
    ...ENTITY,
    id: 'rpt_1',
    userId: 'usr_1',
    organizationId: null,
    verdict,
    riskScore: null,
    riskLevel: null,
    word,
    note: null,
    tags: [],
    origin: 'client',
    createdAtMs: NOW_MS,
    result: JSON.stringify({ malicious }),
  };
  const page = [...presentHtml(ENTITY, [row], NOW_MS)].join('');
  return /<th scope="row">Verdict<\/th><td>([^<]*)<\/td>/.exec(page)?.[1] ?? '';
}

test.each<[ReportRow['verdict'], string | null, boolean, string]>([
  ['high', 'Malicious', true, 'Malicious'],
  ['critical', 'Malicious', false, 'Critical risk'],
  ['critical', 'Critical risk', false, 'Critical risk'],
  ['critical', null, true, 'Malicious'],
  ['critical', 'Known good', false, 'Critical risk'],
  ['low', 'Reported', false, 'Reported'],
  ['low', 'Reported long ago', false, 'Reported long ago'],
  ['low', 'Low risk', false, 'Low suspicion'],
  ['low', null, false, 'Low suspicion'],
  ['high', 'Test file', true, 'Test file'],
  ['medium', 'Vulnerable driver', false, 'Vulnerable driver'],
  ['safe', 'Reserved address', false, 'Reserved address'],
  ['safe', 'Popular site', false, 'Known good by what was known then'],
  ['malicious', null, true, 'Malicious'],
])('a saved result of verdict %s with the word %s and malicious %s is called %s (O59)', (...given) => {
  const [verdict, word, malicious, said] = given;
  expect(verdictIn(verdict, word, malicious)).toBe(said);
});
