import { afterEach, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createUrlCheck } from '#platform/outbound/check-url.ts';
import { type DnsAnswer, type DnsPeer, startDnsPeer } from '#test/dns-peer.ts';
import { CALLER } from '#test/http-app.ts';
import { createWebhook } from './keep-endpoints.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

let dns: DnsPeer;
afterEach(() => dns.close());

/** The URL is checked before anything else, so the check is the only dependency that is reached. */
async function refusal(answers: Readonly<Record<'A' | 'AAAA', DnsAnswer>>) {
  dns = await startDnsPeer((type) => answers[type]);
  const checkUrl = createUrlCheck({ clock: systemClock(), dnsServers: [dns.server] });
  const body = { url: 'https://hooks.example.org/', events: [] } as unknown as Parameters<
    typeof createWebhook
  >[2];
  const by = { principal: CALLER } as Parameters<typeof createWebhook>[1];
  return createWebhook({ checkUrl } as unknown as WebhooksDeps, by, body).catch((error: unknown) => error);
}

test.each([
  ['whose name server fails', { A: 'SERVFAIL', AAAA: 'SERVFAIL' }],
  ['of which one family fails and the other has no address', { A: 'NXDOMAIN', AAAA: 'SERVFAIL' }],
] as const)(
  'the URL of a host %s is 503 with Retry-After: nothing is known about it',
  async (_name, dnsSays) => {
    expect(await refusal(dnsSays)).toMatchObject({
      status: 503,
      message:
        'The host of the URL could not be resolved now, so it could not be checked. Nothing was stored. Try again in 1 minute.',
      options: { headers: { 'Retry-After': '60' } },
    });
  },
);

test.each([
  ['that does not exist', { A: 'NXDOMAIN', AAAA: 'NXDOMAIN' }, /could not be resolved/],
  ['at a private address', { A: ['10.0.0.1'], AAAA: [] }, /not public/],
] as const)('the URL of a host %s is 400', async (_name, dnsSays, detail) => {
  expect(await refusal(dnsSays)).toMatchObject({
    status: 400,
    message: expect.stringMatching(detail),
    options: { details: [{ path: 'url', message: expect.stringMatching(detail) }] },
  });
});
