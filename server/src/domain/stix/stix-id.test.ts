import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STIX_KINDS, stixId, stixIdOfOrganization } from './stix-id.ts';
import { uuid5 } from './uuid5.ts';

/** Published values: RFC 9562 appendix A.4, and the documentation of Python. */
test.each([
  ['www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
  ['python.org', '886313e1-3b8a-5372-9b90-0c9aee199e5d'],
])('uuid5 of %s in the DNS namespace is the published one', (name, expected) => {
  expect(uuid5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', name)).toBe(expected);
});

/** Computed by another implementation (Python's uuid). Clients store these ids, so they never change. */
test.each([
  ['ip', '185.220.101.1', 'indicator--1d09a1b6-e487-5207-8e35-3f4bbc73bbc1'],
  ['ip', '2001:db8::1', 'indicator--974d0915-3f31-5bd5-92de-2c07f87ca8a5'],
  ['domain', 'evil.com', 'indicator--a332cc0c-22b3-5914-8bb3-51f1af412de9'],
  ['domain', 'bücher.example', 'indicator--3c303eef-67fe-57a2-84be-d7c0b46096cf'],
  ['url', 'https://evil.com/', 'indicator--45461d38-6bf8-53c5-82f5-e242dceba2e7'],
  ['hash', '44d88612fea8a8f36de82e1278abb02f', 'indicator--62e5dfa8-c95f-5ecb-9bed-4cb1823f69df'],
] as const)('the id of %s %s is %s for good', (kind, value, expected) => {
  expect(stixId(kind, value)).toBe(expected);
});

test('an organization’s id differs from the shared one and changes with each restore', () => {
  expect(stixIdOfOrganization('org_01', 'domain', 'evil.com', 0)).toBe(
    'indicator--9a47f3d8-90c9-55e1-9c22-799b58f89cdb',
  );
  expect(stixIdOfOrganization('org_01', 'domain', 'evil.com', 1)).toBe(
    'indicator--95d7b5f8-fcba-5260-bd00-ee94d2e282a6',
  );
});

describe('ids differ', () => {
  const kind = fc.constantFrom(...STIX_KINDS);
  const organization = fc.stringMatching(/^org_[0-9A-HJKMNP-TV-Z]{1,26}$/);

  test('between kinds, for any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(new Set(STIX_KINDS.map((each) => stixId(each, value))).size).toBe(STIX_KINDS.length);
      }),
    );
  });

  test('between shared and organization indicators, and between organizations', () => {
    fc.assert(
      fc.property(organization, organization, kind, fc.string(), fc.nat(), (one, other, each, value, n) => {
        const id = stixIdOfOrganization(one, each, value, n);
        expect(id).toMatch(
          /^indicator--[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        for (const shared of STIX_KINDS) {
          expect(id).not.toBe(stixId(shared, value));
          expect(id).not.toBe(stixId(shared, `${each}|${value}|${n}`));
        }
        expect(id === stixIdOfOrganization(other, each, value, n)).toBe(one === other);
      }),
    );
  });

  test.each(['', 'domain', 'org_01|url'])("an organization called '%s' is refused", (name) => {
    expect(() => stixIdOfOrganization(name, 'domain', 'evil.com', 0)).toThrow(/organization id/);
  });

  test.each([-1, 0.5, Number.NaN])('%s restores are refused', (n) => {
    expect(() => stixIdOfOrganization('org_01', 'domain', 'evil.com', n)).toThrow(/whole number/);
  });
});
