import type { Page } from 'playwright-core';
import { ACCOUNT } from './account-scenes.ts';
import { BULK } from './bulk-scenes.ts';
import { CONTEXT } from './context-scenes.ts';
import { ENTRY } from './entry-scenes.ts';
import type { Fault } from './fault-proxy.ts';
import { PEOPLE } from './people-scenes.ts';
import { SAMPLE } from './sample-peers.ts';

/** The states of a screen: `ready`, and five for content that arrives after the page or not at all. */
export type SceneState = 'loading' | 'partial' | 'empty' | 'degraded' | 'error' | 'ready';

export type Scene = {
  /** The name of the scene and of its picture: `screen-state`, or the screen and a detail. */
  readonly name: string;
  readonly screen: string;
  readonly state: SceneState;
  readonly path: string;
  readonly isSignedIn?: boolean;
  /** Faults on the way to the service, set before the page is opened. */
  readonly faults?: readonly Fault[];
  readonly hasFailingPeers?: boolean;
  readonly recent?: boolean;
  /** The picture shows only the window: for an overlay, or a table that draws visible rows only. */
  readonly isWindow?: boolean;
  /** Runs in the page before its own scripts. */
  readonly init?: () => void;
  readonly movesClock?: boolean;
  /** A selector that matches once the page is loaded. */
  readonly shows: string;
  /** The actions of a person and the expected result. `setFaults` sets faults from then on. */
  readonly act?: (page: Page, setFaults: (faults: readonly Fault[]) => void) => Promise<void>;
};

const STREAM = /^\/api\/check\/stream/;
const [STATS, ANALYTICS, FRESHNESS] = [/^\/api\/stats/, /^\/api\/analytics/, /data-freshness/];
const hang = (path: RegExp): Fault => ({ path, act: { kind: 'hang' } });
const refuse = (path: RegExp, status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  path,
  act: {
    kind: 'answer',
    status,
    headers: { 'x-request-id': '5f0c-example', ...headers },
    body: { error: code, message: SAID[code] ?? code },
  },
});
const SAID: Readonly<Record<string, string>> = {
  UNAVAILABLE: 'The data is being loaded. Try again in a minute.',
  RATE_LIMITED: 'Rate limit exceeded.',
};
const away = (path: RegExp): Fault => refuse(path, 503, 'UNAVAILABLE');

const ip = (value: string) => `/app/ip/${value}`;
/** A finished indicator page with its footer, which loads after the answer. */
const DONE = 'article[data-state="done"]:has(footer)';
const indicator = (
  name: string,
  path: string,
  state: SceneState,
  more: Partial<Scene> & { readonly shows?: string } = {},
): Scene => ({ name: `indicator-${name}`, screen: 'indicator', state, path, shows: DONE, ...more });

const HOME: readonly Scene[] = [
  {
    name: 'home-ready',
    screen: 'home',
    state: 'ready',
    path: '/app/',
    recent: true,
    shows: '[data-state="ready"] >> text=listed',
  },
  {
    name: 'home-empty',
    screen: 'home',
    state: 'empty',
    path: '/app/',
    shows: 'text=None in this browser yet',
  },
  {
    name: 'home-loading',
    screen: 'home',
    state: 'loading',
    path: '/app/',
    faults: [hang(STATS)],
    shows: 'p[data-state="loading"]',
  },
  {
    name: 'home-error',
    screen: 'home',
    state: 'error',
    path: '/app/',
    faults: [away(STATS)],
    shows: 'p[data-state="error"]',
  },
  {
    name: 'home-degraded',
    screen: 'home',
    state: 'degraded',
    path: '/app/',
    recent: true,
    faults: [hang(/^\/api\/health/)],
    shows: 'text=The service does not answer',
  },
  {
    name: 'home-list',
    screen: 'home',
    state: 'partial',
    path: '/app/',
    shows: 'text=Check an indicator',
    act: async (page) => {
      await page.getByLabel('Indicator to check').fill(`${SAMPLE.malicious} ${SAMPLE.lure} 8.8.8.8`);
      await page.getByRole('button', { name: /in bulk/ }).waitFor();
    },
  },
  {
    name: 'home-files',
    screen: 'home',
    state: 'partial',
    path: '/app/',
    shows: 'text=Check an indicator',
    act: async (page) => {
      await page.locator('search input[type=file]').setInputFiles([
        { name: 'invoice.pdf.exe', mimeType: '', buffer: Buffer.from('a sample of ours') },
        { name: 'empty.bin', mimeType: '', buffer: Buffer.of() },
        { name: 'loader.dll', mimeType: '', buffer: Buffer.from('another sample of ours') },
      ]);
      await page.getByRole('button', { name: 'Check 2 in bulk' }).waitFor();
    },
  },
];

const INDICATOR: readonly Scene[] = [
  indicator('ip-malicious', ip(SAMPLE.malicious), 'ready', { isSignedIn: true }),
  indicator('ip-tor', ip(SAMPLE.torExit), 'ready'),
  indicator('ip-contradictory', ip(SAMPLE.scanner), 'ready'),
  indicator('ip-service', ip('8.8.8.8'), 'ready'),
  indicator('domain-lookalike', '/app/domain/paypa1.com', 'ready'),
  indicator('ip-unknown', ip(SAMPLE.unknownIp), 'empty'),
  indicator('not-listing', ip(SAMPLE.unknownIp), 'empty', {
    act: async (page) => {
      await page.getByRole('button', { name: /Also show the \d+ that do not list it/ }).click();
      await page.getByRole('table', { name: 'Sources that do not list it' }).waitFor();
    },
  }),
  indicator('domain', `/app/domain/${SAMPLE.lure}`, 'ready'),
  indicator('domain-known-good', `/app/domain/${SAMPLE.popular}`, 'ready'),
  indicator('domain-unknown', `/app/domain/${SAMPLE.unknownDomain}`, 'empty'),
  indicator('url', `/app/url/${encodeURIComponent(SAMPLE.payload)}`, 'ready'),
  indicator('hash', `/app/hash/${SAMPLE.malware}`, 'ready'),
  indicator('hash-unknown', `/app/hash/${SAMPLE.unknownHash}`, 'empty'),
  indicator('reserved', ip(SAMPLE.reserved), 'empty', { shows: 'article[data-state="local"]' }),
  indicator('unreadable', '/app/ip/not-an-address', 'error', { shows: 'article[data-state="unreadable"]' }),
  indicator('loading', ip(SAMPLE.torExit), 'loading', {
    faults: [hang(STREAM)],
    shows: 'section[data-waiting]',
  }),
  indicator('partial', ip(SAMPLE.torExit), 'partial', {
    faults: [{ path: STREAM, act: { kind: 'hold', afterEvents: 1 } }],
    shows: 'text=Provisional',
  }),
  indicator('silent', `/app/domain/${SAMPLE.lure}`, 'degraded', {
    faults: [{ path: STREAM, act: { kind: 'hold', afterEvents: 1 } }],
    shows: 'text=/No answer yet/ >> nth=0',
  }),
  indicator('cut', ip(SAMPLE.torExit), 'error', {
    faults: [{ path: STREAM, act: { kind: 'cut', afterEvents: 2 } }],
    shows: 'article[data-state="cut"]',
  }),
  indicator('limited', ip(SAMPLE.torExit), 'error', {
    faults: [refuse(STREAM, 429, 'RATE_LIMITED', { 'retry-after': '1740' })],
    shows: 'article[data-state="refused"]',
  }),
  indicator('away', ip(SAMPLE.torExit), 'error', {
    faults: [away(STREAM)],
    shows: 'article[data-state="refused"]',
  }),
];

const PLATFORM: readonly Scene[] = [
  {
    name: 'overview-ready',
    screen: 'overview',
    state: 'ready',
    path: '/app/overview',
    shows: 'svg[role="img"] >> nth=1',
  },
  {
    name: 'overview-loading',
    screen: 'overview',
    state: 'loading',
    path: '/app/overview',
    faults: [hang(STATS), hang(ANALYTICS)],
    shows: 'h1',
  },
  {
    name: 'overview-empty',
    screen: 'overview',
    state: 'empty',
    path: '/app/overview',
    faults: [
      {
        path: ANALYTICS,
        act: {
          kind: 'answer',
          status: 200,
          body: {
            threatOverview: { byType: {} },
            threatTimeline: [],
            threatDistribution: [],
            categoryBreakdown: [],
            topSources: [],
            geoThreatMap: [],
          },
        },
      },
    ],
    shows: 'text=No source has been loaded',
  },
  {
    name: 'overview-error',
    screen: 'overview',
    state: 'error',
    path: '/app/overview',
    faults: [away(STATS), away(ANALYTICS)],
    shows: 'role=alert',
  },
  {
    name: 'overview-degraded',
    screen: 'overview',
    state: 'degraded',
    path: '/app/overview',
    movesClock: true,
    shows: 'text=By category',
    act: async (page, setFaults) => {
      setFaults([away(ANALYTICS), away(STATS)]);
      // Disables the browser's cache, which would answer for as long as the service allowed.
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
      await page.clock.runFor(301_000);
      await page.getByText('answered since').first().waitFor();
    },
  },
  {
    name: 'freshness-ready',
    screen: 'freshness',
    state: 'ready',
    path: '/app/status/data',
    isSignedIn: true,
    shows: 'text=Compare with the listed entries',
  },
  {
    name: 'freshness-signed-out',
    screen: 'freshness',
    state: 'partial',
    path: '/app/status/data',
    shows: 'text=Together they list',
  },
  {
    name: 'freshness-loading',
    screen: 'freshness',
    state: 'loading',
    path: '/app/status/data',
    isSignedIn: true,
    faults: [hang(FRESHNESS)],
    shows: 'div[data-state="loading"]',
  },
  {
    name: 'freshness-empty',
    screen: 'freshness',
    state: 'empty',
    path: '/app/status/data',
    isSignedIn: true,
    faults: [
      {
        path: FRESHNESS,
        act: {
          kind: 'answer',
          status: 200,
          body: {
            overallStatus: 'stale',
            generatedAt: '2026-11-15T12:00:00.000Z',
            datasets: [],
            actions: [],
            sourceCount: 0,
          },
        },
      },
    ],
    shows: 'text=No source is in use',
  },
  {
    name: 'freshness-error',
    screen: 'freshness',
    state: 'error',
    path: '/app/status/data',
    isSignedIn: true,
    faults: [away(FRESHNESS)],
    shows: 'role=alert',
  },
  {
    name: 'freshness-degraded',
    screen: 'freshness',
    state: 'degraded',
    path: '/app/status/data',
    isSignedIn: true,
    movesClock: true,
    shows: 'text=Compare with the listed entries',
    act: async (page, setFaults) => {
      setFaults([away(FRESHNESS), away(/data-ops/)]);
      await page.clock.runFor(61_000);
      await page.locator('text=the last numbers that came').waitFor();
    },
  },
];

const AROUND: readonly Scene[] = [
  {
    name: 'lost',
    screen: 'lost',
    state: 'empty',
    path: '/app/no/such/page',
    shows: 'text=nothing at this address',
  },
  {
    name: 'palette',
    isWindow: true,
    screen: 'palette',
    state: 'ready',
    path: ip(SAMPLE.torExit),
    shows: DONE,
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'shortcuts',
    isWindow: true,
    screen: 'shortcuts',
    state: 'ready',
    path: ip(SAMPLE.torExit),
    shows: DONE,
    act: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'copy-menu',
    isWindow: true,
    screen: 'copy-menu',
    state: 'ready',
    path: ip(SAMPLE.torExit),
    shows: DONE,
    act: async (page) => {
      await page.getByRole('button', { name: 'Copy as…' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
];

const UNANSWERED: readonly Scene[] = [
  indicator('unanswered', `/app/domain/${SAMPLE.mixed}`, 'degraded', { hasFailingPeers: true }),
];

export const SCENES: readonly Scene[] = [
  ...HOME,
  ...INDICATOR,
  ...BULK,
  ...CONTEXT,
  ...PLATFORM,
  ...ACCOUNT,
  ...ENTRY,
  ...PEOPLE,
  ...AROUND,
  ...UNANSWERED,
];

export const sceneOf = (name: string): Scene => {
  const found = SCENES.find((scene) => scene.name === name);
  if (found === undefined) throw new Error(`There is no scene '${name}'.`);
  return found;
};
