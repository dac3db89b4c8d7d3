import { expect, test } from 'vitest';
import { targetQuery, targetText } from './target-query.ts';

const query = targetQuery(targetText('IP address or domain.', 'example.com'), (indicator) => ({ indicator }));
const refusals = (input: object) =>
  query.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message]);

test('a missing target is refused with what belongs there, and a repeated one with "Send it once."', () => {
  expect(refusals({})).toEqual([['query', 'Nothing was sent. It takes: IP address or domain.']]);
  expect(refusals({ query: ['a.com', 'b.com'] })).toEqual([['query', 'Send it once.']]);
  expect(refusals({ query: 'a.com' })).toBeUndefined();
});
