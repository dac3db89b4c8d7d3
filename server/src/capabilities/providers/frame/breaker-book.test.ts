import { expect, test } from 'vitest';
import { createLog } from '#platform/log.ts';
import { BreakerBook } from './breaker-book.ts';
import { frameMetrics } from './frame-metrics.ts';

test('there are never more than 300 breakers, and those in use keep their state', () => {
  let open = 0;
  const metrics = {
    ...frameMetrics('rdap'),
    breakerOpened: () => {
      open += 1;
    },
    breakerClosed: () => {
      open -= 1;
    },
  };
  const clock = { monotonic: () => 0 };
  const book = new BreakerBook({ provider: 'rdap', clock, log: createLog('silent'), metrics });
  const fail = (upstream: string) => {
    for (let each = 0; each < 10; each += 1) book.of(upstream).enter()?.end('bad');
  };
  fail('busy');
  fail('forgotten');
  expect(open).toBe(2);
  for (let each = 0; each < 1_000; each += 1) {
    book.of(`registry-${each}`);
    book.of('busy');
  }
  expect(book.size).toBe(300);
  expect(book.of('busy').isOpen).toBe(true);
  expect(open).toBe(1);
  expect(book.of('forgotten').isOpen).toBe(false);
});
