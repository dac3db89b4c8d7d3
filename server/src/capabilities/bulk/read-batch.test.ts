import { describe, expect, test } from 'vitest';
import { readBatch, skippedSentences } from './read-batch.ts';

const read = (...entities: string[]) => readBatch(entities, null);
const targetOf = (entity: string, country: string | null = null) =>
  readBatch([entity], country).entries[0]?.target;
const reasonOf = (entity: string, country: string | null = null) => {
  const target = targetOf(entity, country);
  return target === undefined || target.ok ? null : { type: target.type, reason: target.reason };
};

describe('reading a batch', () => {
  test('G20: duplicates are found trimmed and in lower case; the first spelling stays, in order', () => {
    const batch = read(' B.com', 'A.com', 'a.com ', 'b.COM', 'A.COM');
    expect(batch.entries.map(({ entity }) => entity)).toEqual(['B.com', 'A.com']);
    expect(batch).toMatchObject({ judged: 2, duplicates: 3, short: 0 });
  });

  test('a path keeps the case of its first spelling: it is judged as it was written', () => {
    const batch = read('http://evil.com/Payload.EXE', 'http://evil.com/payload.exe');
    expect(batch.entries).toMatchObject([
      { target: { ok: true, indicator: { value: 'http://evil.com/Payload.EXE' } } },
    ]);
    expect(batch.duplicates).toBe(1);
  });

  test('decisions 1.4: entries of less than three bytes are skipped, counted in bytes and not in characters', () => {
    const batch = read('a', 'é', '  ', '', '日', 'abc');
    expect(batch.short).toBe(4);
    expect(batch.entries.map(({ entity }) => entity)).toEqual(['日', 'abc']);
    expect(batch.judged).toBe(0);
  });

  test('only entities that can be judged are metered', () => {
    const batch = read('192.0.2.1', 'not an indicator', '10.0.0.0/8', 'someone@example.com', 'ab'.repeat(32));
    expect(batch.judged).toBe(3);
    expect(batch.entries.map(({ target }) => target.ok)).toEqual([true, false, false, true, true]);
  });

  test('the reason of a refused entity says what to send instead', () => {
    expect(reasonOf('10.0.0.0/8')).toMatchObject({
      type: 'unknown',
      reason: expect.stringContaining('range'),
    });
    expect(reasonOf('a'.repeat(128))).toMatchObject({ reason: expect.stringContaining('SHA-256') });
  });

  test('a phone number is recognised: with its country code, or when the caller names the country', () => {
    for (const [number, value] of [
      ['+49 170 1234567', '+491701234567'],
      ['tel:+14155552671', '+14155552671'],
      ['+1 (415) 555-2671', '+14155552671'],
    ] as const)
      expect(targetOf(number), number).toMatchObject({ ok: true, phone: { phone: { value } } });
    expect(reasonOf('0170 1234567')).toMatchObject({ type: 'unknown' });
    expect(targetOf('0170 1234567', 'DE')).toMatchObject({ phone: { phone: { value: '+491701234567' } } });
    expect(reasonOf('192.0.2.300', 'DE')).toMatchObject({ type: 'unknown' });
    expect(reasonOf('+cmd()')).toMatchObject({ type: 'unknown' });
  });

  test('a wallet is named as one, with the route that checks it', () => {
    expect(reasonOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toMatchObject({
      type: 'unknown',
      reason: expect.stringContaining('/api/check/crypto'),
    });
  });

  test('G18: skipped entries are reported in sentences, and without any there is none', () => {
    expect(skippedSentences(read('a.com'))).toEqual([]);
    expect(skippedSentences(read('a.com', 'A.com', 'x'))).toEqual([
      '1 duplicate was skipped and not charged.',
      '1 entry was skipped and not charged: less than three bytes.',
    ]);
    expect(skippedSentences(read('a.com', 'A.com', 'a.com', 'x', 'y'))).toEqual([
      '2 duplicates were skipped and not charged.',
      '2 entries were skipped and not charged: less than three bytes.',
    ]);
  });
});
