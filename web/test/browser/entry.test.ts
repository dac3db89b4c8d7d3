import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { totpCode, totpStep } from '../../../server/src/domain/accounts/totp.ts';
import { eventually } from '../../../server/test/support/eventually.ts';
import { IS_FULL_SIZE } from '../../../server/test/support/lane.ts';
import { openBrowser, type Page } from '../support/browser.ts';
import { handsOn } from '../support/hands.ts';
import { walk } from '../support/journey.ts';
import { LETTER_WITHIN_MS, type MailStack, startMailStack } from '../support/mail-stack.ts';
import { axe } from '../support/page-rules.ts';
import {
  addAuthenticator,
  button,
  heading,
  main,
  rail,
  register,
  signIn,
  workIn,
} from '../support/people-steps.ts';

const TYPED = ' a sentence with spaces around it ';
const NEW_PASSWORD = 'another sentence of mine';

let stack: MailStack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startMailStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const tokenOf = (link: string): string => link.split('#token=')[1] ?? '';
/** Everything that a script or a bystander could read: address, history, cookies, storage and the page itself. */
const readableOf = (page: Page): Promise<string> =>
  page.evaluate(() =>
    JSON.stringify([
      location.href,
      history.state,
      document.cookie,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.documentElement.outerHTML,
    ]),
  );

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.keyboard.press('Enter');
}

test('a person registers, proves the address by letter, sets a new password, signs in with it and confirms a change of keys', () =>
  walk({ browser, stack }, async ({ page }) => {
    const email = 'walker@example.com';
    await page.goto('/app/sign-in');
    await page.getByRole('link', { name: 'Register' }).click();
    await heading(page, 'Register').waitFor();
    await fill(page, { 'E-mail address': email, Password: TYPED });
    await page.getByText('Look into the mailbox').waitFor();

    const link = await stack.linkTo(email, 'verify');
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'Prove your address' }).waitFor();
    await expect.poll(() => page.url()).not.toContain('token');
    expect(await readableOf(page)).not.toContain(tokenOf(link));
    await fill(page, { Password: 'not the right one' });
    await page.getByRole('alert').getByText('not the password that was chosen at registration').waitFor();
    await fill(page, { Password: TYPED });
    await rail(page).getByText(email).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/');

    await page.goto(link);
    await fill(page, { Password: TYPED });
    await page.getByText('This link does not work any more').waitFor();

    await page.goto('/app/forgot');
    await fill(page, { 'E-mail address': email });
    await page.getByText('If this address has an account').waitFor();
    await page.goto(await stack.linkTo(email, 'reset'));
    await fill(page, { 'New password': NEW_PASSWORD });
    await page.getByText('The new password is set').waitFor();
    // The change of the password has ended the session of this browser.
    await rail(page).getByRole('link', { name: 'Sign in' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await fill(page, { 'E-mail address': email, Password: TYPED });
    await page.getByRole('alert').getByText('The address or the password is wrong').waitFor();
    await fill(page, { Password: NEW_PASSWORD });
    await rail(page).getByText(email).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/');

    await forgetProofs();
    await page.goto('/app/keys');
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Confirm that it is you').waitFor();
    await dialog.getByLabel('Your password').fill('not the right one');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    await dialog.getByLabel('Your password').fill(NEW_PASSWORD);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('First curl').waitFor();
  }));

/** Makes every proof of identity an hour old, so that the service asks for a new one. */
async function forgetProofs(): Promise<void> {
  const client = new pg.Client({ connectionString: stack.service.env.DATABASE_URL });
  await client.connect();
  await client.query("update session set proved_at = now() - interval '1 hour'");
  await client.end();
}

test('the claim of an instant key shows its new secret once, which works, and asks before it is left', () =>
  walk({ browser, stack }, async ({ page }) => {
    const email = 'instant@example.com';
    const made = await fetch(`${stack.service.url}/api/keys/instant`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    expect(made.status).toBe(201);
    await page.goto(await stack.linkTo(email, 'claim'));
    await fill(page, { 'Password for the dashboard': TYPED });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('First curl').waitFor();
    const [header = ''] = await dialog.locator('pre').allTextContents();
    const credential = header.replace('X-API-KEY: ', '');
    await eventually('the new secret works', LETTER_WITHIN_MS, async () => {
      const url = `${stack.service.url}/check?query=45.155.205.10`;
      return (await fetch(url, { headers: { 'X-API-KEY': credential } })).ok;
    });
    await page.keyboard.press('Escape');
    await dialog.getByText('You will not see this secret again').waitFor();
    await dialog.getByRole('button', { name: 'I have stored it, close' }).click();
    await page.getByText('The account is yours').waitFor();
    await rail(page).getByText(email).waitFor();
    expect(await readableOf(page)).not.toContain(credential);
    await page.getByRole('main').getByRole('link', { name: 'Check something' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/');
  }));

const isolated = { isAlone: true } as const;
/** The landing lane walks three of the five journeys; passkeys, keys and roles have tests of their own there. */
const longJourney = test.runIf(IS_FULL_SIZE);

longJourney(
  'by keyboard alone: register, add a passkey, sign in with it, make a key, run its first curl, see the month move',
  () =>
    walk(
      { browser, stack },
      async ({ page, context }) => {
        const email = 'first@example.com';
        const hands = handsOn(page);
        await addAuthenticator(context, page);
        const startedMs = performance.now();
        await register(stack, page, hands, email);

        await hands.command('Go to Security');
        await heading(page, 'Security').waitFor();
        await hands.use(button(page, 'Add a passkey'));
        await hands.reach(page.getByLabel('Name'));
        await hands.type('Laptop');
        await hands.press('Enter');
        await page.getByRole('table', { name: 'Passkeys' }).getByText('Laptop').waitFor();
        expect(await axe(page)).toEqual([]);

        await hands.use(button(page, 'Sign out'));
        await hands.use(main(page).getByRole('link', { name: 'Sign in' }));
        await hands.use(button(page, 'Use a passkey'));
        await page.getByRole('table', { name: 'Open sessions' }).getByText('Passkey').waitFor();

        await hands.command('Go to Keys');
        await heading(page, 'Keys').waitFor();
        await hands.use(button(page, /^Create a key/));
        await hands.reach(page.getByLabel('Name'));
        await hands.type('first');
        await hands.press('Enter');
        const dialog = page.getByRole('dialog');
        await dialog.getByText('First curl', { exact: true }).waitFor();
        const curl = await dialog.locator('pre').last().textContent();
        expect(curl).toContain(stack.service.url);
        const { stdout } = await promisify(execFile)('/bin/sh', ['-c', curl ?? '']);
        const seconds = (performance.now() - startedMs) / 1_000;
        expect(JSON.parse(stdout)).toMatchObject({ query: '185.220.101.1' });
        process.stdout.write(`figure web-first-curl-keys ${hands.keys()}\n`);
        process.stdout.write(`figure web-first-curl-seconds ${seconds.toFixed(1)}\n`);

        await dialog.getByText('A request was answered.').waitFor();
        await dialog.getByText('the month went from 0 to 1 of 500 checks').waitFor();
        await hands.press('Escape');
        await hands.use(dialog.getByRole('button', { name: 'I have stored it, close' }));
        await rail(page).getByText('499 of 500 checks left').waitFor();
        await hands.command('Go to Usage');
        await main(page).getByText('1 of 500 checks used this month, 499 left.').waitFor();
      },
      isolated,
    ),
);

/** The code that an authenticator app shows now, computed from the base32 secret. */
function codeNow(secret: string, stepsOff = 0): string {
  const bits = secret
    .split('')
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return totpCode(Uint8Array.from(bytes), totpStep(Date.now()) + stepsOff);
}
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

test('an app is set up with its secret, its code is asked for, a recovery code stands in for it, and a session is ended from another', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      const email = 'second-factor@example.com';
      const hands = handsOn(page);
      await register(stack, page, hands, email);
      await hands.command('Go to Security');
      await hands.use(button(page, 'Set up an app'));
      await hands.use(button(page, 'Show the secret'));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('img', { name: 'QR code with the secret for the app' }).waitFor();
      const secret = (await dialog.locator('code').first().textContent())?.replaceAll(' ', '') ?? '';
      await hands.type('000000');
      await hands.press('Enter');
      await dialog.getByText('The code is wrong').waitFor();
      await page.getByLabel('The code that the app shows now').fill(codeNow(secret));
      await hands.press('Enter');
      await page.getByText('An app is set up').waitFor();

      await hands.use(button(page, 'Make recovery codes'));
      await hands.use(button(page, 'Make ten codes'));
      const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await codes.first().waitFor();
      expect(await codes.count()).toBe(10);
      const spare = (await codes.first().textContent()) ?? '';
      const saved = page.waitForEvent('download');
      await hands.use(dialog.getByRole('button', { name: 'Download' }));
      expect((await saved).suggestedFilename()).toBe('assay-recovery-codes.txt');
      await hands.press('Escape');
      await dialog.getByText('You will not see these codes again').waitFor();
      await hands.use(dialog.getByRole('button', { name: 'I have stored it, close' }));
      await main(page).getByText('10 codes left').waitFor();

      await walk(
        { browser, stack },
        async ({ page: other }) => {
          await signIn(other, email);
          await other.getByLabel('Code of your authenticator app').fill(codeNow(secret, 1));
          await other.keyboard.press('Enter');
          await rail(other).getByText(email).waitFor();

          await page.reload();
          const row = page.getByRole('row').filter({ hasText: 'Password and a code of the app' });
          await expect.poll(() => row.count()).toBe(2);
          await hands.use(button(page, 'End the other session'));
          await hands.use(dialog.getByRole('button', { name: 'End it' }));
          await expect.poll(() => row.count()).toBe(1);
          await other.goto('/app/security');
          await main(other).getByRole('link', { name: 'Sign in' }).waitFor();

          await signIn(other, email);
          await other.getByRole('button', { name: 'Use a recovery code' }).click();
          await other.getByLabel('Recovery code').fill(spare);
          await other.keyboard.press('Enter');
          await rail(other).getByText(email).waitFor();
          await other.goto('/app/security');
          await main(other).getByText('9 codes left').waitFor();
        },
        isolated,
      );
    },
    isolated,
  ));

longJourney(
  'an organization is made and a second person joins by letter, gets a role, becomes its owner; the first leaves',
  () =>
    walk(
      { browser, stack },
      async ({ page }) => {
        const [owner, guest] = ['owner@example.com', 'guest@example.com'];
        const hands = handsOn(page);
        await register(stack, page, hands, owner);
        await hands.command('Go to Organization');
        await hands.use(button(page, 'Make an organization'));
        await hands.reach(page.getByLabel('Name'));
        await hands.type('Example Inc.');
        await hands.press('Enter');
        await rail(page).getByText('Example Inc.').waitFor();
        const members = page.getByRole('table', { name: 'Members' });
        await members.getByText(owner).waitFor();

        await hands.use(button(page, 'Invite a person'));
        await hands.reach(page.getByLabel('E-mail address'));
        await hands.type(guest);
        await hands.press('Enter');
        await page.getByRole('table', { name: 'Open invitations' }).getByText(guest).waitFor();

        await walk(
          { browser, stack },
          async ({ page: second }) => {
            const secondHands = handsOn(second);
            await register(stack, second, secondHands, guest);
            await secondHands.follow(await stack.linkTo(guest, 'invitation'));
            await secondHands.use(button(second, 'Join'));
            await rail(second).getByText('Example Inc.').waitFor();
            await workIn(second, secondHands, guest);
            await workIn(second, secondHands, 'Example Inc.');
            await secondHands.command('Go to Organization');
            await second.getByText('Owners and administrators invite people').waitFor();
            expect(await second.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
          },
          isolated,
        );

        await page.reload();
        await hands.use(button(page, `Change role of ${guest}`));
        const role = page.getByLabel('Role', { exact: true });
        await hands.reach(role);
        await hands.type('Adm');
        expect(await role.inputValue()).toBe('ADMIN');
        await hands.use(button(page, 'Change it'));
        await members.getByText('Administrator').waitFor();
        await hands.use(button(page, 'Hand over'));
        await hands.use(page.getByRole('dialog').getByRole('button', { name: 'Hand over' }));
        await main(page).getByText('You are its administrator').waitFor();
        await page
          .getByRole('table', { name: 'Audit trail' })
          .getByText('The organization was handed over')
          .waitFor();
        await hands.use(button(page, 'Leave the organization'));
        await hands.use(page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }));
        await heading(page, 'Sign in').waitFor();
      },
      isolated,
    ),
);
