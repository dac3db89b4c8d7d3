import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';

export type { Page } from 'playwright-core';

/** Debian's Chromium without a window system takes a quarter less CPU time; CHROMIUM names another browser. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
export const CHROMIUM = process.env.CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? 'chromium';

/** Host names in `local` resolve to this machine, for a peer that a page is redirected to. */
export const openBrowser = (local: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      // Tests run as root in containers, where Chromium has no sandbox.
      '--no-sandbox',
      '--force-color-profile=srgb',
      ...(local.length > 0
        ? [`--host-resolver-rules=${local.map((name) => `MAP ${name} 127.0.0.1`).join(',')}`]
        : []),
    ],
  });

export type Watched = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests to another origin, policy violations, errors that no handler caught. Empty, or the test fails. */
  readonly offences: readonly string[];
  readonly close: () => Promise<void>;
};

export const DESKTOP = { width: 1360, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;

export type PageOptions = Omit<BrowserContextOptions, 'storageState'> & {
  readonly cookies?: Parameters<BrowserContext['addCookies']>[0];
  /** Gives the page a context of its own, for a test that moves the page's clock. */
  readonly isAlone?: boolean;
};

/** Longer than any step takes on shared cores; a test about time sets its own limit. */
const WAIT_MS = 180_000;

export async function openPage(
  browser: Browser,
  origin: string,
  { cookies, isAlone = false, ...options }: PageOptions = {},
): Promise<Watched> {
  const wanted = { viewport: DESKTOP, baseURL: origin, ...options };
  const profile = isAlone ? null : await takeProfile(browser, wanted);
  const context = profile?.context ?? (await browser.newContext(wanted));
  if (cookies !== undefined) await context.addCookies(cookies);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const offences = await watchOffences(page, origin);
  const close = () => (profile === null ? context.close() : emptyProfile(profile, origin));
  return { page, context, offences, close };
}

/** Opens a page for these steps and closes it also when they fail, so that it cannot disturb the next test. */
export async function visit(
  browser: Browser,
  origin: string,
  steps: (watched: Watched) => Promise<void>,
  options: PageOptions = {},
): Promise<void> {
  const watched = await openPage(browser, origin, options);
  try {
    await steps(watched);
    if (watched.offences.length > 0) throw new Error(`The page did this:\n${watched.offences.join('\n')}`);
  } finally {
    await watched.close();
  }
}

async function watchOffences(page: Page, origin: string): Promise<readonly string[]> {
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
  return offences;
}

type Profile = { readonly context: BrowserContext; readonly devtools: CDPSession; isFree: boolean };

/** Contexts to use again, by their options: a new context opens a window, which costs more CPU than the dashboard. */
const profiles = new WeakMap<Browser, Map<string, Profile[]>>();

async function takeProfile(browser: Browser, options: BrowserContextOptions): Promise<Profile> {
  const ofBrowser = profiles.get(browser) ?? new Map<string, Profile[]>();
  profiles.set(browser, ofBrowser);
  const key = JSON.stringify(options);
  const alike = ofBrowser.get(key) ?? [];
  ofBrowser.set(key, alike);
  const free = alike.find(({ isFree }) => isFree);
  if (free !== undefined) {
    free.isFree = false;
    return free;
  }
  const context = await browser.newContext(options);
  // An empty page stays open to keep the window, and to empty the profile after the other pages are closed.
  const devtools = await context.newCDPSession(await context.newPage());
  const profile = { context, devtools, isFree: false };
  alike.push(profile);
  return profile;
}

/** Removes cookies, storage and the network cache before the next page. */
async function emptyProfile(profile: Profile, origin: string): Promise<void> {
  const { context, devtools } = profile;
  for (const page of context.pages().slice(1)) await page.close();
  await context.setOffline(false);
  await context.clearCookies();
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await devtools.send('Network.clearBrowserCache');
  profile.isFree = true;
}

type KeyPair = { readonly apiKey: string; readonly apiSecret: string };

/** Signs in with a key pair on the sign-in page, which first shows the fields for e-mail address and password. */
export async function enterPair(page: Page, { apiKey, apiSecret }: KeyPair): Promise<void> {
  if (new URL(page.url()).searchParams.get('with') !== 'key')
    await page.getByRole('button', { name: 'Use a key pair' }).click();
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.getByLabel('API secret', { exact: true }).fill(apiSecret);
  await page.keyboard.press('Enter');
}

export async function signIn(page: Page, pair: KeyPair): Promise<void> {
  await page.goto('/app/sign-in?with=key');
  await enterPair(page, pair);
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
}
