import { writeFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { openPage } from '../support/browser.ts';

/** At this width the verdict still has two columns, and its text stays readable at half the size. */
const WINDOW = { width: 1_120, height: 1_400 } as const;
const SHARPNESS = 2;
const QUALITY = 80;
const MARGIN_PX = 16;

/** One verdict from its name to its last source, for the top of README.md. */
export async function takeVerdictPicture(
  browser: Browser,
  origin: string,
  address: string,
  file: string,
): Promise<number> {
  const { page, context, close } = await openPage(browser, origin, {
    viewport: WINDOW,
    colorScheme: 'light',
    deviceScaleFactor: SHARPNESS,
  });
  await page.goto(`/app/ip/${address}`);
  const article = page.locator('article[data-state="done"]');
  await article.waitFor({ timeout: 60_000 });
  // Charts are drawn shortly after the text.
  await page.waitForTimeout(2_000);
  const box = await article.boundingBox();
  const end = await article
    .getByRole('button', { name: /Also show the \d+ that do not list it/ })
    .boundingBox();
  if (box === null || end === null) throw new Error(`The page of ${address} has no verdict with sources.`);
  const top = Math.max(0, box.y - MARGIN_PX);
  const devtools = await context.newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    clip: {
      x: box.x - MARGIN_PX,
      y: top,
      width: box.width + 2 * MARGIN_PX,
      height: end.y - MARGIN_PX / 2 - top,
      scale: 1,
    },
  });
  await close();
  const bytes = Buffer.from(data, 'base64');
  await writeFile(file, bytes);
  return bytes.length;
}
