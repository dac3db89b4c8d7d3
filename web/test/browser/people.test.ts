import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { totpCode, totpStep } from '../../../server/src/domain/accounts/totp.ts';
import { openBrowser } from '../support/browser.ts';
import { type Hands, handsOn } from '../support/hands.ts';
import { walk } from '../support/journey.ts';
import { type MailStack, startMailStack } from '../support/mail-stack.ts';
import { axe } from '../support/page-rules.ts';

const PASSWORD = 'a sentence of ten words';

let stack: MailStack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startMailStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const rail = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** An authenticator that the person has unlocked, as a laptop with a fingerprint reader has one. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

/** From the first page of the dashboard to the session that the letter opens. */
async function register(page: Page, hands: Hands, email: string): Promise<void> {
  await page.goto('/app/');
  await hands.use(rail(page).getByRole('link', { name: 'Sign in' }));
  await hands.use(main(page).getByRole('link', { name: 'Register' }));
  await hands.reach(page.getByLabel('E-mail address'));
  await hands.type(email);
  await hands.reach(page.getByLabel('Password', { exact: true }));
  await hands.type(PASSWORD);
  await hands.press('Enter');
  await page.getByText('Look into the mailbox').waitFor();
  await hands.follow(await stack.linkTo(email, 'verify'));
  await hands.reach(page.getByLabel('Password', { exact: true }));
  await hands.type(PASSWORD);
  await hands.press('Enter');
  await rail(page).getByText(email).waitFor();
}

const isolated = { isAlone: true } as const;

test('by keyboard alone: register, add a passkey, sign in with it, make a key, run its first curl, see the month move', () =>
  walk(
    { browser, stack },
    async ({ page, context }) => {
      const email = 'first@example.com';
      const hands = handsOn(page);
      await addAuthenticator(context, page);
      const startedMs = performance.now();
      await register(page, hands, email);

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
  ));

/** The app of the person: it knows the secret as it was typed, in base32. */
function codeNow(secret: string, stepsOff = 0): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
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
      await register(page, hands, email);
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

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/app/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

async function workIn(page: Page, hands: Hands, account: string): Promise<void> {
  await hands.use(button(page, 'Switch account'));
  await hands.use(page.getByRole('dialog').getByRole('button', { name: account }));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await rail(page).getByText(account).waitFor();
}

test('an organization is made and a second person joins by letter, gets a role, becomes its owner; the first leaves', () =>
  walk(
    { browser, stack },
    async ({ page }) => {
      const [owner, guest] = ['owner@example.com', 'guest@example.com'];
      const hands = handsOn(page);
      await register(page, hands, owner);
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
          await register(second, secondHands, guest);
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
      await hands.use(button(page, `Change the role of ${guest}`));
      await page.getByLabel('Role').selectOption('ADMIN');
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
  ));
