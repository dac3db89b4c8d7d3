import pg from 'pg';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../server/test/support/eventually.ts';
import { openBrowser, type Page } from '../support/browser.ts';
import { walk } from '../support/journey.ts';
import { LETTER_WITHIN_MS, type MailStack, startMailStack } from '../support/mail-stack.ts';

const PASSWORD = ' a sentence with spaces around it ';
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

const rail = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const tokenOf = (link: string): string => link.split('#token=')[1] ?? '';
/** Everything of the page that a script or a bystander can read. */
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
    await page.waitForURL('**/app/register');
    await fill(page, { 'E-mail address': email, Password: PASSWORD });
    await page.getByText('Look into the mailbox').waitFor();

    const link = await stack.linkTo(email, 'verify');
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'Prove your address' }).waitFor();
    await expect.poll(() => page.url()).not.toContain('token');
    expect(await readableOf(page)).not.toContain(tokenOf(link));
    await fill(page, { Password: 'not the right one' });
    await page.getByRole('alert').getByText('not the password that was chosen at registration').waitFor();
    await fill(page, { Password: PASSWORD });
    await rail(page).getByText(email).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/');

    await page.goto(link);
    await fill(page, { Password: PASSWORD });
    await page.getByText('This link does not work any more').waitFor();

    await page.goto('/app/forgot');
    await fill(page, { 'E-mail address': email });
    await page.getByText('If this address has an account').waitFor();
    await page.goto(await stack.linkTo(email, 'reset'));
    await fill(page, { 'New password': NEW_PASSWORD });
    await page.getByText('The new password is set').waitFor();
    // The session of this browser has ended with the old password.
    await rail(page).getByRole('link', { name: 'Sign in' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await fill(page, { 'E-mail address': email, Password: PASSWORD });
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

/** As if everybody had signed in an hour ago. */
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
    await fill(page, { 'Password for the dashboard': PASSWORD });
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
