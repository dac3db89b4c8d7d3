import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EntryKind } from '#capabilities/lists/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { bySize } from '#test/lane.ts';
import { type AdmitRules, admit, extrasOf, REFUSALS } from './admit.ts';

const DAY_MS = 86_400_000;
const LATEST_MS = Date.UTC(2026, 7, 22);
const THREAT: AdmitRules = {
  threatClass: 'threat',
  guard: null,
  canaries: true,
  rebaseMs: 0,
  latestMs: LATEST_MS,
};
const CONTEXT: AdmitRules = { ...THREAT, threatClass: 'infrastructure' };
const POPULAR: AdmitRules = { ...THREAT, threatClass: 'allowlist', guard: 'popularity' };

const answer = (text: string, rules = THREAT, kind: EntryKind = 'any') => {
  const result = admit(text, kind, rules);
  return result.ok ? result.indicator.value : `${result.kind}: ${result.reason}`;
};

describe('admitted entries', () => {
  test.each([
    ['185.220.101.1', '185.220.101.1'],
    ['hxxp://evil[.]example[.]net/a', 'http://evil.example.net/a'],
    ['EVIL.Example.COM.', 'evil.example.com'],
    ['45.9.148.0/24', '45.9.148.0/24'],
    ['11.0.0.0/8', '11.0.0.0/8'],
    ['2a0b:f4c2::/32', '2a0b:f4c2::/32'],
    ['192.168.1.1', `rejected: ${REFUSALS.bogon}`],
    ['10.0.0.0/8', `rejected: ${REFUSALS.bogon}`],
    ['http://10.1.2.3/x', `rejected: ${REFUSALS.bogon}`],
    ['172.0.0.0/8', `rejected: ${REFUSALS.holdsBogon}`],
    ['100.0.0.0/8', `rejected: ${REFUSALS.holdsBogon}`],
    ['192.0.0.0/16', `rejected: ${REFUSALS.holdsBogon}`],
    ['2001::/16', `rejected: ${REFUSALS.holdsBogon}`],
    ['1.0.0.0/4', `rejected: ${REFUSALS.tooWide}`],
    ['0.0.0.0/0', `rejected: ${REFUSALS.tooWide}`],
    ['2a00::/12', `rejected: ${REFUSALS.tooWide}`],
    ['github.io', `rejected: ${REFUSALS.platform}`],
    ['evil.github.io', 'evil.github.io'],
    ['8.8.8.8', `disposed: ${REFUSALS.canary}`],
    ['google.com', `disposed: ${REFUSALS.canary}`],
  ])('a threat list says %s: %s', (text, expected) => expect(answer(text)).toBe(expected));

  test('a value of a kind that the list does not hold is refused by itself', () => {
    const addresses = { ...THREAT, entityTypes: ['ip'] };
    expect(answer('45.9.148.0/24', addresses)).toBe('45.9.148.0/24');
    expect(admit('evil.example.net', 'any', addresses)).toMatchObject({
      kind: 'rejected',
      reason: REFUSALS.otherKind,
      strange: 'domain',
    });
    expect(answer('evil.example.net', { ...THREAT, entityTypes: [] })).toBe('evil.example.net');
  });

  test('a link of a report to its own publisher is refused, and what the report is about is not', () => {
    const report = { ...THREAT, isReport: true };
    for (const link of [
      'https://www.welivesecurity.com/2018/11/20/sednit/',
      'otx.alienvault.com',
      'virustotal.com',
    ])
      expect(answer(link, report)).toBe(`rejected: ${REFUSALS.reportLink}`);
    for (const entry of ['https://raw.githubusercontent.com/a/b/ntk.tmp', 'notvirustotal.com', 'a@eset.com'])
      expect(answer(entry, report)).toBe(entry);
    expect(answer('virustotal.com')).toBe('virustotal.com');
  });

  test('an address of NAT64, 6to4 or Teredo is listed as the IPv4 address it carries', () => {
    expect(answer('64:ff9b::185.220.101.1')).toBe('185.220.101.1');
    expect(answer('2002:b9dc:6501::1')).toBe('185.220.101.1');
    expect(answer('64:ff9b::10.0.0.1')).toBe(`rejected: ${REFUSALS.bogon}`);
  });

  test('public suffixes and unreadable text are refused with the messages of the domain', () => {
    expect(answer('com')).toContain('public suffix');
    for (const suffix of ['co.uk', 'gov.uk']) expect(answer(suffix)).toContain('strangers get names');
    expect(answer('nonsense')).toContain('single word');
  });

  test('a list that only describes may name platforms and known-good values', () => {
    expect(answer('github.io', CONTEXT)).toBe('github.io');
    expect(answer('8.8.8.8', CONTEXT)).toBe('8.8.8.8');
    expect(answer('8.8.8.8', { ...THREAT, canaries: false })).toBe('8.8.8.8');
  });

  test('a list of bogons is not a broken list: its entries are understood but never listed', () => {
    expect(answer('192.168.0.0/16', CONTEXT)).toBe(`unsupported: ${REFUSALS.bogon}`);
  });

  test('autonomous systems, coin addresses and telephone numbers are read only where the list says so', () => {
    expect(answer('AS64500', THREAT, 'asn')).toBe('AS64500');
    expect(answer('64500', THREAT, 'asn')).toBe('AS64500');
    expect(answer('AS64500')).toContain('rejected');
    expect(answer('0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B', THREAT, 'crypto')).toBe(
      '0xab5801a7d398351b8be11c439e05c5b3259aec9b',
    );
    expect(answer('+1 (415) 555-2671', THREAT, 'phone')).toBe('+14155552671');
    expect(answer('4155552671', THREAT, 'phone')).toContain('rejected');
  });

  test('an admitted value is admitted again, as itself, on which the file of known values relies', () => {
    const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.webUrl(), fc.emailAddress());
    fc.assert(
      fc.property(text, (given) => {
        const first = admit(given, 'any', THREAT);
        if (first.ok) expect(admit(first.indicator.value, 'any', THREAT)).toEqual(first);
      }),
      { numRuns: bySize(60, 300) },
    );
  });
});

describe('the facts of an entry besides its value', () => {
  const extras = (entry: object, rules = THREAT, family?: string) =>
    extrasOf({ text: 'evil.com', ...entry }, family, rules);

  test('an entry without other facts has none', () => {
    expect(extras({})).toBeNull();
    expect(extras({ kind: 'any' })).toBeNull();
    expect(extras({ confidence: Number.NaN, reference: ' ', firstSeenMs: 0 })).toBeNull();
  });

  test('dates are shifted together, and a date in the future becomes the date of the data', () => {
    const rules = { ...THREAT, rebaseMs: 10 * DAY_MS };
    expect(extras({ firstSeenMs: LATEST_MS - DAY_MS, lastSeenMs: LATEST_MS + DAY_MS }, rules)).toEqual({
      firstSeenMs: LATEST_MS + 9 * DAY_MS,
      lastSeenMs: LATEST_MS + 10 * DAY_MS,
    });
  });

  test('a first sighting after the last one is the last one, and the other way round', () => {
    const [early, late] = [LATEST_MS - 5 * DAY_MS, LATEST_MS - DAY_MS];
    expect(extras({ firstSeenMs: late, lastSeenMs: early })).toEqual({
      firstSeenMs: early,
      lastSeenMs: late,
    });
  });

  test('confidence is a whole number from 0 to 100', () => {
    expect(extras({ confidence: 250 })).toEqual({ confidence: 100 });
    expect(extras({ confidence: -3 })).toEqual({ confidence: 0 });
    expect(extras({ confidence: 66.6 })).toEqual({ confidence: 67 });
  });

  test('a family is the entry’s own, else the file’s, and fits its column', () => {
    expect(extras({}, THREAT, 'Emotet')).toEqual({ family: 'Emotet' });
    expect(extras({ family: 'Qakbot\0 ' }, THREAT, 'Emotet')).toEqual({ family: 'Qakbot' });
    expect(extras({ family: 'x'.repeat(500) })?.family).toHaveLength(80);
  });

  test('only a popularity list has ranks, and then no date of its own', () => {
    expect(extras({ rank: 7, lastSeenMs: LATEST_MS })).toEqual({ lastSeenMs: LATEST_MS });
    expect(extras({ rank: 7, lastSeenMs: LATEST_MS }, POPULAR)).toEqual({ rank: 7 });
    expect(extras({ rank: 0 }, POPULAR)).toBeNull();
    expect(extras({ rank: 4e9 }, POPULAR)).toBeNull();
  });

  test('siblings are the other digests of the same file, each once', () => {
    const [md5, sha1] = ['44d88612fea8a8f36de82e1278abb02f', '3395856ce81f2b7382dee72602f798b642f14140'];
    const found = extrasOf(
      { text: md5, siblings: [md5.toUpperCase(), sha1, sha1, 'x'.repeat(64)] },
      undefined,
      THREAT,
    );
    expect(found).toEqual({ siblings: [{ kind: 'hash', value: sha1, algorithm: 'sha1' }] });
    expect(parseIndicator(sha1).ok).toBe(true);
  });
});
