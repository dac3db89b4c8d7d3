import { describe, expect, test } from 'vitest';
import { agreementSentence, toLanes } from './agreement-dots.ts';

const source = (name: string, threatClass: string, reliability: number) => ({
  name,
  threatClass,
  reliability,
  tone: 'neutral' as const,
});

describe('the agreement strip', () => {
  test('has a lane for each class, empty ones too, and policy shares the lane that describes', () => {
    const lanes = toLanes([source('a', 'threat', 0.5), source('b', 'policy', 0.4)]);
    expect(lanes.map(({ id, dots }) => [id, dots.map(({ name }) => name)])).toEqual([
      ['threat', ['a']],
      ['infrastructure', ['b']],
      ['allowlist', []],
    ]);
  });

  test('sources of the same reliability are drawn side by side', () => {
    const [lane] = toLanes([
      source('a', 'threat', 0.35),
      source('b', 'threat', 0.36),
      source('c', 'threat', 0.35),
      source('d', 'threat', 0.75),
    ]);
    expect(lane?.dots.map(({ reliability, nth }) => [reliability, nth])).toEqual([
      [0.35, 0],
      [0.35, 1],
      [0.35, 2],
      [0.75, 0],
    ]);
  });

  test.each([
    [36, 'Sources by reliability: 1 accuse, the most reliable 0.75; 0 describe; 0 vouch; 36 are silent'],
    [null, 'Sources by reliability: 1 accuse, the most reliable 0.75; 0 describe; 0 vouch'],
  ])('is one sentence, with %s silent', (silent, sentence) => {
    expect(agreementSentence(toLanes([source('a', 'threat', 0.75)]), silent)).toBe(sentence);
  });
});
