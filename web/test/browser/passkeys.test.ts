import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccounts, type TestAccounts } from '../../../server/test/support/accounts.ts';
import { freePort } from '../../../server/test/support/eventually.ts';
import { openBrowser, visit } from '../support/browser.ts';

/** The service at http://localhost, where browsers offer passkeys without HTTPS, and the authenticator of Chromium. */
let t: TestAccounts;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  [t, browser] = await Promise.all([createTestAccounts({ PUBLIC_WEB_URL: origin }), openBrowser()]);
  await t.app.listen({ host: '127.0.0.1', port });
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

const PASSWORD = 'a sentence of ten words';

test('Chromium registers a passkey, signs in with it alone, and it is removed', () =>
  visit(
    browser,
    origin,
    async ({ page, context }) => {
      await page.route(`${origin}/`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>x</title>' }),
      );
      await page.goto(`${origin}/`);
      const authenticator = await addAuthenticator(await context.newCDPSession(page));
      const email = 'passkey@example.com';
      await register(page, email);

      const created = await callService(page, 'POST', '/api/auth/passkeys', {
        label: 'Chromium',
        create: true,
      });
      expect([created.status, created.body.label]).toEqual([201, 'Chromium']);
      expect(await authenticator.count()).toBe(1);

      expect((await callService(page, 'POST', '/api/auth/logout', {})).status).toBe(204);
      const asked = await callService(page, 'POST', '/api/auth/login', { email, password: PASSWORD });
      expect(asked.body).toMatchObject({ signedIn: false, factorNeeded: ['passkey'] });

      const opened = await callService(page, 'POST', '/api/auth/passkey', { get: true });
      expect([opened.status, opened.body.account.email]).toEqual([200, email]);

      const { body } = await callService(page, 'GET', '/api/auth/passkeys');
      const removed = await callService(page, 'DELETE', `/api/auth/passkeys/${body.passkeys[0].id}`);
      expect(removed.status).toBe(204);
      const late = await callService(page, 'POST', '/api/auth/passkey', { get: true });
      expect(late.status).toBe(401);
    },
    { isAlone: true },
  ));

/** The letter is read from its row, because no mail server runs here. */
async function register(page: Page, email: string): Promise<void> {
  await callService(page, 'POST', '/api/auth/register', { email, password: PASSWORD });
  await t.settle();
  const { token } = await t.newestTo(email);
  const proven = await callService(page, 'POST', '/api/auth/verify', { token, password: PASSWORD });
  expect(proven.status).toBe(201);
}

async function addAuthenticator(devtools: CDPSession): Promise<{ readonly count: () => Promise<number> }> {
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return {
    count: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

type Sent = {
  readonly create?: true;
  readonly get?: true;
  readonly [field: string]: unknown;
};

/** Calls the service as a page of the dashboard does; `create` and `get` ask for options and use the authenticator first. */
const callService = (page: Page, method: string, path: string, sent?: Sent) =>
  page.evaluate(
    async ([verb, url, body]) => {
      const send = async (to: string, how: string, what?: object) => {
        const answer = await fetch(to, {
          method: how,
          ...(what !== undefined && {
            body: JSON.stringify(what),
            headers: { 'content-type': 'application/json' },
          }),
        });
        const text = await answer.text();
        return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
      };
      const { create, get, ...fields } = body ?? {};
      if (create === undefined && get === undefined) return send(url, verb, body && fields);
      const options = await send(`${url}/options`, 'POST', {});
      if (options.status !== 200) return options;
      const credential =
        create === true
          ? await navigator.credentials.create({
              publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options.body),
            })
          : await navigator.credentials.get({
              publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options.body),
            });
      const passkey = (credential as PublicKeyCredential).toJSON();
      return send(url, verb, { ...fields, passkey });
    },
    [method, path, sent] as const,
  );
