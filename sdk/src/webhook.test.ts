import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { verificationReply, verifyWebhook } from './webhook.ts';

const NOW = Date.UTC(2026, 10, 1);
const key = randomBytes(32);
const secret = `whsec_${key.toString('base64')}`;
const rawBody = JSON.stringify({
  type: 'alert.created',
  timestamp: '2026-11-01T00:00:00.000Z',
  sequence: 7,
  data: { n: 'ü' },
});
const sign = (id: string, timestamp: number, body: string) =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
const signedAt = (ms: number, more = '') => ({
  'Webhook-Id': 'dlv_1',
  'webhook-timestamp': String(ms / 1_000),
  'webhook-signature': `${more}${sign('dlv_1', ms / 1_000, rawBody)}`,
});

test('a delivery that is signed with the secret is read, as text or bytes, from any kind of headers', async () => {
  const expected = { id: 'dlv_1', type: 'alert.created', sequence: 7, data: { n: 'ü' } };
  const headers = signedAt(NOW);
  expect(await verifyWebhook({ headers, rawBody, secret, now: NOW })).toMatchObject(expected);
  const given = {
    headers: new Headers(headers),
    rawBody: new TextEncoder().encode(rawBody),
    secret,
    now: NOW,
  };
  expect(await verifyWebhook(given)).toMatchObject(expected);
});

test('one of several signatures, and one of several secrets, is enough', async () => {
  const headers = signedAt(NOW, `v1,${randomBytes(32).toString('base64')} v1a,x v1,?? `);
  const other = `whsec_${randomBytes(32).toString('base64')}`;
  expect(await verifyWebhook({ headers, rawBody, secret: [other, secret], now: NOW })).not.toBeNull();
  expect(await verifyWebhook({ headers, rawBody, secret: other, now: NOW })).toBeNull();
});

test('a changed byte, another id, an old or future time and a missing header are refused', async () => {
  const headers = signedAt(NOW);
  expect(await verifyWebhook({ headers, rawBody: `${rawBody} `, secret, now: NOW })).toBeNull();
  expect(
    await verifyWebhook({ headers: { ...headers, 'Webhook-Id': 'dlv_2' }, rawBody, secret, now: NOW }),
  ).toBeNull();
  for (const now of [NOW + 301_000, NOW - 301_000])
    expect(await verifyWebhook({ headers, rawBody, secret, now })).toBeNull();
  expect(await verifyWebhook({ headers: {}, rawBody, secret, now: NOW })).toBeNull();
  expect(
    await verifyWebhook({ headers: { ...headers, 'webhook-timestamp': 'NaN' }, rawBody, secret, now: NOW }),
  ).toBeNull();
});

test('a verification is answered with its challenge, every other delivery with no body', () => {
  expect(verificationReply({ type: 'webhook.verification', data: { challenge: 'abc' } })).toEqual({
    challenge: 'abc',
  });
  expect(verificationReply({ type: 'alert.created', data: { challenge: 'abc' } })).toBeNull();
});
