import type { BrowserContext, Page } from 'playwright-core';
import type { Hands } from './hands.ts';
import type { MailStack } from './mail-stack.ts';

export const PASSWORD = 'a sentence of ten words';

export const rail = (page: Page) => page.getByRole('navigation', { name: 'Main' });
export const main = (page: Page) => page.getByRole('main');
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** An authenticator that the person has unlocked, as a laptop with a fingerprint reader has one. */
export async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
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

/** Registers a person: from the first page of the dashboard to the session that the link of the letter opens. */
export async function register(
  stack: Pick<MailStack, 'linkTo'>,
  page: Page,
  hands: Hands,
  email: string,
): Promise<void> {
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

export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/app/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

export async function workIn(page: Page, hands: Hands, account: string): Promise<void> {
  await hands.use(button(page, 'Switch account'));
  await hands.use(page.getByRole('dialog').getByRole('button', { name: account }));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await rail(page).getByText(account).waitFor();
}
