import { writeFile } from 'node:fs/promises';
import type { Browser, Locator } from 'playwright-core';
import { openPage } from '../support/browser.ts';

/** At this width the verdict still has two columns, and its text stays readable at half the size. */
const WINDOW = { width: 1_120, height: 1_400 } as const;
/** Taller than wide would push the first sentence of the README out of sight. */
const HEIGHT_MAX_PX = 1_040;
const SHARPNESS = 2;
const QUALITY = 80;
const MARGIN_PX = 16;

export type VerdictPicture = {
  readonly origin: string;
  readonly address: string;
  readonly colorScheme: 'light' | 'dark';
  readonly file: string;
};

/** One verdict from its name down to the last section that fits, for the top of README.md. */
export async function takeVerdictPicture(
  browser: Browser,
  { origin, address, colorScheme, file }: VerdictPicture,
): Promise<number> {
  const { page, context, close } = await openPage(browser, origin, {
    viewport: WINDOW,
    colorScheme,
    deviceScaleFactor: SHARPNESS,
  });
  await page.goto(`/app/ip/${address}`);
  const article = page.locator('article[data-state="done"]');
  await article.waitFor({ timeout: 60_000 });
  // Charts are drawn shortly after the text.
  await page.waitForTimeout(2_000);
  if ((await article.getByText('Did not answer').count()) > 0)
    throw new Error('A part of the answer came too late for the picture; take it on a less busy machine.');
  const box = await article.boundingBox();
  if (box === null) throw new Error(`The page of ${address} has no verdict.`);
  const top = Math.max(0, box.y - MARGIN_PX);
  const devtools = await context.newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: {
      x: box.x - MARGIN_PX,
      y: top,
      width: box.width + 2 * MARGIN_PX,
      height: (await endOf(article, top + HEIGHT_MAX_PX)) - top,
      scale: 1,
    },
  });
  await close();
  const bytes = Buffer.from(data, 'base64');
  await writeFile(file, bytes);
  return bytes.length;
}

/** Ends before the heading of the first section that does not fit, so that no section is cut. */
const endOf = (article: Locator, lastPx: number): Promise<number> =>
  article.evaluate((element, last) => {
    const bottom = element.getBoundingClientRect().bottom;
    const starts = [...element.querySelectorAll('h2')].map(
      (heading) => heading.getBoundingClientRect().top - 24,
    );
    return Math.max(...[...starts, bottom].filter((end) => end <= last));
  }, lastPx);
