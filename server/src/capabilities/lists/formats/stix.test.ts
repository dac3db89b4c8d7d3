import { describe, expect, test } from 'vitest';
import { runFormat, textsOf } from '#test/run-format.ts';
import { readStixPattern } from './stix-pattern.ts';

const MD5 = 'd'.repeat(32);
const SHA256 = 'e'.repeat(64);
const bundle = (...objects: readonly object[]) =>
  JSON.stringify({ type: 'bundle', id: 'bundle--1', objects });
const indicator = (pattern: string, more: object = {}) => ({ type: 'indicator', pattern, ...more });
const run = (...objects: readonly object[]) => runFormat({ kind: 'stix' }, bundle(...objects));

describe('patterns name their values', () => {
  test.each([
    ["[domain-name:value = 'evil.example.com']", ['evil.example.com']],
    ["[ipv4-addr:value='192.0.2.1' OR ipv6-addr:value = '2001:db8::1']", ['192.0.2.1', '2001:db8::1']],
    [
      "[ipv4-addr:value='192.0.2.1'] AND [url:value='http://a.example/x'] FOLLOWEDBY [email-addr:value='a@b.example']",
      ['192.0.2.1', 'http://a.example/x', 'a@b.example'],
    ],
    [
      "([ipv4-addr:value='192.0.2.1'] OR [ipv4-addr:value='192.0.2.2']) WITHIN 300 SECONDS",
      ['192.0.2.1', '192.0.2.2'],
    ],
    ["[domain-name:value IN ('a.example', 'b.example')] REPEATS 5 TIMES", ['a.example', 'b.example']],
    ["[ipv4-addr:value ISSUBSET '192.0.2.0/24']", ['192.0.2.0/24']],
    ["[url:value = 'http://a.example/it\\'s\\\\x']", ["http://a.example/it's\\x"]],
    ["[file:hashes.'SHA-256' = 'e1' AND file:hashes.MD5 = 'd1' AND file:name = 'x.exe']", ['e1', 'd1']],
    ["[network-traffic:dst_ref.value = '192.0.2.1' AND network-traffic:dst_port = 443]", ['192.0.2.1']],
    ['[autonomous-system:number = 64500]', ['64500']],
    ["[domain-name:value LIKE 'a.example']", ['a.example']],
    [
      "[ipv4-addr:value='192.0.2.1'] START t'2024-01-01T00:00:00Z' STOP t'2024-02-01T00:00:00Z'",
      ['192.0.2.1'],
    ],
  ])('%s', (pattern, values) => {
    const reading = readStixPattern(pattern);
    expect(reading.isBroken).toBe(false);
    expect(reading.values.map(({ text }) => text)).toEqual(values);
  });

  test.each([
    "[process:name = 'x']",
    "[file:name = 'x.exe']",
    "[domain-name:value LIKE '%.example.com']",
    "[domain-name:value MATCHES '^evil']",
    "[domain-name:value != 'good.example.com']",
    "[NOT-a-type:value NOT IN ('a')]",
    "[ipv4-addr:value NOT = '192.0.2.1']",
    '[EXISTS file:hashes.MD5]',
    "[file:hashes.'SHA-512' = 'aa']",
    "[domain-name:resolves_to_refs[*].value = '192.0.2.1']",
  ])('%s is understood and lists nothing', (pattern) => {
    const reading = readStixPattern(pattern);
    expect(reading).toMatchObject({ isBroken: false, values: [] });
    expect(reading.unsupported).toHaveLength(1);
  });

  test.each([
    "[domain-name:value = 'x",
    'domain-name',
    '[[a]]',
    ']',
    '[domain-name:value = ]',
    '[= = =]',
    "['a' = 'b']",
    '',
    '{}',
  ])('%s is broken', (pattern) => {
    expect(readStixPattern(pattern).isBroken).toBe(true);
  });
});

describe('a bundle', () => {
  test('gives entries with their dates, confidence and reference', () => {
    const { entries, dataDateMs } = run(
      indicator("[domain-name:value='evil.example.com']", {
        modified: '2024-06-01T00:00:00Z',
        valid_from: '2024-05-01T00:00:00.123Z',
        valid_until: '2025-05-01T00:00:00Z',
        confidence: 80,
        external_references: [{ source_name: 'x' }, { source_name: 'y', url: 'https://y.example/1' }],
      }),
    );
    expect(entries).toEqual([
      {
        text: 'evil.example.com',
        kind: 'any',
        firstSeenMs: Date.UTC(2024, 4, 1),
        lastSeenMs: Date.UTC(2025, 4, 1),
        confidence: 80,
        reference: 'https://y.example/1',
      },
    ]);
    expect(dataDateMs).toBe(Date.UTC(2024, 5, 1));
  });

  test('digests joined by AND are of one file, alternatives are not', () => {
    const both = `file:hashes.MD5 = '${MD5}' AND file:hashes.'SHA-256' = '${SHA256}'`;
    expect(run(indicator(`[${both}]`)).entries.map(({ siblings }) => siblings)).toEqual([[SHA256], [MD5]]);
    expect(run(indicator(`[${both.replace('AND', 'OR')}]`)).entries.map(({ siblings }) => siblings)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['revoked', { revoked: true }],
    ['benign', { indicator_types: ['benign'] }],
    ['a YARA rule', { pattern_type: 'yara' }],
  ])('an indicator that is %s is unsupported', (_, more) => {
    const result = run(indicator("[domain-name:value='a.example']", more));
    expect([result.entries, result.unsupported.length]).toEqual([[], 1]);
  });

  test('other objects and other patterns are unsupported, broken ones rejected', () => {
    const result = run(
      { type: 'malware' },
      indicator("[process:name='x']"),
      indicator("[domain-name:value='x"),
      { type: 'indicator' },
    );
    expect([result.unsupported.length, result.rejected.length]).toEqual([2, 2]);
  });

  test('a port or a file name beside a value is not counted separately', () => {
    const result = run(indicator("[ipv4-addr:value='192.0.2.1' AND network-traffic:dst_port=80]"));
    expect([textsOf(result), result.unsupported]).toEqual([['192.0.2.1'], []]);
  });
});
