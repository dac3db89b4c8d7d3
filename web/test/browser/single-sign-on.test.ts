import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HostileOidc, startHostileOidc } from '../../../server/test/support/peers/hostile-oidc.ts';
import { makeAuthority } from '../../../server/test/support/peers/tls-peer.ts';
import { startZonePeer, type ZonePeer } from '../../../server/test/support/peers/zone-peer.ts';
import { openBrowser, openPage, type Page } from '../support/browser.ts';
import { type Stack, startStack } from '../support/stack.ts';

const HOST = 'idp.corp.example.org';
const DOMAIN = 'corp.example.org';
const ORG = 'org_01M7KJEQVBSG58B439NJX31902';

/** The whole service, and an identity provider with a name of our test zone and a certificate of our test authority. */
let stack: Stack;
let browser: Browser;
let idp: HostileOidc;
let zones: ZonePeer;
const dir = mkdtempSync(join(tmpdir(), 'assay-sso-'));
beforeAll(async () => {
  const authority = makeAuthority();
  const certificates = join(dir, 'authority.pem');
  writeFileSync(certificates, authority.pem);
  zones = await startZonePeer();
  zones.records.set(`A ${HOST}`, ['127.0.0.1']);
  idp = await startHostileOidc(authority.issue({ names: [`DNS:${HOST}`] }), HOST);
  authority.close();
  const env = {
    NODE_EXTRA_CA_CERTS: certificates,
    DNS_SERVERS: zones.server,
    SSO_ALLOW: `127.0.0.1/32:${idp.port}`,
  };
  [stack, browser] = await Promise.all([startStack({ env }), openBrowser([HOST])]);
  await connect();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await idp?.close();
  zones?.close();
  rmSync(dir, { recursive: true, force: true });
});

async function connect(): Promise<void> {
  const owner = new pg.Client({ connectionString: stack.service.env.DATABASE_URL });
  await owner.connect();
  await owner.query(`insert into organization (id, name, created_at) values ($1, 'Corp', now())`, [ORG]);
  await owner.query(
    `insert into subscription (account_id, plan, status, updated_at) values ($1, 'ENTERPRISE', 'active', now())`,
    [ORG],
  );
  await owner.query(
    `insert into sso_connection (account_id, email_domain, issuer_url, client_id, enforce_sso, enabled, proof_token, proven_at,
                                 created_at, updated_at)
     values ($1, $2, $3, 'assay', false, true, $4, now(), now(), now())`,
    [ORG, DOMAIN, idp.issuer, 'x'.repeat(43)],
  );
  await owner.end();
}

/** Fails if the page asks any host but the provider, whose certificate is from our test authority and so is ignored. */
async function walk(steps: (page: Page) => Promise<void>): Promise<void> {
  const { page, offences, close } = await openPage(browser, stack.url, { ignoreHTTPSErrors: true });
  try {
    await steps(page);
    expect(offences.filter((offence) => !offence.startsWith(`asked https://${HOST}:`))).toEqual([]);
  } finally {
    await close();
  }
}

async function lookUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Enter');
}

test('a person signs in through the provider of their organization and lands where they wanted to go', () =>
  walk(async (page) => {
    idp.person = { sub: 'ada', email: `ada@${DOMAIN}` };
    await page.goto('/app/sign-in?next=/bulk');
    await page.getByRole('button', { name: 'Use single sign-on' }).click();
    await lookUp(page, 'ada@example.net');
    await page.getByText('No organization here has single sign-on for').waitFor();
    await lookUp(page, `ada@${DOMAIN}`);
    await page.getByRole('heading', { level: 1, name: 'Bulk triage' }).waitFor();
    const session = await page.evaluate(async () => (await fetch('/api/auth/session')).json());
    expect(session).toMatchObject({
      signedIn: true,
      organization: { id: ORG, name: 'Corp' },
      role: 'MEMBER',
    });
    // The token is in no address, history or storage any more, and opens nothing a second time.
    expect(await page.evaluate(() => [location.hash, sessionStorage.length])).toEqual(['', 0]);
  }));

test('a provider that lies: the sign-in page says so and nobody is signed in', () =>
  walk(async (page) => {
    idp.person = { sub: 'eve', email: 'eve@example.net' };
    await page.goto('/app/sign-in?with=sso');
    await lookUp(page, `eve@${DOMAIN}`);
    await page.getByText('Single sign-on did not work.').waitFor();
    const session = await page.evaluate(async () => (await fetch('/api/auth/session')).json());
    expect(session).toEqual({ signedIn: false });
  }));
