import { expect, test } from 'vitest';
import { parseIndicator } from '#domain/indicator/index.ts';
import { observedData } from './other-objects.ts';
import { patternOf, type StixSubject } from './pattern.ts';

const subjectOf = (text: string): StixSubject => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator as StixSubject;
};
const observed = (text: string) =>
  observedData(subjectOf(text), {
    indicatorId: 'indicator--1',
    createdByRef: 'identity--1',
    created: '2026-01-02T00:00:00.000000Z',
    modified: '2026-01-02T00:00:00.000000Z',
    firstObserved: '2026-01-02T00:00:00.000000Z',
    lastObserved: '2026-01-01T00:00:00.000000Z',
    number: 0,
    markingRefs: [],
  });

test('an observable has the id that every producer gives it by the standard', () => {
  // The example of STIX 2.1 for the IPv4 address object.
  expect(observed('198.51.100.3')[1]).toEqual({
    type: 'ipv4-addr',
    spec_version: '2.1',
    id: 'ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4',
    value: '198.51.100.3',
  });
});

test('observed data refers to its observable, is seen at least once, and ends no earlier than it begins', () => {
  const [data, observable] = observed('d41d8cd98f00b204e9800998ecf8427e');
  expect(data).toMatchObject({
    object_refs: [observable?.id],
    number_observed: 1,
    last_observed: '2026-01-02T00:00:00.000000Z',
  });
  expect(observable).toMatchObject({ type: 'file', hashes: { MD5: 'd41d8cd98f00b204e9800998ecf8427e' } });
});

test('a range matches the addresses in it', () => {
  expect(patternOf(subjectOf('45.83.65.0/24'))).toBe("[ipv4-addr:value ISSUBSET '45.83.65.0/24']");
});
