import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

export type { Page } from 'playwright-core';

/** Debian's Chromium; CHROMIUM names another one. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const openBrowser = (): Promise<Browser> =>
  // Tests run as root in containers, where Chromium has no sandbox to offer.
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--force-color-profile=srgb'] });

/** What a page must never do, collected while it is used. */
export type Watched = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests to another origin, policy violations, errors that nobody caught. Empty, or the test fails. */
  readonly offences: readonly string[];
  readonly close: () => Promise<void>;
};

export const DESKTOP = { width: 1360, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: DESKTOP, baseURL: origin, ...options });
  const page = await context.newPage();
  const offences: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('blob:'))
      offences.push(`asked ${request.url()}`);
  });
  page.on('pageerror', (error) => offences.push(`threw ${error.message}`));
  page.on('dialog', (dialog) => {
    offences.push(`opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/content security policy|violates the following/i.test(message.text())) offences.push(message.text());
  });
  await page.exposeFunction('assayOffence', (text: string) => offences.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      (globalThis as unknown as { assayOffence: (text: string) => void }).assayOffence(
        `policy: ${event.violatedDirective} ${event.blockedURI}`,
      );
    });
  });
  return { page, context, offences, close: () => context.close() };
}

/** Types the pair into the form, as a person does. */
export async function signIn(page: Page, pair: { apiKey: string; apiSecret: string }): Promise<void> {
  await page.goto('/app/sign-in');
  await page.getByLabel('API key', { exact: true }).fill(pair.apiKey);
  await page.getByLabel('API secret', { exact: true }).fill(pair.apiSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
}
