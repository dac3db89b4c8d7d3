import { describe, expect, test } from 'vitest';
import { parsePhone } from './index.ts';

const numberIn = (text: string): string | null => {
  const parsed = parsePhone(text);
  return parsed.ok ? parsed.indicator.value : null;
};

describe('parsePhone', () => {
  test.each([
    ['+14155552671', '+14155552671'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['tel:+41 44 668 18 00', '+41446681800'],
    ['0041 44 668 18 00', '+41446681800'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['+39 06 698 12345', '+390669812345'],
    ['+49.30.123456', '+4930123456'],
  ])('%s is the number %s', (text, value) => {
    expect(numberIn(text)).toBe(value);
  });

  test.each(['4155552671', '+0123456789', '+1', '+1234567890123456', '+1415CALLNOW', '', '00', '+-- --'])(
    '%s has no country code or is not a phone number',
    (text) => {
      expect(numberIn(text)).toBeNull();
    },
  );

  test('a parsed number is read back unchanged', () => {
    const value = numberIn('+1 415 555 2671') ?? '';
    expect(numberIn(value)).toBe(value);
  });
});
