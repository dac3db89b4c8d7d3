import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { eventually, sleep } from '../../../server/test/support/eventually.ts';
import { type BareBrowser, openBareBrowser } from './bare-browser.ts';

export type Opening = {
  /** Largest Contentful Paint, from the request. */
  readonly lcpMs: number;
  /** Cumulative Layout Shift. */
  readonly cls: number;
  /** Time of the first verdict; null on pages without one. */
  readonly verdictMs: number | null;
};

/** Waits this long for the largest paint, which the browser reports late and may replace by a later one. */
const SETTLE_MS = 400;
const READY_WITHIN_MS = 30_000;

async function timeOpening(browser: BareBrowser, { url, ready }: PageToTime): Promise<Opening> {
  const page = await browser.newPage(WATCH_PAINTS);
  try {
    await page.open(url);
    await eventually(`${url} is ready`, READY_WITHIN_MS, async () => {
      // Polls seldom, because each poll is work for the page.
      await sleep(SETTLE_MS);
      return page.read<boolean>(`document.querySelector(${JSON.stringify(ready)}) !== null`);
    });
    await sleep(SETTLE_MS);
    return await page.read<Opening>('opening');
  } finally {
    await page.close();
  }
}

/** Runs in the page before its own scripts and records the figures of `Opening`. */
const WATCH_PAINTS = `
  const opening = { lcpMs: 0, cls: 0, verdictMs: null };
  const watch = (type, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => { opening.lcpMs = startTime; });
  watch('layout-shift', ({ value }) => { opening.cls += value; });
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('[aria-label="Verdict"]:not([data-waiting])') === null) return;
    opening.verdictMs = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true, attributes: true });
`;

/** The static drawing that the dashboard is compared with. It is no part of the project and may be absent. */
export const MOCK_FILE = join(import.meta.dirname, '../../../../shared/design/mock/index.html');
export const hasMock = (): boolean => existsSync(MOCK_FILE);

/** Serves the drawing with the fonts of the dashboard, so that both load the same font bytes. */
export async function serveMock(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const { resolve } = createRequire(import.meta.url);
  const font = (family: string) =>
    readFileSync(resolve(`@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`));
  const files = new Map([
    ['/', { type: 'text/html; charset=utf-8', body: readFileSync(MOCK_FILE) }],
    ['/sans.woff2', { type: 'font/woff2', body: font('atkinson-hyperlegible-next') }],
    ['/mono.woff2', { type: 'font/woff2', body: font('atkinson-hyperlegible-mono') }],
  ]);
  const server = createServer(({ url = '/' }, response) => {
    const file = files.get(url);
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' });
    response.end(file?.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function summaryOf(openings: readonly Opening[]): Opening {
  const verdicts = openings.flatMap(({ verdictMs }) => (verdictMs === null ? [] : [verdictMs]));
  return {
    lcpMs: Math.round(median(openings.map(({ lcpMs }) => lcpMs))),
    cls: Math.max(...openings.map(({ cls }) => cls)),
    verdictMs: verdicts.length === 0 ? null : Math.round(median(verdicts)),
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

export type PageToTime = { readonly name: string; readonly url: string; readonly ready: string };

/**
 * Opens each page `rounds` times, in turns, because the speed of the shared machine drifts from minute to
 * minute.
 */
export async function timeInTurns(
  pages: readonly PageToTime[],
  rounds: number,
): Promise<ReadonlyMap<string, Opening>> {
  const browser = await openBareBrowser();
  try {
    const openings = new Map<string, Opening[]>(pages.map(({ name }) => [name, []]));
    // The first opening warms up the browser and the service; the cache is empty again for the next.
    for (const page of pages) await timeOpening(browser, page);
    for (let round = 0; round < rounds; round += 1)
      for (const page of pages) openings.get(page.name)?.push(await timeOpening(browser, page));
    return new Map([...openings].map(([name, all]) => [name, summaryOf(all)]));
  } finally {
    await browser.close();
  }
}
