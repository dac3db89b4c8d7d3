import { expect, test } from 'vitest';
import { askBox, type BoxRequest, listenToRequests } from './box-requests.ts';

test('a request made before the box mounted is not lost, and is handled once', () => {
  const early: BoxRequest = { kind: 'check', text: '8.8.8.8', history: 'replace' };
  askBox(early);
  const seen: BoxRequest[] = [];
  const stop = listenToRequests((request) => seen.push(request));
  askBox({ kind: 'choose-file' });
  stop();
  expect(seen).toEqual([early, { kind: 'choose-file' }]);
  listenToRequests((request) => seen.push(request))();
  expect(seen).toHaveLength(2);
});
