import type { Page } from 'playwright-core';
import { SAMPLE } from './sample-peers.ts';
import type { Scene } from './screens.ts';

export const BULK_TEXT = [
  ...Object.values(SAMPLE).map((value, nth) => `03:${10 + nth} proxy CONNECT ${value} from 10.20.0.4`),
  ...Array.from({ length: 14 }, (_, nth) => `04:${10 + nth} sshd Failed password from 214.90.17.${40 + nth}`),
  '"wikipedia.org","300.1.2.3","iana.org","22.12.44.8","2d00:bf7:40:1::2a"',
  'reported by soc@example.com',
].join('\n');

const fill = (page: Page): Promise<void> => page.getByLabel('Text to read').fill(BULK_TEXT);

const run = async (page: Page): Promise<void> => {
  await fill(page);
  const button = page.getByRole('button', { name: /^Run/ });
  await page.locator('section[data-state="ready"] summary').first().waitFor();
  await button.click();
};

const bulk = (name: string, state: Scene['state'], more: Partial<Scene>): Scene => ({
  name: `bulk-${name}`,
  screen: 'bulk',
  state,
  path: '/app/bulk',
  isSignedIn: true,
  shows: 'h1',
  ...more,
});

const CHECKS = /^\/api\/bulk\/check/;

export const BULK: readonly Scene[] = [
  bulk('empty', 'empty', { shows: 'section[data-state="empty"]' }),
  bulk('signed-out', 'partial', {
    isSignedIn: false,
    act: async (page) => {
      await fill(page);
      await page.locator('section[data-state="ready"] summary').first().waitFor();
    },
  }),
  bulk('preview', 'partial', {
    act: async (page) => {
      await fill(page);
      await page.locator('section[data-state="ready"] summary').first().click();
    },
  }),
  bulk('loading', 'loading', {
    faults: [{ path: CHECKS, act: { kind: 'hang' } }],
    act: async (page) => {
      await run(page);
      await page.getByRole('progressbar').waitFor();
    },
  }),
  bulk('ready', 'ready', {
    isWindow: true,
    act: async (page) => {
      await run(page);
      await page.locator('section[data-state="done"]').waitFor();
      // The table measures its place before it draws the rows.
      await page.locator('[data-row="0"]').waitFor();
    },
  }),
  bulk('error', 'error', {
    faults: [
      {
        path: CHECKS,
        act: {
          kind: 'answer',
          status: 503,
          headers: { 'x-request-id': '5f0c-example' },
          body: { error: 'UNAVAILABLE', message: 'The data is being loaded. Try again in a minute.' },
        },
      },
    ],
    act: async (page) => {
      await run(page);
      await page.getByRole('alert').waitFor();
    },
  }),
];
