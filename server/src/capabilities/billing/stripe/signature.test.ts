import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripeSignature } from '#test/peers/stripe-peer.ts';
import { signatureProblem } from './signature.ts';

const AT_MS = Date.UTC(2027, 0, 1);
const SECRET = 'whsec_1';
const BODY = '{"id":"evt_1"}';
const bytes = Buffer.from(BODY);
const header = (atMs = AT_MS, secret = SECRET): string =>
  stripeSignature(BODY, atMs, secret)['stripe-signature'];

test('a signature of the secret over these bytes is accepted for five minutes either way', () => {
  for (const shiftMs of [-300_000, 0, 300_000])
    expect(signatureProblem(header(), bytes, SECRET, AT_MS + shiftMs)).toBeNull();
  for (const shiftMs of [-301_000, 301_000])
    expect(signatureProblem(header(), bytes, SECRET, AT_MS + shiftMs)).toBe('old');
});

test('during a change of the secret one of several signatures has to fit', () => {
  const other = header(AT_MS, 'whsec_2').split(',')[1];
  const both = header().replace(',v1=', `,${other},v1=`);
  expect(signatureProblem(both, bytes, SECRET, AT_MS)).toBeNull();
  expect(signatureProblem(both, bytes, 'whsec_3', AT_MS)).toBe('wrong');
});

test.each([
  '',
  't=1',
  'v1=00',
  `t=x,v1=${'0'.repeat(64)}`,
  `t=1,t=2,v1=${'0'.repeat(64)}`,
  't=1,'.repeat(1_000),
])('the header %j is malformed', (text) => {
  expect(signatureProblem(text, bytes, SECRET, AT_MS)).toBe('malformed');
});

test('no changed byte of the body or of the header is accepted', () => {
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ flip;
      expect(signatureProblem(header(), changed, SECRET, AT_MS)).toBe('wrong');
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      expect(signatureProblem(text, bytes, SECRET, AT_MS)).not.toBeNull();
    }),
  );
});
