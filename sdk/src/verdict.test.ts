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

const GOOD = new Set(['Known good', 'Popular site', 'Common service: Example DNS']);

type Said = {
  readonly malicious?: boolean;
  readonly level?: string | undefined;
  readonly word?: string | undefined;
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
    ...(said.level !== undefined && { riskScore: { score: 0, level: said.level, word: said.word } }),
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
    word: said.word,
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
    ['level critical', { level: 'critical', verdict: 'critical' }, 'malicious', 'Malicious', 'malicious'],
    [
      'a scanner says so, and the level decides',
      { malicious: true, level: 'high', verdict: 'high' },
      'high-risk',
      'High risk',
      'high-risk',
    ],
    ['a scanner says so at basic', { malicious: true }, 'high-risk', 'High risk', 'high-risk'],
    ['level high', { level: 'high', verdict: 'high' }, 'high-risk', 'High risk', 'high-risk'],
    ['level medium', { level: 'medium', verdict: 'medium' }, 'suspicious', 'Suspicious', 'suspicious'],
    ['level low', { level: 'low', verdict: 'low' }, 'low-risk', 'Low risk', 'low-risk'],
    [
      'a popular name',
      { level: 'safe', verdict: 'safe', word: 'Popular site' },
      'popular-site',
      'Popular site',
      'good',
    ],
    [
      'a named service, a word of a newer version',
      { level: 'safe', verdict: 'safe', word: 'Common service: Example DNS' },
      'known-good',
      'Common service: Example DNS',
      'good',
    ],
    [
      'a reserved name',
      { level: 'safe', verdict: 'safe', word: 'Reserved name' },
      'reserved',
      'Reserved name',
      'neutral',
    ],
    ['safe, from an older service', { level: 'safe', verdict: 'safe' }, 'known-good', 'Known good', 'good'],
    [
      'a name that no source lists',
      { level: 'inconclusive', verdict: 'unknown', action: 'unverified', word: 'Not listed' },
      'not-listed',
      'Not listed',
      'unknown',
    ],
    [
      'the same from an older service: its level is safe, its evidence unknown',
      { level: 'safe', verdict: 'unknown', action: 'unverified' },
      'unknown',
      'Unknown',
      'unknown',
    ],
    [
      'a report that has faded',
      { level: 'inconclusive', verdict: 'unknown', word: 'Old report' },
      'old-report',
      'Old report',
      'neutral',
    ],
    [
      'on lists of trackers only',
      { level: 'inconclusive', verdict: 'unknown', action: 'monitor', word: 'Tracking only' },
      'tracking',
      'Tracking only',
      'neutral',
    ],
    ['no word is sent', { level: 'inconclusive', verdict: 'unknown' }, 'unknown', 'Unknown', 'unknown'],
    [
      'a file that no source has seen',
      { level: 'inconclusive', verdict: 'unknown', lookupStatus: 'unknown' },
      'not-seen',
      'Not seen',
      'unknown',
    ],
    [
      'a file that was listed once',
      { level: 'low', verdict: 'low', lookupStatus: 'unknown' },
      'low-risk',
      'Low risk',
      'low-risk',
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
      'malicious',
      'Malicious',
      'malicious',
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
    ['malicious', { malicious: true, level: 'critical', verdict: 'critical' }, 'Malicious'],
    ['listed', { level: 'high', verdict: 'high', hits: 3 }, 'High risk'],
    ['popular', { level: 'safe', verdict: 'safe', action: 'allow', word: 'Popular site' }, 'Popular site'],
    ['no source lists it', { level: 'inconclusive', verdict: 'unknown', word: 'Not listed' }, 'Not listed'],
    ['an unseen file has no level', { lookupStatus: 'unknown', action: 'unverified' }, 'Not seen'],
    ['at basic, popular', { level: 'safe', action: 'allow', attributes: ['allowlist'] }, 'Known good'],
    ['at basic, private', { level: 'safe', action: 'allow', attributes: ['bogon'] }, 'Reserved address'],
    ['at basic, no source lists it', { level: 'inconclusive', word: 'Not listed' }, 'Not listed'],
    ['at basic, an older service', { level: 'safe', action: 'unverified' }, 'Unknown'],
    ['at basic, listed too weakly to count', { level: 'inconclusive', word: 'Weak report' }, 'Weak report'],
    ['at basic, listed', { level: 'medium', action: 'review', hits: 1 }, 'Suspicious'],
  ])('%s', (_name, said, word) => {
    expect(verdictOfRow(rowOf(said)).word).toBe(word);
  });

  test('a row with an error is not checked, whatever its other fields are', () => {
    const row = rowOf({ level: 'safe', verdict: 'safe', attributes: ['allowlist'] }, 'Not an indicator.');
    expect(verdictOfRow(row)).toEqual({ id: 'not-checked', word: 'Not checked', tone: 'unknown' });
  });
});

/** Every combination of described values, each field also absent. */
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
const WORD_OF_RANK = ['Malicious', 'High risk', 'Suspicious', 'Low risk'];

/** An independent statement of the rules of verdict.ts: may an answer with these fields get this word? */
function isDemanded(said: Said, { word, tone }: Verdict): boolean {
  const worst = RANK.findIndex((level) => said.level === level || said.verdict === level);
  if ((tone === 'good') !== GOOD.has(word)) return false;
  if (worst !== -1) return word === WORD_OF_RANK[worst];
  if (said.malicious === true && said.level === undefined && said.verdict === undefined)
    return word === 'High risk';
  if (said.lookupStatus === 'unknown') return word === 'Not seen';
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
