import { describe, expect, test } from 'vitest';
import { readInput } from '../../box/read-input.ts';
import { examplesOf, noAccusedSentence } from './examples.ts';

const accusedExample = { value: '6.20.14.66', sourceCount: 3 };

describe('the examples of an empty home page', () => {
  test.each([undefined, { accusedExample: null }, { accusedExample }])(
    'can be checked as they stand: %j',
    (stats) => {
      for (const { target } of examplesOf(stats)) {
        const reading = readInput(target.value);
        expect(reading).toMatchObject({ kind: 'one', ways: [{ answer: { kind: 'page', target } }] });
      }
    },
  );

  test('are a named service, an accused address of this corpus, a look-alike and a test file', () => {
    const examples = examplesOf({ accusedExample });
    expect(examples.map(({ target }) => target.type)).toEqual(['ip', 'ip', 'domain', 'hash']);
    expect(examples[1]).toMatchObject({
      target: { value: '6.20.14.66' },
      what: 'An address that 3 sources accuse',
    });
  });

  test('no accused address is invented: without one the page says why there is none', () => {
    expect(examplesOf({ accusedExample: null })).toHaveLength(3);
    expect(noAccusedSentence({ accusedExample: null, indicators: 0 })).toContain('nothing is listed');
    expect(noAccusedSentence({ accusedExample: null, indicators: 9 })).toContain('accuses one strongly');
    expect(noAccusedSentence({ accusedExample, indicators: 9 })).toBeNull();
    expect(noAccusedSentence(undefined)).toBeNull();
  });

  test('foretell no verdict and comfort nobody', () => {
    for (const { what, see } of examplesOf({ accusedExample }))
      expect(`${what} ${see}`).not.toMatch(/\b(?:safe|clean|harmless|malicious|high risk)\b/i);
  });
});
