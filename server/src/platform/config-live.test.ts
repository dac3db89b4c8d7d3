import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { LIVE_NAMES } from './config-live.ts';

const liveOf = (environment: Readonly<Record<string, string>>) => {
  const { LIVE_PROVIDERS, LIVE_BUDGET_MS } = loadConfig(environment);
  return { on: LIVE_PROVIDERS, budgetMs: LIVE_BUDGET_MS };
};

test('a default installation asks no outside service, and a standard check would wait 250 ms (O80)', () => {
  expect(liveOf({})).toEqual({ on: [], budgetMs: 250 });
  expect(liveOf({ LIVE_PROVIDERS: '' })).toEqual({ on: [], budgetMs: 250 });
});

test.each([
  ['none', []],
  ['all', LIVE_NAMES],
  [' dns, rdap ', ['dns', 'rdap']],
])("LIVE_PROVIDERS='%s' turns on %j", (text, on) => {
  expect(liveOf({ LIVE_PROVIDERS: text }).on).toEqual(on);
});

test.each(['all,dns', 'dns,none', 'registry'])(
  "LIVE_PROVIDERS='%s' stops the start and names the allowed values",
  (text) => {
    expect(() => liveOf({ LIVE_PROVIDERS: text })).toThrow(/expected none, all, or any of dns, rdap/);
  },
);
