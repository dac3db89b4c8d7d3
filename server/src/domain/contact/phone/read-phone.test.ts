import { describe, expect, test } from 'vitest';
import { readPhone } from './read-phone.ts';

const resolved = (text: string, country: string | null = null) => {
  const reading = readPhone(text, country);
  return reading.state === 'resolved' ? reading : null;
};

describe('readPhone (decisions 3.3)', () => {
  test.each([
    ['+14155552671', null, '+14155552671', 'US', 'e164', 'fixed_line_or_mobile'],
    ['(415) 555-2671', null, '+14155552671', 'US', 'nanp', 'fixed_line_or_mobile'],
    ['415.555.2671', null, '+14155552671', 'US', 'nanp', 'fixed_line_or_mobile'],
    ['1-800-555-1234', null, '+18005551234', 'US', 'nanp', 'toll_free'],
    ['0041 44 668 18 00', null, '+41446681800', 'CH', 'e164', 'fixed_line'],
    ['044 668 18 00', 'ch', '+41446681800', 'CH', 'country', 'fixed_line'],
    ['+44 (0)20 7946 0958', null, '+442079460958', 'GB', 'e164', 'fixed_line'],
    ['+86 138 0013 8000', 'CH', '+8613800138000', 'CN', 'e164', 'mobile'],
    ['+1 415 555 2671 ext 5', null, '+14155552671', 'US', 'e164', 'fixed_line_or_mobile'],
    ['tel:+1-415-555-2671;ext=5', null, '+14155552671', 'US', 'e164', 'fixed_line_or_mobile'],
    ['＋１４１５５５５２６７１', null, '+14155552671', 'US', 'e164', 'fixed_line_or_mobile'],
    ['٠٤٤٦٦٨١٨٠٠', 'CH', '+41446681800', 'CH', 'country', 'fixed_line'],
    ['+1–415–555–2671', null, '+14155552671', 'US', 'e164', 'fixed_line_or_mobile'],
    ['\u202a+1 415 555 2671\u202c', null, '+14155552671', 'US', 'e164', 'fixed_line_or_mobile'],
    ['+800 1234 5678', null, '+80012345678', null, 'e164', 'toll_free'],
  ] as const)('%s, country %s, is %s of %s by %s, a %s', (text, country, value, of, by, lineType) => {
    expect(resolved(text, country)).toMatchObject({
      phone: { kind: 'phone', value },
      countryCode: of,
      resolvedWith: by,
      lineType,
      isAssigned: true,
    });
  });

  test.each(['044 668 18 00', '2024-01-15', '12345678'])(
    '%s names no country and is not valid in North America: unresolved, not an error',
    (text) => {
      expect(readPhone(text, null)).toMatchObject({
        state: 'unresolved',
        reason: expect.stringContaining('country'),
      });
    },
  );

  test.each([
    ['1-800-FLOWERS', null, /digits/],
    ['call me', null, /digits/],
    ['', null, /digits/],
    ['112', null, /7 to 15/],
    ['4111111111111111', null, /7 to 15/],
    ['+999 1234567', null, /country code/],
    ['12345678', 'XX', /ISO 3166/],
    ['01234', 'CH', /Numbers of CH/],
    ['1'.repeat(100), null, /digits/],
  ] as const)('%s, country %s, is refused with what to do', (text, country, reason) => {
    expect(readPhone(text, country)).toMatchObject({
      state: 'refused',
      reason: expect.stringMatching(reason),
    });
  });

  test('a number whose range is assigned to no operator is read and marked unassigned', () => {
    expect(resolved('+1 555 555 5555')).toMatchObject({ isAssigned: false, lineType: 'unknown' });
    // The Mexican mobile form used before 2019, which older lists still hold.
    expect(resolved('+52 1 55 1234 5678')).toMatchObject({ countryCallingCode: '52' });
  });
});
