import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change, NewVersion } from '#capabilities/taxii/object-store.ts';
import { stixSubjectOf, TLP_AMBER, versionOf } from '#capabilities/taxii/object-text.ts';
import {
  familyObjects,
  identityOf,
  observedData,
  type StixSubject,
  stixIdOfOrganization,
  stixKindOf,
  stixTimeOfMicros,
  toStixIndicator,
} from '#domain/stix/index.ts';
import { bySize } from '#test/lane.ts';
import { HOSTILE_NAMES, HOSTILE_TEXTS, HOSTILE_URLS, valuesOfAllKinds } from '#test/taxii-values.ts';
import { type SeenVersion, wrongNextVersion } from '../../test/taxii-check/stix/next-version.ts';
import { readPattern } from '../../test/taxii-check/stix/pattern.ts';
import { readObject, type StixObject } from '../../test/taxii-check/stix/stix-object.ts';

/** Every object that the service can publish, judged by the rules of STIX 2.1 as the checker of other servers has them. */

const NOW_US = Date.UTC(2027, 0, 1) * 1_000;
const HOUR_US = 3_600_000_000;
const IDENTITY = identityOf('deployment', 'Assay', stixTimeOfMicros(NOW_US - HOUR_US));
const CHANGE: Change = {
  key: Buffer.of(1),
  level: 'high',
  score: 80,
  confidence: 70,
  sources: 2,
  categories: ['c2', 'phishing'],
  collections: 5,
  untilH: NOW_US / HOUR_US + 400,
  value: null,
  firstSeenMs: NOW_US / 1_000 - 5_000,
  firstDataMs: null,
  lastDataMs: null,
  lastSeenMs: NOW_US / 1_000 - 1,
  families: ['Emotet'],
  reports: [{ source_name: "O'Report \\", url: "https://reports.example.com/?a='b'" }],
  createdUs: null,
  was: null,
  wasLeft: null,
  leftUs: null,
  stix: null,
};

const current = (value: string, change: Partial<Change> = {}, addedUs = NOW_US): NewVersion => {
  const version = versionOf({ ...CHANGE, value, ...change }, addedUs, IDENTITY.id);
  if (version === null) throw new Error(`${value} has no version.`);
  return version;
};
/** The version that follows another one, as the store reads it. */
const next = (before: NewVersion, change: Partial<Change>, addedUs: number): NewVersion =>
  current(
    JSON.parse(before.stix).name,
    {
      createdUs: before.createdUs,
      was: before.collections,
      wasLeft: before.leftCollections,
      leftUs: before.leftUs,
      stix: before.stix,
      ...change,
    },
    addedUs,
  );
const LEFT = { level: null, collections: 0 } as const;

const ofOrganization = (subject: StixSubject, isRevoked: boolean): StixObject =>
  toStixIndicator(subject, {
    id: stixIdOfOrganization('org_01', stixKindOf(subject.kind), subject.value, 0),
    verdict: 'high',
    score: 95,
    confidence: 95,
    labels: ['c2'],
    sources: 1,
    firstSeenMs: NOW_US / 1_000,
    lastSeenMs: null,
    createdMs: NOW_US / 1_000,
    modifiedMs: NOW_US / 1_000 + 0.001,
    validFromMs: NOW_US / 1_000,
    validUntilMs: NOW_US / 1_000 + 0.001,
    createdByRef: IDENTITY.id,
    markingRefs: [TLP_AMBER],
    isRevoked,
  });

/** All objects about one value: both kinds of indicator, their ends, the twin, and the family. */
function objectsAbout(subject: StixSubject): readonly StixObject[] {
  const { value } = subject;
  const first = current(value);
  const indicator = JSON.parse(first.stix) as StixObject & { readonly id: string };
  const dates = { created: stixTimeOfMicros(NOW_US), modified: stixTimeOfMicros(NOW_US + 1) };
  const observed = observedData(subject, {
    ...dates,
    indicatorId: indicator.id,
    createdByRef: IDENTITY.id,
    firstObserved: dates.modified,
    lastObserved: dates.created,
    number: 0,
    markingRefs: [TLP_AMBER],
  });
  const { malware, relationship } = familyObjects("O'Family \\", {
    indicatorId: indicator.id,
    created: dates.created,
    createdByRef: IDENTITY.id,
    deployed: dates.created,
  });
  return [
    indicator,
    JSON.parse(next(first, LEFT, NOW_US + 1).stix),
    JSON.parse(current(value, { untilH: 0, categories: [], reports: [], firstSeenMs: null }).stix),
    ofOrganization(subject, false),
    ofOrganization(subject, true),
    ...observed.map((object) => JSON.parse(JSON.stringify(object)) as StixObject),
    malware,
    relationship,
  ];
}

const PATHS: Readonly<Record<string, string>> = {
  'ip 4': 'ipv4-addr:value',
  'ip 6': 'ipv6-addr:value',
  'cidr 4': 'ipv4-addr:value',
  'cidr 6': 'ipv6-addr:value',
  domain: 'domain-name:value',
  url: 'url:value',
  md5: 'file:hashes.MD5',
  sha1: 'file:hashes.SHA-1',
  sha256: 'file:hashes.SHA-256',
};
const formOf = (subject: StixSubject): string => {
  if (subject.kind === 'hash') return subject.algorithm;
  return 'version' in subject ? `${subject.kind} ${subject.version}` : subject.kind;
};

/** The rules that these objects break, and whether a pattern compares anything but the value itself. */
function faultsOf(subject: StixSubject): readonly string[] {
  const faults: string[] = [];
  for (const object of objectsAbout(subject)) {
    const { findings, notes } = readObject(object);
    faults.push(...findings.map(({ clause, example }) => `${clause}: ${example}`));
    faults.push(...notes.map(({ note, example }) => `${note}: ${example}`));
    if (object.type !== 'indicator') continue;
    const reading = readPattern(String(object.pattern));
    const compared = reading.ok
      ? reading.comparisons.map(
          ({ objectType, path, operator, negated, values }) =>
            `${objectType}:${path.join('.')} ${negated ? 'NOT ' : ''}${operator} ${values.join()}`,
        )
      : [reading.reason];
    const operator = subject.kind === 'cidr' ? 'ISSUBSET' : '=';
    const wanted = `${PATHS[formOf(subject)]} ${operator} ${subject.value}`;
    if (compared.length !== 1 || compared[0] !== wanted)
      faults.push(`${compared.join(' and ')}, not ${wanted}`);
    if (object.name !== subject.value) faults.push(`the name is ${String(object.name)}`);
  }
  return faults;
}

describe('objects of every kind and of hostile values', () => {
  test.each([
    ['values of all kinds', valuesOfAllKinds(bySize(160, 8_000))],
    ['URLs with every printable byte, quotes, backslashes, newlines and other scripts', HOSTILE_URLS],
    ['names and addresses in unusual forms', HOSTILE_NAMES],
  ])('%s break no rule of STIX 2.1, and their pattern compares one value', (_, values) => {
    const subjects = values.flatMap((value) => stixSubjectOf(value) ?? []);
    // Only a text that is no indicator may be left out: a line break or a null byte in a URL.
    expect(subjects.length).toBeGreaterThan(values.length * 0.8);
    expect(subjects.flatMap(faultsOf)).toEqual([]);
  });

  test('every form of a value has its own pattern', () => {
    const subjects = [...valuesOfAllKinds(8), ...HOSTILE_NAMES].flatMap(
      (value) => stixSubjectOf(value) ?? [],
    );
    expect(new Set(subjects.map(formOf))).toEqual(new Set(Object.keys(PATHS)));
  });

  test('any text in a URL', () => {
    const unit = fc.constantFrom(
      "'",
      '\\',
      '"',
      ']',
      '[',
      ' OR ',
      '%',
      '#',
      '?',
      '\u00e9',
      '\ud83d\ude00',
      'a',
    );
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit }), fc.string());
    fc.assert(
      fc.property(text, (path) => {
        const subject = stixSubjectOf(`http://hostile.example.net/${path}`);
        if (subject !== null) expect(faultsOf(subject)).toEqual([]);
      }),
      { numRuns: bySize(200, 5_000) },
    );
  });

  test.each(HOSTILE_TEXTS)('%j is quoted also where no parser has made it harmless before', (value) => {
    const page = stixSubjectOf('http://hostile.example.net/');
    if (page?.kind !== 'url') throw new Error('There is no URL.');
    const object = ofOrganization({ ...page, value }, false);
    expect(readObject(object).findings).toEqual([]);
    expect(readPattern(String(object.pattern))).toMatchObject({ comparisons: [{ values: [value] }] });
  });

  test('the identity', () => {
    expect(readObject(IDENTITY)).toMatchObject({ findings: [], notes: [] });
  });
});

const seenOf = ({ stix, addedUs }: NewVersion): SeenVersion => {
  const object = JSON.parse(stix) as StixObject;
  return {
    version: String(object.modified),
    created: String(object.created),
    revoked: object.revoked === true,
    digest: `${addedUs} ${stix}`,
  };
};

test('however often a value changes, leaves and comes back, its versions follow each other and none is revoked', () => {
  const step = fc.record({
    isHere: fc.boolean(),
    later: fc.integer({ min: 1, max: 90 * 24 }),
    level: fc.constantFrom('low', 'medium', 'high', 'critical'),
    categories: fc.subarray(['c2', 'malware', 'phishing']),
    hours: fc.integer({ min: -10, max: 9_000 }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...valuesOfAllKinds(8)),
      fc.array(step, { maxLength: 12 }),
      (value, steps) => {
        let [addedUs, version] = [NOW_US, current(value)];
        for (const { isHere, later, level, categories, hours } of steps) {
          addedUs += later * HOUR_US + 1;
          const here = { level, categories, collections: 3, untilH: Math.floor(addedUs / HOUR_US) + hours };
          const following = next(version, isHere ? here : LEFT, addedUs);
          expect(wrongNextVersion(seenOf(version), seenOf(following))).toBeNull();
          const object = JSON.parse(following.stix) as StixObject;
          expect(readObject(object).findings).toEqual([]);
          expect(object).not.toHaveProperty('revoked');
          expect(object.valid_until === object.modified).toBe(!isHere);
          version = following;
        }
      },
    ),
    { numRuns: bySize(100, 3_000) },
  );
});

test.each([
  ['revoked', { revoked: true }, { version: '2' }, 'stix-revoked'],
  ['with another text', {}, { digest: 'b' }, 'stix-version-twice'],
  ['created anew', {}, { version: '2', created: '1' }, 'stix-created-kept'],
  ['modified earlier', { version: '3' }, { version: '2' }, 'stix-created-kept'],
])('a sight after one that was %s is wrong', (_, then, now, clause) => {
  const seen = { version: '1', created: '0', revoked: false, digest: 'a' };
  expect(wrongNextVersion({ ...seen, ...then }, { ...seen, ...now })?.clause).toBe(clause);
});
