import type { AutonomousSystem, FamilyPage, RangePage, SourceFacts } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import {
  asnOf,
  asnSentence,
  countSentence,
  dateSentence,
  emptyWords,
  familySentence,
  freshnessSentence,
  levelParts,
  levelSentence,
  listedAsnSentence,
  rangeSentence,
  shareBars,
  sourceSentence,
  withheldWords,
} from './context-words.ts';
import { counts } from './member.fixture.ts';

describe('the number of a network', () => {
  test.each([
    ['13335', 13_335],
    ['AS13335', 13_335],
    ['as 13335', 13_335],
    ['ASN64500', 64_500],
    ['4294967295', 4_294_967_295],
  ])('%s is read', (text, asn) => {
    expect(asnOf(text)).toBe(asn);
  });
  test.each(['', 'AS', '0', '4294967296', '13335x', 'cloudflare', '-1'])('%j is none', (text) => {
    expect(asnOf(text)).toBeNull();
  });
});

describe('what is counted', () => {
  test('levels are in the words of the ladder, worst first, and no faded report is called unknown or safe', () => {
    const parts = levelParts(counts());
    expect(parts.map(({ word, count }) => `${word} ${count}`)).toEqual([
      'Malicious 2',
      'Critical risk 1',
      'Suspicious 4',
      'Reported 1',
      'Under 10 points 4',
    ]);
    expect(levelSentence(parts)).toBe(
      'Listed values by level: Malicious 2, Critical risk 1, Suspicious 4, Reported 1, Under 10 points 4.',
    );
  });

  test('categories have their share of what was judged', () => {
    expect(shareBars(counts().byCategory, 12, 1)).toEqual([
      { id: 'c2', label: 'c2', count: 7, share: '58.3 %' },
    ]);
  });

  test.each([
    [counts(), '12 values are listed in this range.'],
    [counts({ listed: 1, examined: 1 }), '1 value is listed in this range.'],
    [counts({ listed: 0, examined: 0 }), 'Nothing is listed in this range.'],
    [
      counts({ listed: 350_000, examined: 2_000, isPartial: true }),
      '350,000 values are listed in this range. The newest 2,000 were judged; the numbers and the list below are of these.',
    ],
    [
      counts({ listed: 2_000, examined: 2_000, isPartial: true }),
      'At least 2,000 values are listed in this range. The newest 2,000 were judged; the numbers and the list below are of these.',
    ],
  ])('a count says how much of it was judged', (given, sentence) => {
    expect(countSentence('range', given)).toBe(sentence);
  });

  test('an empty page says why, and never that nothing is wrong', () => {
    expect(emptyWords('network', counts({ listed: 0 }))).toContain('not a clean bill');
    expect(emptyWords('source', counts({ listed: 4, withheld: 4 }))).toContain('licence');
    expect(withheldWords(counts())).toBeNull();
    expect(withheldWords(counts({ withheld: 1 }))).toBe(
      '1 entry is only counted, because a licence does not allow to pass it on.',
    );
  });

  test.each([
    [{ earliest: null, latest: null, undated: 0 }, null],
    [{ earliest: null, latest: null, undated: 1 }, '1 entry has no date of its own.'],
    [
      { earliest: '2026-11-02T00:00:00Z', latest: '2026-11-02T09:00:00Z', undated: 0 },
      'Reported or first listed on 2026-11-02.',
    ],
    [
      counts().dates,
      'Reported or first listed from 2026-10-01 to 2026-11-14. 2 entries have no date of their own.',
    ],
  ])('dates are those of the entries (O55)', (dates, sentence) => {
    expect(dateSentence(counts({ dates }))).toBe(sentence);
  });
});

describe('what the page is about', () => {
  const source = (changes: Partial<SourceFacts> = {}): SourceFacts => ({
    id: 'threatfox',
    name: 'ThreatFox',
    type: 'mixed',
    category: 'malware',
    categories: ['malware'],
    threatClass: 'threat',
    fpRisk: 'low',
    status: 'verified',
    confidenceBase: 90,
    retentionDays: 30,
    tags: [],
    entityTypes: ['ip'],
    format: 'csv',
    letter: 'A',
    freshness: 'fresh',
    dataAt: '2026-11-15T00:00:00Z',
    entries: 12,
    licence: 'CC0-1.0',
    attribution: null,
    redistributable: true,
    ...changes,
  });

  test('a source: its kind, grade, licence and the date of its data', () => {
    expect(sourceSentence(source())).toBe(
      'ThreatFox is a list of threats (malware), graded A with a reliability of 90 of 100. Licence: CC0-1.0.',
    );
    expect(sourceSentence(source({ licence: null }))).toContain('Its licence is not known.');
    expect(freshnessSentence(source())).toBe(
      '12 entries, still listed on 2026-11-15. Its data came on time.',
    );
    expect(freshnessSentence(source({ freshness: 'stale' }))).toContain('older than it promises');
    expect(freshnessSentence(source({ dataAt: null }))).toBe('Nothing of it has been loaded yet.');
  });

  test('a family: its other spellings, each once', () => {
    const page = { family: 'Emotet', words: ['Emotet', 'heodo', 'heodo', 'win.emotet'], sources: [{}, {}] };
    expect(familySentence(page as unknown as FamilyPage)).toBe(
      'Emotet is the name of a malware family or tool that 2 sources use. Also written heodo, win.emotet.',
    );
  });

  const system = (changes: object = {}): AutonomousSystem =>
    ({
      asn: 13_335,
      asName: 'CLOUDFLARENET',
      country: 'US',
      registry: null,
      type: 'hosting',
      listed: false,
      list: null,
      updatedAt: '2026-11-01T00:00:00Z',
      members: { announced: 1 },
      loaded: true,
      ...changes,
    }) as AutonomousSystem;

  test('a network: whose, where, and how many ranges the table has', () => {
    expect(asnSentence(system())).toBe(
      'AS13335 is a hosting network, CLOUDFLARENET, US. It announces 1 range, in the table of 2026-11-01.',
    );
    expect(asnSentence(system({ asName: null, country: null, type: 'unknown' }))).toContain(
      'an autonomous system without a name in the table of networks.',
    );
    const message = 'No table of networks is loaded on this service.';
    expect(asnSentence(system({ loaded: false, message, asName: null, updatedAt: null }))).toBe(
      `AS13335. ${message}`,
    );
    expect(listedAsnSentence(system())).toBeNull();
    expect(listedAsnSentence(system({ listed: true, list: 'asn-drop' }))).toContain('(asn-drop)');
  });

  test('a range: how much of it is listed, in its own unit', () => {
    const page = (density: object, changes: object = {}) =>
      ({
        cidr: '45.83.64.0/24',
        density,
        networks: [{}],
        labels: ['cloud'],
        ...changes,
      }) as unknown as RangePage;
    expect(rangeSentence(page({ unit: 'address', total: 256, listed: 1 }))).toBe(
      '45.83.64.0/24 holds 256 addresses; 1 of them is named by a threat list now. Lists call it cloud.',
    );
    expect(rangeSentence(page({ unit: '/64', total: 65_536, listed: 2 }, { networks: [], labels: [] }))).toBe(
      '45.83.64.0/24 holds 65,536 blocks of /64; 2 of these blocks hold an address that a threat list names now. No loaded table says who announces it.',
    );
  });
});
