import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { buildDashboard } from '../support/build-dashboard.ts';
import { streamsOf, untilEnd, untilIdle, walk } from '../support/journey.ts';
import { startStack } from '../support/stack.ts';

const VALUE = '45.155.205.10';

test('a page that React mounts twice sends one check', async () => {
  const webDir = await mkdtemp(join(tmpdir(), 'assay-web-'));
  await buildDashboard(webDir, 'development');
  const [strict, browser] = await Promise.all([startStack({ webDir }), openBrowser()]);
  try {
    await walk({ browser, stack: strict }, async ({ page }) => {
      await page.goto(`/app/ip/${VALUE}`);
      await untilEnd(page);
      await untilIdle(page);
      await page.getByRole('button', { name: 'Check again' }).click();
      await expect.poll(() => streamsOf(strict).length).toBeGreaterThan(1);
      await untilEnd(page);
      await untilIdle(page);
      expect(streamsOf(strict)).toHaveLength(2);
    });
  } finally {
    await browser.close();
    await strict.stop();
    await rm(webDir, { recursive: true, force: true });
  }
});
