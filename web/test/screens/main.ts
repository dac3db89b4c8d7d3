import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContextOptions } from 'playwright-core';
import { DESKTOP, openBrowser, PHONE } from '../support/browser.ts';
import { buildDashboard } from '../support/build-dashboard.ts';
import { sceneOpener } from '../support/open-scene.ts';
import { startSampleStack } from '../support/sample-stack.ts';
import { SCENES } from '../support/screens.ts';
import { makeContactSheet } from './contact-sheet.ts';

/**
 * Pictures of every screen in every state, for people to look at: `npm run screens`, or `npm run screens -- bulk` for
 * those whose name holds the word. The data is the demonstration's.
 */
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: DESKTOP },
  dark: { colorScheme: 'dark', viewport: DESKTOP },
  phone: { colorScheme: 'light', viewport: PHONE, hasTouch: true, isMobile: true },
};
const FOLDER = join(import.meta.dirname, '../../screens');
const SHEET = join(import.meta.dirname, '../../../docs/screens/dashboard.webp');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'no-sheet': { type: 'boolean', default: false } },
});
const wanted = SCENES.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);

const webDir = await mkdtemp(join(tmpdir(), 'assay-web-'));
await buildDashboard(webDir);
await mkdir(FOLDER, { recursive: true });
const stack = await startSampleStack(webDir);
const browser = await openBrowser();
let problems = 0;
try {
  const openScene = await sceneOpener(stack, browser);
  for (const scene of wanted)
    for (const [look, options] of Object.entries(LOOKS)) {
      const picture = `${scene.name}.${look}.png`;
      try {
        const watched = await openScene(scene, options);
        await watched.page.mouse.move(0, 0);
        // Charts and maps come a moment after the words.
        await watched.page.waitForTimeout(600);
        await watched.page.screenshot({
          path: join(FOLDER, picture),
          fullPage: scene.isWindow !== true,
          animations: 'disabled',
        });
        await watched.close();
        for (const offence of watched.offences) say(`${picture}: ${offence}`);
        problems += watched.offences.length;
      } catch (error) {
        problems += 1;
        say(`${picture}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  say(`${wanted.length} scenes in ${FOLDER}`);
  if (positionals.length === 0 && !values['no-sheet'])
    say(`${await makeContactSheet(browser, FOLDER, SHEET)} bytes in ${SHEET}`);
} finally {
  await browser.close();
  await stack.stop();
  await rm(webDir, { recursive: true, force: true });
}
process.exitCode = problems === 0 ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
