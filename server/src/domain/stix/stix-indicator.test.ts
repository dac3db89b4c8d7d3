import { describe, expect, test } from 'vitest';
import { parseIndicator } from '#domain/indicator/index.ts';
import { bundleOf, type StixFacts, toStixIndicator } from './stix-indicator.ts';

const parsed = parseIndicator('185.220.101.1');
if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error('not an address');
const address = parsed.indicator;

const FACTS: StixFacts = {
  verdict: 'high',
  score: 72,
  confidence: 81,
  labels: ['tor-exit', 'bruteforce', 'tor-exit', ''],
  sources: 5,
  firstSeenMs: Date.UTC(2026, 9, 1),
  lastSeenMs: Date.UTC(2026, 10, 14, 8, 30, 1, 7),
  createdMs: Date.UTC(2026, 10, 15, 9),
  validFromMs: Date.UTC(2026, 9, 1),
};

test('an indicator has the keys of decisions 3.6, in that order', () => {
  const object = toStixIndicator(address, {
    ...FACTS,
    validUntilMs: Date.UTC(2027, 0, 1),
    createdByRef: 'identity--a',
    markingRefs: ['marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9'],
  });
  expect(JSON.stringify(object, null, 1)).toBe(
    JSON.stringify(
      {
        type: 'indicator',
        spec_version: '2.1',
        id: 'indicator--1d09a1b6-e487-5207-8e35-3f4bbc73bbc1',
        created_by_ref: 'identity--a',
        created: '2026-11-15T09:00:00.000000Z',
        modified: '2026-11-15T09:00:00.000000Z',
        name: '185.220.101.1',
        indicator_types: ['malicious-activity'],
        pattern: "[ipv4-addr:value = '185.220.101.1']",
        pattern_type: 'stix',
        pattern_version: '2.1',
        valid_from: '2026-10-01T00:00:00.000000Z',
        valid_until: '2027-01-01T00:00:00.000000Z',
        confidence: 81,
        labels: ['bruteforce', 'tor-exit'],
        object_marking_refs: ['marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9'],
        x_svc_score: 72,
        x_svc_sources: 5,
        x_svc_first_seen: '2026-10-01T00:00:00.000000Z',
        x_svc_last_seen: '2026-11-14T08:30:01.007000Z',
      },
      null,
      1,
    ),
  );
});

test('unknown facts are left out: no empty list, no null, no end before the start', () => {
  const object = toStixIndicator(address, {
    ...FACTS,
    labels: [],
    firstSeenMs: null,
    lastSeenMs: null,
    validUntilMs: FACTS.validFromMs,
  });
  for (const key of ['labels', 'valid_until', 'x_svc_first_seen', 'x_svc_last_seen', 'object_marking_refs'])
    expect(object).not.toHaveProperty(key);
});

test('modified is never before created', () => {
  const { created, modified } = toStixIndicator(address, { ...FACTS, modifiedMs: 0 });
  expect(modified).toBe(created);
});

describe('honest words', () => {
  test.each([
    ['unknown', 'unknown'],
    ['safe', 'benign'],
    ['low', 'malicious-activity'],
    ['critical', 'malicious-activity'],
  ] as const)('a verdict of %s is called %s', (verdict, expected) => {
    expect(toStixIndicator(address, { ...FACTS, verdict }).indicator_types).toEqual([expected]);
  });
});

test('a bundle holds its objects under the id it is given', () => {
  const object = toStixIndicator(address, FACTS);
  expect(bundleOf([object], '5d0092c5-5f74-4287-9642-33f4c354e56d')).toEqual({
    type: 'bundle',
    id: 'bundle--5d0092c5-5f74-4287-9642-33f4c354e56d',
    objects: [object],
  });
});
