import { describe, expect, test } from 'vitest';
import { inheritDmarc, readDmarc } from './dmarc.ts';

describe('a DMARC record (RFC 7489)', () => {
  test.each([
    ['v=DMARC1; p=reject', 'reject', 100],
    ['v=DMARC1;p=QUARANTINE;pct=20', 'quarantine', 20],
    ['v=DMARC1; p=none; rua=mailto:a@example.com;', 'none', 100],
    ['v = DMARC1 ; p = reject', 'reject', 100],
    ['v=DMARC1; p=reject; pct=900', 'reject', 100],
    ['v=DMARC1; p=reject; pct=many', 'reject', 100],
    ['v=DMARC1; p=reject; sp=none', 'reject', 100],
  ])('%s asks for %s of %i %%', (text, policy, percent) => {
    expect(readDmarc([text])).toEqual({ text, policy, percent, isInherited: false });
  });

  test('a subdomain inherits the subdomain policy of the organization, or else its own policy', () => {
    expect(inheritDmarc(['v=DMARC1; p=reject; sp=none'])).toMatchObject({
      policy: 'none',
      isInherited: true,
    });
    expect(inheritDmarc(['v=DMARC1; p=quarantine'])?.policy).toBe('quarantine');
  });

  test('an unreadable policy counts as none when reports are wanted; otherwise there is no record', () => {
    expect(readDmarc(['v=DMARC1; p=destroy; rua=mailto:a@example.com'])?.policy).toBe('none');
    expect(readDmarc(['v=DMARC1; rua=mailto:a@example.com'])?.policy).toBe('none');
    expect(readDmarc(['v=DMARC1; p=reject; sp=destroy; rua=mailto:a@example.com'])?.policy).toBe('none');
    expect(readDmarc(['v=DMARC1; p=destroy'])).toBeNull();
    expect(readDmarc(['v=DMARC1'])).toBeNull();
  });

  test.each([
    [[]],
    [['v=spf1 -all']],
    [['v=dmarc1; p=reject']],
    [['p=reject; v=DMARC1']],
    [['v=DMARC2; p=reject']],
    [['v=DMARC1; p=reject; p=none']],
    [['v=DMARC1; p=reject; <b>']],
    [['v=DMARC1; p=reject', 'v=DMARC1; p=none']],
  ])('%j is not a DMARC record', (texts) => {
    expect(readDmarc(texts)).toBeNull();
  });
});
