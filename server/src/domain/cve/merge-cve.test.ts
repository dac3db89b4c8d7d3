import { describe, expect, test } from 'vitest';
import { appendChanges, changesBetween } from './cve-changes.ts';
import { baseScore, scoreOf, severityOf } from './cvss.ts';
import { mergeCve } from './merge-cve.ts';
import { linkVotes, productKey, settleLinks } from './product-names.ts';
import { affected, row } from './told.fixture.ts';
import type { CvssVersion, ScoreAssigner, ToldKev, ToldScore } from './told.ts';

const score = (assigner: ScoreAssigner, version: CvssVersion | null, value: number): ToldScore => ({
  assigner,
  source: assigner,
  version,
  score: value,
  severity: severityOf(version, value),
  vector: null,
});
const KEV: ToldKev = {
  dateAdded: '2030-01-02',
  dueDate: '2030-01-23',
  requiredAction: 'Update.',
  ransomwareUse: 'Known',
  shortDescription: 'A flaw.',
  vendor: 'Acme',
  product: 'Tool',
};
const merge = (rows: Parameters<typeof mergeCve>[1], isKevLoaded = true) =>
  mergeCve('CVE-2030-0001', rows, { isKevLoaded });

describe('the merged record of a CVE', () => {
  test('the version of CVSS decides before the assigner, and losing scores stay visible', () => {
    const record = merge([
      row('nvd', { scores: [score('nvd', '2.0', 10), score('cna', '3.0', 5)] }),
      row('cna', { scores: [score('cna', '4.0', 9.3), score('cna', '3.1', 6.5)] }),
      row('cisa-adp', { scores: [score('cisa-adp', '3.1', 9.8)] }),
    ]);
    expect(record).toMatchObject({ cvssScore: 6.5, cvssVersion: '3.1', severity: 'MEDIUM' });
    expect(record.scores.map(({ version, assigner }) => `${version} ${assigner}`)).toEqual([
      '3.1 cna',
      '3.1 cisa-adp',
      '4.0 cna',
      '3.0 cna',
      '2.0 nvd',
    ]);
    expect(record.provenance.cvssScore).toBe('cna');
  });

  test('inside a version NVD comes first, then the CNA, then CISA, then others', () => {
    const scores = (['other', 'cisa-adp', 'cna', 'nvd'] as const).map((by) => score(by, '3.1', 5));
    expect(merge([row('nvd', { scores })]).scores.map(({ assigner }) => assigner)).toEqual([
      'nvd',
      'cna',
      'cisa-adp',
      'other',
    ]);
  });

  test('without any score the severity is UNKNOWN, and a score without a version is the last resort', () => {
    expect(merge([row('cna')])).toMatchObject({ severity: 'UNKNOWN', cvssScore: null, cvssVersion: null });
    const numbers = row('nuclei', { scores: scoreOf(9.8, null, { assigner: 'other', source: 'nuclei' }) });
    expect(merge([numbers])).toMatchObject({ severity: 'CRITICAL', cvssScore: 9.8, cvssVersion: null });
    // A field without a value has no source.
    expect(merge([numbers]).provenance).toEqual({ severity: 'nuclei', cvssScore: 'nuclei' });
    expect(merge([numbers, row('nvd', { scores: [score('nvd', '2.0', 4)] })]).cvssScore).toBe(4);
  });

  test('a score that NVD repeats is listed once', () => {
    const rows = [
      row('cna', { scores: [{ ...score('cna', '3.1', 6.5), source: 'acme' }] }),
      row('nvd', { scores: [{ ...score('cna', '3.1', 6.5), source: 'security@acme.example' }] }),
    ];
    expect(merge(rows).scores).toHaveLength(1);
  });

  test('an entry that CISA removes from the catalogue leaves, whatever the ADP still says', () => {
    const adp = row('cisa-adp', { kev: { ...KEV, dueDate: null } });
    const listed = merge([adp, row('kev', { kev: KEV })]);
    expect(listed).toMatchObject({
      isKev: true,
      kev: { listed: true, dueDate: '2030-01-23', ransomwareUse: 'Known' },
    });
    expect(merge([adp])).toMatchObject({ isKev: false, kev: null });
    expect(merge([adp], false)).toMatchObject({ isKev: true, kev: { dueDate: null } });
  });

  test('the CNA decides about a rejection, and its fields come before those of others', () => {
    const record = merge([
      row('nvd', { state: 'PUBLISHED', title: 'by NVD', modified: '2030-03-01T00:00:00.000Z' }),
      row('cna', { state: 'REJECTED', title: 'by the CNA', modified: '2030-02-01T00:00:00.000Z' }),
    ]);
    expect(record).toMatchObject({
      state: 'REJECTED',
      title: 'by the CNA',
      lastModified: '2030-03-01T00:00:00.000Z',
    });
    expect(record.provenance).toMatchObject({ state: 'cna', title: 'cna', lastModified: 'nvd' });
  });

  test('the same rows in another order make the same record', () => {
    const rows = [
      row('osv', { document: 'GHSA-b', aliases: ['GHSA-b'], packages: [] }),
      row('osv', { document: 'GHSA-a', description: 'First sentence. Second.' }),
      row('exploitdb', { exploits: [{ kind: 'exploitdb', id: '7', title: null }] }),
      row('nuclei', { exploits: [{ kind: 'nuclei', id: 'a.yaml', title: null }] }),
    ];
    expect(merge(rows)).toEqual(merge(rows.toReversed()));
    expect(merge(rows)).toMatchObject({
      title: 'First sentence.',
      ghsaIds: ['GHSA-a', 'GHSA-b'],
      exploitdbIds: ['7'],
      hasNucleiTemplate: true,
    });
  });

  test('vendors and products come from vulnerable CPEs and from the CNA, never from what surrounds a flaw', () => {
    const match = { startIncluding: null, startExcluding: null, endIncluding: null, endExcluding: null };
    const nvd = row('nvd', {
      configurations: [
        {
          operator: 'AND',
          negate: false,
          nodes: [
            {
              operator: 'OR',
              negate: false,
              matches: [{ ...match, vulnerable: true, criteria: 'cpe:2.3:a:acme:tool:*' }],
            },
            {
              operator: 'OR',
              negate: false,
              matches: [{ ...match, vulnerable: false, criteria: 'cpe:2.3:o:microsoft:windows:-' }],
            },
          ],
        },
      ],
    });
    const record = merge([
      nvd,
      row('cna', { affected: [affected('Acme Inc.', 'Acme Tool')] }),
      row('kev', { kev: KEV }),
    ]);
    expect(record.vendors).toEqual(['acme', 'Acme Inc.']);
    expect(record.products).toEqual(['tool', 'Acme Tool']);
    expect(record.cpes).toEqual(['cpe:2.3:a:acme:tool:*']);
  });
});

describe('names of one product', () => {
  const adp = (cpe: string) =>
    row('cisa-adp', { affected: [affected('x', 'y', { cpes: [cpe], vendor: null })] });
  const cna = (vendor: string, product: string) => row('cna', { affected: [affected(vendor, product)] });
  const zeppelin = productKey({ vendor: 'Apache Software Foundation', product: 'Apache Zeppelin' });

  test('are linked where records name exactly one on both sides', () => {
    const votes = linkVotes([
      cna('Apache Software Foundation', 'Apache Zeppelin'),
      adp('cpe:2.3:a:apache:zeppelin:0.9.0'),
    ]);
    expect(settleLinks(votes).get(productKey({ vendor: 'apache', product: 'zeppelin' }))).toEqual([zeppelin]);
  });

  test('are not linked where one of them has two partners, or a record names two', () => {
    const votes = [
      ...linkVotes([cna('honojs', 'hono'), adp('cpe:2.3:a:hono:hono:*')]),
      ...linkVotes([cna('honojs', 'hono'), adp('cpe:2.3:a:eclipse:hono:*')]),
      ...linkVotes([
        row('cna', { affected: [affected('a', 'b'), affected('a', 'c')] }),
        adp('cpe:2.3:a:d:e:*'),
      ]),
    ];
    expect(settleLinks(votes).size).toBe(0);
  });
});

describe('changes of a CVE', () => {
  const before = merge([row('epss', { epss: { score: 0.09, percentile: null, date: null } })]);

  test('are severity, score, KEV, exploitation and steps of EPSS across .1 and .5', () => {
    const after = merge([
      row('kev', { kev: KEV, scores: [score('nvd', '3.1', 9.8)] }),
      row('cisa-adp', {
        ssvc: { exploitation: 'active', automatable: null, technicalImpact: null, date: null },
      }),
      row('epss', { epss: { score: 0.1, percentile: null, date: null } }),
    ]);
    expect(changesBetween(before, after, 'now').map(({ field, from, to }) => [field, from, to])).toEqual([
      ['severity', 'UNKNOWN', 'CRITICAL'],
      ['cvssScore', null, 9.8],
      ['isKev', false, true],
      ['ssvcExploitation', null, 'active'],
      ['epssScore', 0.09, 0.1],
    ]);
  });

  test('are none for a small step of EPSS, nor for a CVE that was not known', () => {
    const after = merge([row('epss', { epss: { score: 0.05, percentile: null, date: null } })]);
    expect(changesBetween(before, after, 'now')).toEqual([]);
    expect(changesBetween(null, after, 'now')).toEqual([]);
  });

  test('of one CVE are kept up to 50, the newest last', () => {
    const change = (at: number) => ({ at: String(at), field: 'severity', from: null, to: null }) as const;
    const kept = appendChanges(
      Array.from({ length: 50 }, (_, at) => change(at)),
      [change(50)],
    );
    expect([kept.length, kept[0]?.at, kept.at(-1)?.at]).toEqual([50, '1', '50']);
  });
});

test('base scores follow from vectors of version 2 and 3', () => {
  expect(baseScore('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')).toBe(9.8);
  expect(baseScore('CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N')).toBe(6.1);
  expect(baseScore('CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H')).toBe(7.8);
  expect(baseScore('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N')).toBe(0);
  expect(baseScore('AV:N/AC:L/Au:N/C:P/I:P/A:P')).toBe(7.5);
  expect(baseScore('CVSS:3.1/AV:X')).toBeNull();
  expect(baseScore('CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N')).toBeNull();
  expect([severityOf('2.0', 10), severityOf('3.1', 0), severityOf('4.0', 9)]).toEqual([
    'HIGH',
    'NONE',
    'CRITICAL',
  ]);
});
