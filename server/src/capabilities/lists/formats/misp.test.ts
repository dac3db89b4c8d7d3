import { describe, expect, test } from 'vitest';
import { runFormat, textsOf } from '#test/run-format.ts';
import { mispGalaxy } from './misp-galaxy.ts';

const MD5 = 'a'.repeat(32);
const SHA1 = 'b'.repeat(40);
const SHA256 = 'c'.repeat(64);

describe('MISP warninglists', () => {
  const list = (type: string, entries: readonly string[], first = false) =>
    first
      ? JSON.stringify({ type, list: entries, version: 20260820 })
      : JSON.stringify({ list: entries, type, version: 20260820 });
  test.each([true, false])(
    'entries are taken whichever of type and list comes first (type first: %s)',
    (first) => {
      const run = runFormat(
        { kind: 'misp-warninglist' },
        list('hostname', ['.a.example.com', 'b.example.com'], first),
      );
      expect(textsOf(run)).toEqual(['a.example.com', 'b.example.com']);
      expect(run.dataDateMs).toBe(Date.UTC(2026, 7, 20));
    },
  );

  test.each([['substring'], ['regex']])('a list of type %s lists nothing', (type) => {
    for (const first of [true, false]) {
      const run = runFormat({ kind: 'misp-warninglist' }, list(type, ['mail', 'x'], first));
      expect([run.entries, run.unsupported.length]).toEqual([[], 2]);
    }
  });

  test('a list without a type is taken as it is', () => {
    expect(textsOf(runFormat({ kind: 'misp-warninglist' }, '{"list": ["192.0.2.0/24", 7]}'))).toEqual([
      '192.0.2.0/24',
    ]);
  });
});

describe('MISP events', () => {
  const event = {
    Event: {
      timestamp: '1714600000',
      Attribute: [
        { type: 'ip-dst', value: '192.0.2.1', to_ids: true, timestamp: '1714500000' },
        { type: 'ip-dst|port', value: '192.0.2.2|8080', to_ids: true },
        { type: 'domain|ip', value: 'a.example.com|192.0.2.3', to_ids: false },
        {
          type: 'url',
          value: 'http://a.example.com/a|b',
          to_ids: true,
          Tag: [{ name: 'misp-galaxy:malpedia="Emotet"' }],
        },
        { type: 'filename|sha256', value: `a|b.exe|${SHA256}`, to_ids: true },
        { type: 'uri', value: '/gate.php', to_ids: true },
        { type: 'AS', value: 'AS64500', to_ids: true },
        { type: 'md5', value: MD5, to_ids: true, deleted: true },
        { type: 'constructor', value: 'x' },
        { value: 'x' },
      ],
      Object: [
        {
          name: 'file',
          Attribute: [
            { type: 'md5', value: MD5 },
            { type: 'filename|sha1', value: `x|${SHA1}` },
            { type: 'sha256', value: SHA256 },
            { type: 'size-in-bytes', value: '7' },
          ],
        },
        {
          name: 'two',
          Attribute: [
            { type: 'md5', value: MD5 },
            { type: 'md5', value: 'f'.repeat(32) },
          ],
        },
      ],
    },
  };
  const FOUND = [
    '192.0.2.1',
    '192.0.2.2',
    'a.example.com',
    '192.0.2.3',
    'http://a.example.com/a|b',
    SHA256,
    'AS64500',
    MD5,
    SHA1,
    SHA256,
    MD5,
    'f'.repeat(32),
  ];

  test.each([
    ['alone', event],
    ['in an array', [event]],
    ['in the answer of an instance', { response: [event] }],
  ])('an event %s', (_, shape) => {
    const run = runFormat({ kind: 'misp-feed' }, JSON.stringify(shape));
    expect(textsOf(run)).toEqual(FOUND);
    expect([run.unsupported.length, run.rejected.length]).toEqual([4, 1]);
    expect(run.dataDateMs).toBe(1_714_600_000_000);
  });

  test('the digests of one object are siblings, unless two are of a kind', () => {
    const { entries } = runFormat({ kind: 'misp-feed' }, JSON.stringify(event));
    const siblings = entries.slice(7).map((entry) => entry.siblings);
    expect(siblings).toEqual([[SHA1, SHA256], [MD5, SHA256], [MD5, SHA1], undefined, undefined]);
  });

  test('details of an attribute stay with it', () => {
    const { entries } = runFormat({ kind: 'misp-feed' }, JSON.stringify(event));
    expect(entries[0]).toEqual({ text: '192.0.2.1', firstSeenMs: 1_714_500_000_000 });
    expect(entries[4]).toEqual({ text: 'http://a.example.com/a|b', family: 'Emotet' });
    expect(entries[6]).toEqual({ text: 'AS64500', kind: 'asn' });
  });

  test('a pair without its second half gives an empty entry, which is then rejected as such', () => {
    const text = JSON.stringify({ Event: { Attribute: [{ type: 'domain|ip', value: 'a.example.com' }] } });
    expect(textsOf(runFormat({ kind: 'misp-feed' }, text))).toEqual(['a.example.com', '']);
  });

  test('only attributes marked for detection, when the row says so', () => {
    const run = runFormat({ kind: 'misp-feed', toIdsOnly: true }, JSON.stringify(event));
    expect(textsOf(run)).toEqual(['192.0.2.1', '192.0.2.2', 'http://a.example.com/a|b', SHA256, 'AS64500']);
  });
});

test('a galaxy lists nothing and hands out names', () => {
  const names: unknown[] = [];
  let unsupported = 0;
  const parser = mispGalaxy(
    {
      entry: () => expect.unreachable(),
      rejected: () => expect.unreachable(),
      dataDate: () => undefined,
      unsupported: () => {
        unsupported += 1;
      },
    },
    (name) => names.push(name),
  );
  parser.write('{"values": [{"value": "APT1", "meta": {"synonyms": ["Comment Crew"]}}, {"value": "X"}]}');
  parser.end();
  expect([names, unsupported]).toEqual([
    [
      { name: 'APT1', synonyms: ['Comment Crew'] },
      { name: 'X', synonyms: [] },
    ],
    2,
  ]);
});
