import { describe, expect, test } from 'vitest';
import { scoreCase } from './score-case.ts';
import { WORKED_NAMES } from './worked-names.fixture.ts';

describe('worked examples of names', () => {
  test.each(WORKED_NAMES)('$name: $score', ({ of, score, parts }) => {
    const scored = scoreCase(of);
    const found = Object.fromEntries([
      ...scored.counted.map(({ opinion, points }) => [opinion.sourceId, points]),
      ...scored.adjustments.map(({ name, contribution }) => [name, contribution]),
    ]);
    expect([scored.score, found]).toEqual([score, parts]);
  });
});
