import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enumOf } from '../test/described-enums.ts';
import { checkOf, rowOf, type Said, streamOf } from '../test/verdict.fixture.ts';
import { type StreamState, type Verdict, verdictOf, verdictOfRow } from './verdict.ts';

const LEVELS = enumOf('RiskScore', 'level');
const VERDICTS = enumOf('Evidence', 'verdict');
const ACTIONS = enumOf('Evidence', 'recommendedAction');
const STATUSES = enumOf('CheckResult', 'lookupStatus');
const CLASSES = enumOf('SourceEntry', 'threatClass');

const GOOD = new Set(['Known good', 'Popular site', 'Common service: Example DNS']);

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
const WORD_OF_RANK = ['Critical risk', 'High risk', 'Suspicious', 'Low suspicion'];

/** An independent statement of the rules of verdict.ts: may an answer with these fields get this word? */
function isDemanded(said: Said, { word, tone }: Verdict): boolean {
  const worst = RANK.findIndex((level) => said.level === level || said.verdict === level);
  if ((tone === 'good') !== GOOD.has(word)) return false;
  if ((said.malicious === true) !== (word === 'Malicious')) return false;
  if (said.malicious === true) return tone === 'malicious';
  if (worst !== -1) return word === WORD_OF_RANK[worst];
  if (said.lookupStatus === 'unknown') return word === 'Not seen';
  if (GOOD.has(word)) return said.verdict === 'safe' && said.level !== 'inconclusive';
  return word === 'Unknown' || (word === 'Reserved address' && said.attributes?.[0] === 'bogon');
}

describe('over every combination of the described values', () => {
  test('the enums are found in the description', () => {
    expect([LEVELS.length, VERDICTS.length, ACTIONS.length, STATUSES.length]).toEqual([6, 6, 8, 2]);
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
      'Critical risk',
      'High risk',
      'Known good',
      'Low suspicion',
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
