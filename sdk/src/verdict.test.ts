import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enumOf } from '../test/described-enums.ts';
import type { BulkRow, CheckResult } from './generated/schemas.ts';
import { type StreamState, type Verdict, verdictOf, verdictOfRow } from './verdict.ts';

const LEVELS = enumOf('RiskScore', 'level');
const VERDICTS = enumOf('Evidence', 'verdict');
const ACTIONS = enumOf('Evidence', 'recommendedAction');
const STATUSES = enumOf('CheckResult', 'lookupStatus');
const CLASSES = enumOf('SourceEntry', 'threatClass');

const GOOD = new Set(['Known good', 'No threats found']);

type Said = {
  readonly malicious?: boolean;
  readonly level?: string | undefined;
  readonly verdict?: string | undefined;
  readonly action?: string | undefined;
  readonly lookupStatus?: string | undefined;
  readonly attributes?: readonly string[] | undefined;
  readonly classes?: readonly string[] | undefined;
  readonly knownGood?: true | undefined;
  readonly hits?: number | undefined;
};

const checkOf = (said: Said): CheckResult =>
  ({
    malicious: said.malicious ?? false,
    blocklistHits: said.hits ?? 0,
    ...(said.level !== undefined && { riskScore: { score: 0, level: said.level } }),
    evidence:
      said.verdict === undefined
        ? null
        : { verdict: said.verdict, recommendedAction: said.action ?? 'review' },
    lookupStatus: said.lookupStatus,
    ...(said.attributes !== undefined && { infrastructure: { attributes: said.attributes, sources: [] } }),
    sources: (said.classes ?? []).map((threatClass) => ({ threatClass })),
    knownGood: said.knownGood,
    apiVersion: 'v2',
    enrichmentLevel: 'standard',
  }) as unknown as CheckResult;

const rowOf = (said: Said, error: string | null = null): BulkRow =>
  ({
    entity: 'x',
    type: 'domain',
    isMalicious: said.malicious ?? false,
    sources: said.hits ?? 0,
    categories: [],
    riskLevel: said.level,
    recommendedAction: said.action,
    evidence: said.verdict === undefined ? null : { verdict: said.verdict, recommendedAction: said.action },
    ...(said.attributes !== undefined && { infrastructure: { attributes: said.attributes } }),
    lookupStatus: said.lookupStatus,
    error,
  }) as unknown as BulkRow;

const streamOf = (said: Said, verdictIn: 'first' | 'insights'): StreamState => {
  const { riskScore, evidence, ...reputation } = checkOf(said);
  const judged = { riskScore, evidence };
  return verdictIn === 'first'
    ? { reputation: { ...reputation, verdict: judged } }
    : { reputation, insights: judged };
};

describe('the word of a verdict', () => {
  const cases: readonly (readonly [string, Said, string, string, string])[] = [
    [
      'a scanner says so',
      { malicious: true, level: 'medium', verdict: 'medium' },
      'malicious',
      'Malicious',
      'malicious',
    ],
    [
      'a scanner calls a vouched-for name malicious',
      { malicious: true, level: 'safe', verdict: 'safe', attributes: ['allowlist'] },
      'malicious',
      'Malicious',
      'malicious',
    ],
    ['level critical', { level: 'critical', verdict: 'critical' }, 'high-risk', 'High risk', 'suspicious'],
    ['level high', { level: 'high', verdict: 'high' }, 'high-risk', 'High risk', 'suspicious'],
    ['level medium', { level: 'medium', verdict: 'medium' }, 'suspicious', 'Suspicious', 'suspicious'],
    ['level low', { level: 'low', verdict: 'low' }, 'low-risk', 'Low risk', 'suspicious'],
    [
      'a popular name',
      { level: 'safe', verdict: 'safe', action: 'allow', attributes: ['allowlist'], classes: ['allowlist'] },
      'known-good',
      'Known good',
      'good',
    ],
    [
      'a file that is known to be good',
      { level: 'safe', verdict: 'safe', knownGood: true, lookupStatus: 'known' },
      'known-good',
      'Known good',
      'good',
    ],
    [
      'safe, without a vouching source in the answer',
      { level: 'safe', verdict: 'safe', classes: ['infrastructure'] },
      'no-threats-found',
      'No threats found',
      'neutral',
    ],
    [
      'safe and listed, without a vouching source in the answer',
      { level: 'safe', verdict: 'safe', hits: 1 },
      'unknown',
      'Unknown',
      'unknown',
    ],
    [
      'a name that no source lists: its level is safe, its evidence unknown',
      { level: 'safe', verdict: 'unknown', action: 'unverified' },
      'unknown',
      'Unknown',
      'unknown',
    ],
    [
      'the same name on a host that is vouched for',
      { level: 'safe', verdict: 'unknown', attributes: ['allowlist'] },
      'unknown',
      'Unknown',
      'unknown',
    ],
    [
      'on lists of trackers only',
      { level: 'safe', verdict: 'unknown', action: 'monitor', classes: ['threat'] },
      'unknown',
      'Unknown',
      'unknown',
    ],
    ['no source is loaded', { level: 'inconclusive', verdict: 'unknown' }, 'unknown', 'Unknown', 'unknown'],
    [
      'a file that no source has seen',
      { level: 'inconclusive', verdict: 'unknown', lookupStatus: 'unknown' },
      'unknown',
      'Not seen',
      'unknown',
    ],
    [
      'a file that was listed once',
      { level: 'low', verdict: 'low', lookupStatus: 'unknown' },
      'low-risk',
      'Low risk',
      'suspicious',
    ],
    [
      'a private address',
      { level: 'safe', verdict: 'safe', action: 'allow', attributes: ['bogon'] },
      'reserved',
      'Reserved address',
      'neutral',
    ],
    ['a private address at basic', { attributes: ['bogon'] }, 'reserved', 'Reserved address', 'neutral'],
    [
      'an address of an unassigned network',
      { level: 'safe', verdict: 'unknown', attributes: ['bogon'] },
      'unknown',
      'Unknown',
      'unknown',
    ],
    ['a check at basic', { hits: 0 }, 'unknown', 'Unknown', 'unknown'],
    ['a level without evidence', { level: 'safe' }, 'unknown', 'Unknown', 'unknown'],
    [
      'a verdict unknown to this version',
      { level: 'safe', verdict: 'benign' },
      'benign',
      'benign',
      'neutral',
    ],
    [
      'a level unknown to this version',
      { level: 'extreme', verdict: 'low' },
      'extreme',
      'extreme',
      'neutral',
    ],
    [
      'a level from the future beside a grave verdict',
      { level: 'extreme', verdict: 'critical' },
      'high-risk',
      'High risk',
      'suspicious',
    ],
    [
      'a lookup status from the future',
      { level: 'safe', verdict: 'safe', lookupStatus: 'queued' },
      'queued',
      'queued',
      'neutral',
    ],
    [
      'a name that every object has',
      { level: 'constructor', verdict: 'toString' },
      'toString',
      'toString',
      'neutral',
    ],
    ['nothing in it', { level: '', verdict: '' }, 'unknown', 'Unknown', 'unknown'],
  ];

  test.each(cases)('%s', (_name, said, id, word, tone) => {
    expect(verdictOf(checkOf(said))).toEqual({ id, word, tone });
  });

  test.each(cases)(
    'a stream gets the same word, whichever phase has its verdict: %s',
    (_name, said, id, word, tone) => {
      expect(verdictOf(streamOf(said, 'first'))).toEqual({ id, word, tone });
      expect(verdictOf(streamOf(said, 'insights'))).toEqual({ id, word, tone });
    },
  );

  test('a stream without any phase is unknown', () => {
    expect(verdictOf({}).word).toBe('Unknown');
  });
});

describe('the word of a row', () => {
  test.each<[string, Said, string]>([
    ['malicious', { malicious: true, level: 'medium', verdict: 'medium' }, 'Malicious'],
    ['listed', { level: 'high', verdict: 'high', hits: 3 }, 'High risk'],
    ['popular', { level: 'safe', verdict: 'safe', action: 'allow', attributes: ['allowlist'] }, 'Known good'],
    ['no source lists it', { level: 'safe', verdict: 'unknown', action: 'unverified' }, 'Unknown'],
    ['an unseen file has no level', { lookupStatus: 'unknown', action: 'unverified' }, 'Not seen'],
    ['at basic, popular', { level: 'safe', action: 'allow', attributes: ['allowlist'] }, 'Known good'],
    ['at basic, private', { level: 'safe', action: 'allow', attributes: ['bogon'] }, 'Reserved address'],
    ['at basic, no source lists it', { level: 'safe', action: 'unverified' }, 'Unknown'],
    ['at basic, listed too weakly to count', { level: 'safe', action: 'monitor', hits: 1 }, 'Unknown'],
    ['at basic, on lists of trackers only', { level: 'safe', action: 'monitor' }, 'Unknown'],
    ['at basic, listed', { level: 'medium', action: 'review', hits: 1 }, 'Suspicious'],
  ])('%s', (_name, said, word) => {
    expect(verdictOfRow(rowOf(said)).word).toBe(word);
  });

  test('a row with an error is not checked, whatever its other fields are', () => {
    const row = rowOf({ level: 'safe', verdict: 'safe', attributes: ['allowlist'] }, 'Not an indicator.');
    expect(verdictOfRow(row)).toEqual({ id: 'not-checked', word: 'Not checked', tone: 'unknown' });
  });
});

/** Every combination of the values that the service describes, and of each field left out. */
function* combinations(): Generator<Said> {
  const maybe = (values: readonly string[]) => [undefined, ...values];
  for (const malicious of [true, false])
    for (const level of maybe(LEVELS))
      for (const verdict of maybe(VERDICTS))
        for (const action of maybe(ACTIONS))
          for (const lookupStatus of maybe(STATUSES))
            for (const threatClass of maybe(CLASSES))
              for (const attributes of [undefined, ['allowlist'], ['bogon'], ['cdn']])
                for (const knownGood of [true, undefined] as const)
                  for (const hits of [0, 1])
                    yield {
                      malicious,
                      level,
                      verdict,
                      action,
                      lookupStatus,
                      attributes,
                      classes: threatClass === undefined ? [] : [threatClass],
                      knownGood,
                      hits,
                    };
}

const RANK = ['critical', 'high', 'medium', 'low'];
const WORD_OF_RANK = ['High risk', 'High risk', 'Suspicious', 'Low risk'];

/** The rules stated in reverse: may such an answer get this word? */
function isDemanded(said: Said, { word, tone }: Verdict): boolean {
  const worst = RANK.findIndex((level) => said.level === level || said.verdict === level);
  if ((tone === 'good') !== (word === 'Known good')) return false;
  if (said.malicious === true) return word === 'Malicious' && tone === 'malicious';
  if (worst !== -1) return word === WORD_OF_RANK[worst] && tone === 'suspicious';
  if (said.lookupStatus === 'unknown') return word === 'Not seen';
  if (word === 'No threats found' && said.hits !== 0) return false;
  if (GOOD.has(word)) return said.verdict === 'safe' && said.level !== 'inconclusive';
  return word === 'Unknown' || (word === 'Reserved address' && said.attributes?.[0] === 'bogon');
}

describe('over every combination of the described values', () => {
  test('the enums are found in the description', () => {
    expect([LEVELS.length, VERDICTS.length, ACTIONS.length, STATUSES.length]).toEqual([6, 6, 6, 2]);
    expect(CLASSES.length).toBe(4);
  });

  test('each combination has the word its rule demands, and none is called clean or safe', () => {
    const words = new Set<string>();
    for (const said of combinations()) {
      const verdict = verdictOf(checkOf(said));
      words.add(verdict.word);
      if (!isDemanded(said, verdict)) expect.fail(`${verdict.word} for ${JSON.stringify(said)}`);
    }
    expect([...words].sort()).toEqual([
      'High risk',
      'Known good',
      'Low risk',
      'Malicious',
      'No threats found',
      'Not seen',
      'Reserved address',
      'Suspicious',
      'Unknown',
    ]);
    for (const word of words) expect(word).not.toMatch(/clean|safe/i);
  });

  test('a value of the description is never shown raw, in a check or in a row', () => {
    const ids = new Set<string>();
    for (const said of combinations()) ids.add(verdictOf(checkOf(said)).id).add(verdictOfRow(rowOf(said)).id);
    for (const raw of [...LEVELS, ...VERDICTS, ...STATUSES])
      if (raw !== 'unknown') expect(ids, raw).not.toContain(raw);
  });
});

describe('unknown is never good', () => {
  const word = (known: readonly string[]) =>
    fc.option(fc.oneof(fc.constantFrom(...known), fc.string({ maxLength: 12 })), { nil: undefined });
  const anySaid: fc.Arbitrary<Said> = fc.record({
    malicious: fc.boolean(),
    level: word(LEVELS),
    verdict: word(VERDICTS),
    action: word(ACTIONS),
    lookupStatus: word(STATUSES),
    attributes: fc.option(fc.array(fc.constantFrom('allowlist', 'bogon', 'cdn', 'tor-exit')), {
      nil: undefined,
    }),
    classes: fc.array(fc.constantFrom(...CLASSES)),
    knownGood: fc.constantFrom(true as const, undefined),
    hits: fc.nat({ max: 3 }),
  });
  const isUnknown = ({ level, verdict, lookupStatus }: Said) =>
    verdict === 'unknown' || verdict === undefined || level === 'inconclusive' || lookupStatus === 'unknown';

  test('unknown evidence gets no good word and no good tone, whatever the other fields are', () => {
    fc.assert(
      fc.property(anySaid.filter(isUnknown), (said) => {
        for (const verdict of [
          verdictOf(checkOf(said)),
          verdictOf(streamOf(said, 'first')),
          verdictOf(streamOf(said, 'insights')),
          verdictOfRow(rowOf({ ...said, action: 'unverified' })),
        ]) {
          expect(GOOD.has(verdict.word)).toBe(false);
          expect(verdict.tone).not.toBe('good');
        }
      }),
    );
  });

  test('`malicious: false` changes no word', () => {
    fc.assert(
      fc.property(anySaid, (said) => {
        const { malicious: _left, ...rest } = checkOf({ ...said, malicious: false });
        const { reputation } = streamOf({ ...said, malicious: false }, 'insights');
        const { malicious: _out, ...silent } = reputation ?? {};
        const state: StreamState = { reputation: silent, insights: rest as StreamState['insights'] };
        expect(verdictOf(state)).toEqual(verdictOf(checkOf({ ...said, malicious: false })));
      }),
    );
  });
});
