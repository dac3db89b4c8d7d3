import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';

const WIDE = [
  'indicator-ip-tor.light',
  'indicator-domain.dark',
  'bulk-ready.dark',
  'overview-ready.light',
  'home-ready.light',
  'freshness-ready.dark',
] as const;
const NARROW = [
  'indicator-ip-malicious.phone',
  'indicator-hash-unknown.phone',
  'bulk-ready.phone',
  'overview-ready.phone',
  'freshness-ready.phone',
] as const;

const SHEET_PX = 1_600;
const QUALITY = 80;

/** Makes one picture of the main screens for the documentation, laid out by the browser. */
export async function makeContactSheet(browser: Browser, folder: string, sheet: string): Promise<number> {
  const html = join(folder, 'sheet.html');
  await writeFile(html, page());
  const context = await browser.newContext({ viewport: { width: SHEET_PX, height: 1_000 } });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(html).href);
  const height = await tab.evaluate(() => document.documentElement.scrollHeight);
  const devtools = await context.newCDPSession(tab);
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: SHEET_PX, height, scale: 1 },
  });
  await context.close();
  const bytes = Buffer.from(data, 'base64');
  await mkdir(dirname(sheet), { recursive: true });
  await writeFile(sheet, bytes);
  return bytes.length;
}

const picture = (name: string): string => `<img src="${name}.png" alt="">`;

const page = (): string => `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; padding: 32px; background: #d9d6cd; }
  div { display: grid; gap: 24px; margin-bottom: 24px; }
  .wide { grid-template-columns: repeat(2, 1fr); }
  .narrow { grid-template-columns: repeat(${NARROW.length}, 1fr); margin: 0; }
  img { display: block; width: 100%; object-fit: cover; object-position: top; border: 1px solid #b9b6ad; box-sizing: border-box; }
  .wide img { aspect-ratio: 1360 / 900; }
  .narrow img { aspect-ratio: 390 / 844; }
</style><div class="wide">${WIDE.map(picture).join('')}</div><div class="narrow">${NARROW.map(picture).join('')}</div>`;
