import { describe, expect, test } from 'vitest';
import { acceptedStep, describeTotp, totpCode, totpStep } from './totp.ts';

const SECRET = new TextEncoder().encode('12345678901234567890');
const NOW_MS = 1_111_111_111_000;
const NOW = totpStep(NOW_MS);

describe('codes of authenticator apps', () => {
  // RFC 6238 appendix B, the rows of SHA-1.
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('RFC 6238: at second %i the code is %s', (second, code) => {
    expect(totpCode(SECRET, totpStep(second * 1_000), 8)).toBe(code);
    expect(totpCode(SECRET, totpStep(second * 1_000))).toBe(code.slice(2));
  });

  test.each([
    [-2, null],
    [-1, NOW - 1],
    [0, NOW],
    [1, NOW + 1],
    [2, null],
  ])('a code of %i steps from now gives %s', (off, step) => {
    expect(acceptedStep(SECRET, totpCode(SECRET, NOW + off), { nowMs: NOW_MS, lastStep: 0 })).toBe(step);
  });

  test('neither the code of the last step nor an earlier one is accepted again', () => {
    const at = (lastStep: number, off: number) =>
      acceptedStep(SECRET, totpCode(SECRET, NOW + off), { nowMs: NOW_MS, lastStep });
    expect([at(NOW, 0), at(NOW, -1), at(NOW, 1)]).toEqual([null, null, NOW + 1]);
  });

  test.each(['', '12345', '1234567', '14050471'])("'%s' is no code", (code) => {
    expect(acceptedStep(SECRET, code, { nowMs: NOW_MS, lastStep: 0 })).toBe(null);
  });

  test('the address for apps names the service and the person', () => {
    expect(describeTotp(SECRET, { issuer: 'app.example.com', account: 'a+b@example.com' })).toEqual({
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      uri: 'otpauth://totp/app.example.com:a%2Bb%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=app.example.com&algorithm=SHA1&digits=6&period=30',
    });
  });
});
