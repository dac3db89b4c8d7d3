import { describe, expect, test } from 'vitest';
import { isEmptyPreview, type Preview, SHOWN_MAX } from './preview.ts';
import { readPreview as pieces } from './read-preview.ts';
import { SAMPLE_TEXT } from './sample-text.ts';

function readPreview(text: string): Preview {
  const steps = pieces(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

describe('the preview of a text', () => {
  test('groups what can be sent by type, canonical, in the order of the text', () => {
    const { groups } = readPreview(
      'hxxps://Evil[.]example[.]com/A then 9.9.9.9 and 8.8.8.8 and example[.]com',
    );
    expect(groups.map(({ kind, values }) => [kind, ...values])).toEqual([
      ['ip', '9.9.9.9', '8.8.8.8'],
      ['domain', 'example.com'],
      ['url', 'https://evil.example.com/A'],
    ]);
  });

  test('counts how often each appears, in any spelling', () => {
    const { groups } = readPreview('8.8.8.8 8[.]8[.]8[.]8 8.8.8.8');
    expect(groups).toEqual([{ kind: 'ip', values: ['8.8.8.8'], occurrences: 3 }]);
  });

  test.each([
    ['a private address', '192.168.1.1', '192.168.1.1', 'Private use, RFC 1918'],
    ['a documentation address', '2001:db8::1', '2001:db8::1', 'Documentation, RFC 3849'],
    ['a URL on a private address', 'http://10.0.0.1/admin', 'http://10.0.0.1/admin', 'Private use, RFC 1918'],
    ['a private range', '10.0.0.0/8', '10.0.0.0/8', 'Private use, RFC 1918'],
  ])('%s is never sent, and says why', (_what, text, value, why) => {
    const { groups, ranges, reserved } = readPreview(text);
    expect(groups).toEqual([]);
    expect(ranges.total).toBe(0);
    expect(reserved).toEqual({ total: 1, occurrences: 1, shown: [{ value, why }] });
  });

  test('a public range is not sent: a check takes one address', () => {
    const { groups, ranges } = readPreview('blocked 185.220.101.0/24');
    expect(groups).toEqual([]);
    expect(ranges).toEqual({ total: 1, occurrences: 1, shown: ['185.220.101.0/24'] });
  });

  test('text that looks like an indicator and cannot be parsed is listed with its reason', () => {
    const { rejected } = readPreview('seen 300.1.2.3 today');
    expect(rejected.total).toBe(1);
    expect(rejected.shown[0]).toEqual({ raw: '300.1.2.3', reason: expect.stringContaining('0 to 255') });
  });

  test('the lists of rejected values are shortened, their totals are not', () => {
    const text = Array.from({ length: SHOWN_MAX + 5 }, (_, n) => `10.0.0.${n}`).join('\n');
    const { reserved } = readPreview(text);
    expect(reserved.total).toBe(SHOWN_MAX + 5);
    expect(reserved.shown).toHaveLength(SHOWN_MAX);
  });

  test('what is not sent is counted as often as it occurs', () => {
    const { reserved, rejected } = readPreview('10.0.0.1 10.0.0.1 10.0.0.2 300.1.2.3 300.1.2.3');
    expect([reserved.total, reserved.occurrences]).toEqual([2, 3]);
    expect([rejected.total, rejected.occurrences]).toEqual([1, 2]);
  });

  test('a text without indicators is empty', () => {
    expect(isEmptyPreview(readPreview('nothing to see here'))).toBe(true);
    expect(isEmptyPreview(readPreview('8.8.8.8'))).toBe(false);
  });

  test('the sample shows every part: four types, a duplicate, reserved addresses, one that cannot be read', () => {
    const { groups, reserved, rejected } = readPreview(SAMPLE_TEXT);
    expect(groups.map(({ kind }) => kind)).toEqual(['ip', 'domain', 'url', 'hash']);
    expect(groups.some(({ values, occurrences }) => occurrences > values.length)).toBe(true);
    expect(reserved.total).toBeGreaterThan(0);
    expect(rejected.total).toBe(1);
  });

  test('of a long text is that of its parts together: each indicator once, all its occurrences counted', () => {
    const text = Array.from({ length: 5_000 }, (_, n) => `request from 9.9.9.${n % 100} denied`).join('\n');
    expect([...pieces(text)].length).toBeGreaterThan(5);
    const { groups } = readPreview(text);
    expect(groups).toHaveLength(1);
    expect(groups[0]?.values).toHaveLength(100);
    expect(groups[0]?.occurrences).toBe(5_000);
  });
});
