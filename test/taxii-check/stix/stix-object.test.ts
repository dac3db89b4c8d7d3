import { expect, test } from 'vitest';
import { readInstant } from '../instants.ts';
import { scoIdOf } from './sco-id.ts';
import { readObject } from './stix-object.ts';

/** The expected ids were computed by another implementation (Python's uuid and json). */
test.each([
  [{ type: 'ipv4-addr', value: '198.51.100.3' }, 'ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4'],
  [{ type: 'domain-name', value: 'example.com' }, 'domain-name--bedb4899-d24b-5401-bc86-8f6b4cc18ec7'],
  [{ type: 'url', value: 'http://bücher.example/"a"\\' }, 'url--7f7f4e33-4911-5f80-87f0-d1d937a7471e'],
  [
    { type: 'file', name: 'a.exe', hashes: { MD5: 'cd'.repeat(16) } },
    'file--fe4b0b2e-e086-5937-9221-6a8c0c3d1b68',
  ],
  [{ type: 'autonomous-system', number: 15139 }, 'autonomous-system--3aa27478-50b5-5ab8-9da9-cdc12b657fff'],
])('%j has the id %s', (object, id) => {
  expect(scoIdOf(object)).toBe(id);
});

test('of several hashes only the preferred one makes the id, and other properties make none', () => {
  const hashes = { MD5: 'cd'.repeat(16) };
  const id = scoIdOf({ type: 'file', hashes });
  expect(scoIdOf({ type: 'file', size: 5, hashes: { 'SHA-256': 'ab'.repeat(32), ...hashes } })).toBe(id);
  expect(scoIdOf({ type: 'file', name: 'a', hashes })).not.toBe(id);
  expect(scoIdOf({ type: 'process', pid: 4 })).toBeNull();
});

test.each([
  [{ type: 'ipv4-addr', value: '198.51.100.300' }],
  [{ type: 'ipv4-addr', value: '198.51.100.0/33' }],
  [{ type: 'ipv6-addr', value: '198.51.100.3' }],
  [{ type: 'domain-name', value: 'http://example.com/' }],
  [{ type: 'domain-name', value: '198.51.100.3' }],
  [{ type: 'url', value: 'example.com' }],
  [{ type: 'file', hashes: { 'SHA-256': 'abc' } }],
  [{ type: 'file', hashes: {} }],
])('%j has a bad value', (object) => {
  const id = scoIdOf(object);
  expect(readObject({ ...object, id }).findings.map(({ clause }) => clause)).toEqual(['stix-value']);
});

test.each([
  [{ type: 'ipv6-addr', value: '2001:db8::/32' }],
  [{ type: 'domain-name', value: 'bücher.example' }],
  [{ type: 'domain-name', value: '_dmarc.example.com.' }],
])('%j is right', (object) => {
  expect(readObject({ ...object, id: scoIdOf(object) }).findings).toEqual([]);
});

test.each([[{ type: 'A' }], [{ type: 5 }], [{}]])('%j has no type', (object) => {
  expect(readObject(object).findings.map(({ clause }) => clause)).toEqual(['stix-type']);
});

test('a random id of an observable is a note', () => {
  const object = { type: 'url', value: 'http://a.example/', id: 'url--00000000-0000-4000-8000-000000000001' };
  expect(readObject(object)).toMatchObject({ findings: [], notes: [{ note: 'sco-random-id' }] });
});

test('timestamps sort as text to their last digit, and days that no calendar has are refused', () => {
  const keys = ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.0005Z', '2026-03-01T10:00:00.001Z'].map(
    (text) => readInstant(text)?.key ?? '',
  );
  expect(keys.toSorted()).toEqual(keys);
  for (const text of [
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01',
    5,
  ])
    expect(readInstant(text)).toBeNull();
});
