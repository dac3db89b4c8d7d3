import { describe, expect, test } from 'vitest';
import { runFormat, textsOf } from '#test/run-format.ts';
import { isWholeFileBroken } from './open-format.ts';

describe('JSON by path', () => {
  test.each([
    ['["a.example.com", "*.b.example.com"]', ['[*]'], ['a.example.com', 'b.example.com']],
    ['{"allow": ["x"], "deny": ["a", "b"]}', ['deny[*]'], ['a', 'b']],
    [
      '{"prefixes": [{"ip_prefix": "192.0.2.0/24"}, {"ip_prefix": "198.51.100.0/24"}], "ipv6_prefixes": [{"ipv6_prefix": "2001:db8::/32"}]}',
      ['prefixes[*].ip_prefix', 'ipv6_prefixes[*].ipv6_prefix'],
      ['192.0.2.0/24', '198.51.100.0/24', '2001:db8::/32'],
    ],
    [
      '{"regions": [{"region": "r", "cidrs": [{"cidr": "192.0.2.0/24", "tags": ["x"]}]}]}',
      ['regions[*].cidrs[*].cidr'],
      ['192.0.2.0/24'],
    ],
    [
      '{"values": [{"name": "n", "properties": {"addressPrefixes": ["192.0.2.0/24", "198.51.100.0/24"]}}]}',
      ['values[*].properties.addressPrefixes[*]'],
      ['192.0.2.0/24', '198.51.100.0/24'],
    ],
    [
      '{"addresses": ["192.0.2.0/24"], "ipv6_addresses": ["2001:db8::/32"]}',
      ['*[*]'],
      ['192.0.2.0/24', '2001:db8::/32'],
    ],
    ['[[1, 2], [3]]', ['[*]'], ['1', '2', '3']],
    ['{"list": ["a", "b"]}', ['list'], ['a', 'b']],
  ] as const)('%s at %j', (text, each, found) => {
    expect(textsOf(runFormat({ kind: 'json', each }, text))).toEqual(found);
  });

  test('objects give their values and the facts about them', () => {
    const fields = {
      values: ['sha256', 'hashes.md5'],
      siblings: true,
      firstSeen: 'seen.first',
      lastSeen: 'seen.last',
      confidence: 'level',
      reference: 'links.url',
      family: 'malware',
    } as const;
    const text = `[{"sha256": "${'a'.repeat(64)}", "hashes": {"md5": "${'b'.repeat(32)}"}, "seen": {"first": "2024-05-01 10:00:00", "last": 1714600000},
      "level": 75, "links": [{"url": "https://x.example/1"}], "malware": "Emotet"}]`;
    const about = {
      firstSeenMs: Date.UTC(2024, 4, 1, 10),
      lastSeenMs: 1_714_600_000_000,
      confidence: 75,
      reference: 'https://x.example/1',
      family: 'Emotet',
    };
    expect(runFormat({ kind: 'json', each: ['[*]'], fields }, text).entries).toEqual([
      { text: 'a'.repeat(64), ...about, siblings: ['b'.repeat(32)] },
      { text: 'b'.repeat(32), ...about, siblings: ['a'.repeat(64)] },
    ]);
  });

  test('only the kinds the row asks for are listed, the others are unsupported', () => {
    const fields = { values: ['ioc'], only: { field: 'type', values: ['domain'] } };
    const run = runFormat(
      { kind: 'json', each: ['*[*]'], fields },
      '{"1": [{"ioc": "a", "type": "domain"}], "2": [{"ioc": "b", "type": "yara"}]}',
    );
    expect(textsOf(run)).toEqual(['a']);
    expect(run.unsupported).toHaveLength(1);
  });

  test('an object where a value is expected is rejected, nothing is dropped silently', () => {
    expect(runFormat({ kind: 'json', each: ['[*]'] }, '[{"a": 1}, null, true, ""]').rejected).toHaveLength(4);
  });

  test('host/path becomes a URL where the row says so', () => {
    const text = '["a.example.com/login", "b.example.com", "b.example.com/"]';
    expect(textsOf(runFormat({ kind: 'json', each: ['[*]'], schemelessUrls: true }, text))).toEqual([
      'http://a.example.com/login',
      'b.example.com',
      'b.example.com',
    ]);
  });

  test('the file says its own date', () => {
    expect(
      runFormat({ kind: 'json', each: ['x[*]'] }, '{"createDate": "2025-07-24-20-23-14", "x": []}')
        .dataDateMs,
    ).toBe(Date.UTC(2025, 6, 24, 20, 23, 14));
  });

  test('a truncated text is distinguished from a few bad entries', () => {
    const { rejected } = runFormat({ kind: 'json', each: ['[*]'] }, '["a.example.com", "b.exam');
    expect(rejected.map(([reason]) => isWholeFileBroken(reason))).toEqual([true]);
    expect(isWholeFileBroken('The line is not JSON.')).toBe(false);
  });
});

describe('NDJSON', () => {
  const text =
    '{"cidr":"192.0.2.0/24","sblid":"SBL1"}\r\n{"cidr":"198.51.100.0/24","sblid":"SBL2"}\n{"type":"metadata","timestamp":1714600000,"records":2}\n';
  test('each line is an object; the metadata at the end lists nothing and dates the list', () => {
    const run = runFormat({ kind: 'ndjson', fields: { values: ['cidr'], reference: 'sblid' } }, text);
    expect(run.entries).toEqual([
      { text: '192.0.2.0/24', reference: 'SBL1' },
      { text: '198.51.100.0/24', reference: 'SBL2' },
    ]);
    expect(run.unsupported).toHaveLength(1);
    expect(run.dataDateMs).toBe(1_714_600_000_000);
  });

  test('autonomous systems are numbers', () => {
    const run = runFormat(
      { kind: 'ndjson', fields: { values: ['asn'], entries: 'asn' } },
      '{"asn": 64500, "rir": "ripencc"}',
    );
    expect(run.entries).toEqual([{ text: '64500', kind: 'asn' }]);
  });

  test('a broken line does not stop the ones after it', () => {
    const run = runFormat(
      { kind: 'ndjson', fields: { values: ['a'] } },
      '{"a": "x"}\n{"a": \n[[[[\n{"a": "y"}',
    );
    expect(textsOf(run)).toEqual(['x', 'y']);
    expect(run.rejected).toHaveLength(2);
  });
});
