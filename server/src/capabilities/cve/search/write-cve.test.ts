import { expect, test } from 'vitest';
import { mergeCve, type ToldCve } from '#domain/cve/index.ts';
import { row } from '#domain/cve/told.fixture.ts';
import { Cve } from '../contract.ts';
import { writeCve } from './write-cve.ts';

const HOSTILE =
  'It says "assigner":"nvd", and "epssScore":null,"epssPercentile":null,"epssPercent":null and "epssScore":"epss" and {}}';
const score = {
  assigner: 'cisa-adp',
  source: 'CISA-ADP',
  version: '3.1',
  score: 9.8,
  severity: 'CRITICAL',
  vector: null,
} as const;
const scored = row('epss', { epss: { score: 0.00001, percentile: 0.2, date: null } });
const change = { at: '2026-05-08T00:00:00.000Z', field: 'isKev', from: false, to: true } as const;

/** The expected answer, made from the parsed record. */
function answerOf(record: ReturnType<typeof mergeCve>, epss: number | null, percentile: number | null) {
  const { epssScore: _, ...provenance } = record.provenance;
  return {
    ...record,
    scores: record.scores.map(({ assigner: __, ...shown }) => shown),
    epssScore: epss,
    epssPercentile: percentile,
    epssPercent: epss === null ? null : Math.round(epss * 10_000) / 100,
    provenance: epss === null ? provenance : { ...provenance, epssScore: 'epss' },
    changes: [change],
  };
}

test.each<{ name: string; rows: readonly ToldCve[]; epss: number | null }>([
  {
    name: 'a record with scores, EPSS of its merge and other EPSS today',
    rows: [row('cna', { description: HOSTILE, scores: [score] }), scored],
    epss: 0.97,
  },
  { name: 'a record that EPSS alone names', rows: [scored], epss: 0.00001 },
  { name: 'a record whose EPSS went away', rows: [row('cna', { title: HOSTILE }), scored], epss: null },
  { name: 'a record that EPSS alone named', rows: [scored], epss: null },
  { name: 'a record that no source says anything of', rows: [row('cna')], epss: 0.5 },
])('$name is written as it would be made of its fields', ({ rows, epss }) => {
  const record = mergeCve('CVE-2030-0001', rows, { isKevLoaded: true });
  const percentile = epss === null ? null : 0.4;
  const text = writeCve({
    record: JSON.stringify(record),
    changes: JSON.stringify([change]),
    epss,
    percentile,
  });
  const answer = JSON.parse(text);
  expect(answer).toEqual(answerOf(record, epss, percentile));
  expect(Cve.strict().safeParse(answer).success).toBe(true);
});
