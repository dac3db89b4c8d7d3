import { describe, expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

const utf16 = (text: string, order: 'le' | 'be'): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

describe('a dropped file', () => {
  test.each([
    ['UTF-8', Buffer.from('héllo 8.8.8.8')],
    ['UTF-8 with a mark', Buffer.from('\ufeffhéllo 8.8.8.8')],
    ['UTF-16 as Windows shells write it', utf16('héllo 8.8.8.8', 'le')],
    ['UTF-16 the other way round', utf16('héllo 8.8.8.8', 'be')],
  ])('in %s is read', (_what, bytes) => {
    expect(decodeText(bytes)).toBe('héllo 8.8.8.8');
  });

  test('that is a program or an archive is refused as text', () => {
    expect(decodeText(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0, 1))).toBeNull();
  });

  test('that is empty is an empty text', () => {
    expect(decodeText(new Uint8Array())).toBe('');
  });
});
