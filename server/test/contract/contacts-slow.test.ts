import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ContactsRig, openContactsRig } from '#test/contacts-rig.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { type BadDnsPeer, startBadDnsPeer } from '#test/peers/bad-dns-peer.ts';
import { sure } from './contact-rows.ts';

let rig: ContactsRig;
let bad: BadDnsPeer;

beforeAll(async () => {
  bad = await startBadDnsPeer('silent');
  rig = await openContactsRig(Date.UTC(2026, 7, 22, 12), bad.server);
  rig.registry.mode = 'hang';
  await rig.list('good-list', ['bad@strict-mail.com'], sure(80));
});
afterAll(async () => {
  await rig?.close();
  await bad?.close();
});

const COST = bySize('their fields', '5 s and their fields');
test(`a name server and a registry that never answer cost ${COST}, never the verdict`, async () => {
  const started = performance.now();
  const answer = await rig.app.inject({ method: 'GET', url: '/api/check/email?email=bad@strict-mail.com' });
  if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(6_500);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    verdict: 'malicious',
    riskScore: { score: 80 },
    validation: { mxValid: null },
    mailSecurity: { hasSPF: null, hasDMARC: null, hasDKIM: null, grade: null },
    dns: null,
    domainAge: null,
    dataTrust: { completeness: { present: ['sources'] } },
  });
});

test.each(['fast', 'basic'])('%s does not wait for the name server and the registry', async (level) => {
  const started = performance.now();
  const url = `/check/email?email=somebody@strict-mail.com&enrichment=${level}`;
  const answer = await rig.app.inject({ method: 'GET', url });
  if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(1_000);
  expect(answer.json()).toMatchObject({ enrichmentLevel: level, validation: { mxValid: null } });
});
