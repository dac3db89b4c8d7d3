import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quote } from './request-log.ts';

describe('values in the request line', () => {
  test('any text stays one JSON value on one line of bounded length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (value) => {
        const quoted = quote(value);
        expect(JSON.parse(quoted)).toBe(value.slice(0, 256));
        expect(quoted).not.toMatch(/[\n\r]/);
      }),
    );
  });

  test('terminal sequences are escaped', () => {
    expect(quote('\u001b[31mred')).toBe('"\\u001b[31mred"');
  });
});
