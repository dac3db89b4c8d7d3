import { expect, test } from 'vitest';
import { FADE_DAYS_MAX, fadingOf } from './fade.ts';
import { KIND } from './indicator-key.ts';

const threat = {
  threatClass: 'threat',
  adOnly: false,
  category: 'brute-force',
  cidrSemantics: 'observed',
} as const;
const daysOf = (source: Parameters<typeof fadingOf>[0], kind: number): number | undefined =>
  fadingOf(source).find((fading) => fading.kind === kind)?.days;

test('a listing fades until 2 % is left, by the half-life of its category and kind', () => {
  // A half-life of 13 days; after 5.64 half-lives 2 % is left.
  expect(daysOf(threat, KIND.ipv4)).toBeCloseTo(73.37, 2);
  expect(daysOf(threat, KIND.ipv6)).toBeCloseTo(73.37, 2);
  expect(daysOf(threat, KIND.cidr4)).toBeCloseTo(73.37, 2);
  expect(daysOf({ ...threat, category: 'spam' }, KIND.ipv4)).toBeCloseTo(7.9, 2);
  expect(daysOf({ ...threat, category: 'phishing' }, KIND.url)).toBeCloseTo(22.58, 2);
});

test('a range its lister calls owned fades by seven days of half-life once it is dropped', () => {
  expect(daysOf({ ...threat, cidrSemantics: 'owned' }, KIND.cidr4)).toBeCloseTo(39.51, 2);
  expect(daysOf({ ...threat, cidrSemantics: 'owned' }, KIND.cidr6)).toBeCloseTo(39.51, 2);
});

test('nothing fades longer than 90 days, which is as far as a replay can ask', () => {
  expect(daysOf({ ...threat, category: 'malware' }, KIND.domain)).toBe(FADE_DAYS_MAX);
  expect(daysOf(threat, KIND.email)).toBe(FADE_DAYS_MAX);
});

test('digests, networks and wallets leave at once', () => {
  for (const kind of [KIND.md5, KIND.sha1, KIND.sha256, KIND.asn, KIND.crypto])
    expect(daysOf(threat, kind)).toBeUndefined();
});

test('a listing that does not accuse leaves at once, without fading', () => {
  for (const threatClass of ['infrastructure', 'policy', 'allowlist'] as const)
    expect(fadingOf({ ...threat, threatClass })).toEqual([]);
  expect(fadingOf({ ...threat, adOnly: true })).toEqual([]);
});
