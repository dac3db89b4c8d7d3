import { expect, test } from 'vitest';
import { createContactSummaries } from '#capabilities/contacts/index.ts';
import type { Corpus, Listing } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK, type NetworkBook } from '#capabilities/enrichment/index.ts';
import { type Assessor, createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { registrySource } from '#test/registry.ts';
import { answerCsv, answerJson } from './answer-batch.ts';
import { BulkBody, BulkReply } from './contract.ts';
import { presentContactRow } from './present-contact-row.ts';
import { presentRow, refusedRow } from './present-row.ts';
import { createRowTemplates } from './row-template.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 12, 34, 56, 789);
const NOW_S = Math.floor(NOW_MS / 1_000);
const clock = { now: () => NOW_MS, monotonic: () => 0 };
const dated = { dataAtS: NOW_S - 3_600, lastFetchAtS: NOW_S - 3_600 };
const sources = [
  registrySource({ number: 1, category: 'phishing', categories: ['phishing'], ...dated }),
  registrySource({ number: 2, name: 'List "two" é', signal: 'scanner', reliability: 0.9, ...dated }),
  registrySource({
    number: 3,
    threatClass: 'infrastructure',
    attributes: ['cdn', 'cloud', 'odd-word'],
    ...dated,
  }),
];
const listed: Readonly<Record<string, readonly number[]>> = {
  '192.0.2.1': [1],
  '192.0.2.2': [1],
  'evil.example.com': [1, 2],
  'http://evil.example.com/': [1, 2],
  'cdn.example.com': [3],
  '45.155.205.9': [1],
  '45.155.205.10': [1],
  ['ab'.repeat(16)]: [2],
};

/** Two addresses with one verdict and different families. */
const FAMILIES: Readonly<Record<string, string>> = { '192.0.2.1': 'win.remcos', '192.0.2.2': '=cmd()' };

/** A single object, as in the replica while nothing changes, because verdicts are cached by its identity. */
const registry = { version: '00000000', sources };
const CORPUS: Corpus = {
  seq: () => 1,
  neighbourhood: () => {
    throw new Error('Not used in this test.');
  },
  accusedWithin: () => {
    throw new Error('Not used in this test.');
  },
  lookup: ({ value }) => ({
    seq: 1,
    registry,
    listings: (listed[value] ?? []).map(
      (number): Listing => ({
        source: sources[number - 1] as (typeof sources)[number],
        matchType: 'exact',
        matched: value,
        firstSeenS: NOW_S - 7_200,
        dating: 'own',
        lastSeenS: NOW_S - 3_600,
        confidence: -1,
        ...(FAMILIES[value] === undefined ? {} : { family: FAMILIES[value] }),
      }),
    ),
  }),
};
/** Two addresses with one verdict in different networks; one of them has no country. */
const BOOK: NetworkBook = {
  ...EMPTY_BOOK,
  networkOf: ({ value }) => ({
    asn: value === '192.0.2.1' ? 64_500 : 64_501,
    name: 'Net "one" é\u2028',
    prefix: null,
  }),
  countryOf: ({ value }) => (value === '45.155.205.9' ? 'NL' : null),
};
const contacts = createContactSummaries({ corpus: CORPUS, clock });
const newAssessor = (): Assessor =>
  createAssessor({
    corpus: CORPUS,
    misses: createMissCache(clock),
    clock,
    enrichment: { book: () => BOOK },
  });

const ENTITIES = [
  '192.0.2.1',
  '192.0.2.2',
  '45.155.205.9',
  '45.155.205.10',
  'http://45.155.205.9/a',
  'EVIL.example.com',
  'http://evil.example.com/',
  'hxxp://evil[.]example[.]com/?q="ü"&x=\u2028',
  'cdn.example.com',
  'ab'.repeat(16),
  'cd'.repeat(16),
  'someone@evil.example.com',
  '"quoted" \\ and \ud800 broken',
  '\u0000time\u0000 and \u0000entity\u0000',
  '+49 170 1234567',
];

test.each(['standard', 'basic'] as const)(
  'at %s the text of an answer is JSON.stringify of its rows, to the byte',
  async (enrichment) => {
    const assess = newAssessor();
    const deps = { clock, assess, contacts, templates: createRowTemplates() };
    const request = BulkBody.parse({ entities: ENTITIES, enrichment });
    const observedAt = new Date(NOW_MS).toISOString();
    const withEvidence = enrichment !== 'basic';
    const rows = request.batch().entries.map(({ entity, target }) => {
      if (!target.ok) return refusedRow(entity, target.type, target.reason);
      if ('phone' in target) {
        const summary = contacts.phone({ input: entity, reading: target.phone }, NOW_MS);
        return presentContactRow({ entity, type: 'phone', withEvidence }, summary);
      }
      const { indicator } = target;
      return indicator.kind === 'email'
        ? presentContactRow({ entity, type: 'email', withEvidence }, contacts.email(assess, indicator))
        : presentRow({ entity, type: indicator.kind, observedAt, withEvidence }, assess(indicator));
    });
    const expected = { success: true, total: 15, processed: 13, results: rows, processingTimeMs: 0 };
    // Two passes: in the second every text comes from the cache of the first.
    for (const pass of ['first', 'second'])
      expect(await answerJson(deps, request), pass).toBe(JSON.stringify(expected));
    expect(BulkReply.parse(expected)).toEqual(expected);
  },
);

test('rows of one verdict share its text only: entity, type and labels stay their own', async () => {
  const deps = { clock, assess: newAssessor(), contacts, templates: createRowTemplates() };
  const ask = async (...entities: string[]) =>
    BulkReply.parse(JSON.parse(await answerJson(deps, BulkBody.parse({ entities })))).results;
  expect(await ask('evil.example.com', 'http://evil.example.com/', '192.0.2.1', '192.0.2.2')).toMatchObject([
    { entity: 'evil.example.com', type: 'domain', sources: 2, isMalicious: true },
    { entity: 'http://evil.example.com/', type: 'url', sources: 2, isMalicious: true },
    { entity: '192.0.2.1', type: 'ip', sources: 1 },
    { entity: '192.0.2.2', type: 'ip', sources: 1 },
  ]);
  const [cdn] = await ask('cdn.example.com');
  expect(cdn?.infrastructure).toEqual({ attributes: ['cdn', 'cloud'] });
});

test('an address has its network and country, and whatever is listed its dates', async () => {
  const deps = { clock, assess: newAssessor(), contacts, templates: createRowTemplates() };
  const entities = [
    '45.155.205.9',
    '45.155.205.10',
    'http://45.155.205.9/a',
    '192.0.2.1',
    'evil.example.com',
  ];
  const { results } = BulkReply.parse(JSON.parse(await answerJson(deps, BulkBody.parse({ entities }))));
  const network = { asn: 64_501, asnName: 'Net "one" é\u2028' };
  const dates = { firstSeen: '2026-11-15T10:34:56.000Z' };
  expect(
    results.map(({ asn, asnName, countryCode, firstSeen, lastSeen }) =>
      JSON.parse(JSON.stringify({ asn, asnName, countryCode, firstSeen, lastSeen })),
    ),
  ).toEqual([
    { ...network, countryCode: 'NL', ...dates },
    { ...network, ...dates },
    { ...network, countryCode: 'NL' },
    // A reserved address has no network and no country, whatever the tables say.
    dates,
    dates,
  ]);
});

test('skipped entries are reported beside the rows', async () => {
  const deps = { clock, assess: newAssessor(), contacts, templates: createRowTemplates() };
  const request = BulkBody.parse({ entities: ['192.0.2.1', '192.0.2.1', 'x'] });
  expect(JSON.parse(await answerJson(deps, request))).toMatchObject({
    total: 3,
    processed: 1,
    results: [{}],
    errors: [expect.stringContaining('duplicate'), expect.stringContaining('three bytes')],
  });
});

test('CSV has the same rows', async () => {
  const deps = { clock, assess: newAssessor(), contacts, templates: createRowTemplates() };
  const request = BulkBody.parse({ entities: ENTITIES, format: 'csv' });
  const { results } = JSON.parse(await answerJson(deps, request)) as BulkReply;
  const lines = (await answerCsv(deps, request)).split('\r\n').slice(1, -1);
  expect(lines).toHaveLength(results.length);
  for (const [index, { entity, type }] of results.entries())
    if (!/[",]|^\+/.test(entity)) expect(lines[index]).toContain(`${entity},${type},`);
});
