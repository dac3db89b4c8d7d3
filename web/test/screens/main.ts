import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContextOptions } from 'playwright-core';
import { DESKTOP, openBrowser, PHONE } from '../support/browser.ts';
import { buildDashboard } from '../support/build-dashboard.ts';
import { sceneOpener } from '../support/open-scene.ts';
import { SAMPLE } from '../support/sample-peers.ts';
import { startSampleServices } from '../support/sample-services.ts';
import { SCENES } from '../support/screens.ts';
import { openStack } from '../support/stack.ts';
import { makeContactSheet } from './contact-sheet.ts';
import { takeVerdictPicture } from './verdict-picture.ts';

/**
 * Takes pictures of every screen in every state: `npm run screens`, `npm run screens -- bulk` for names that contain
 * the word, `npm run screens -- --verdict` for the two of README.md alone. The data is that of the demonstration.
 */
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: DESKTOP },
  dark: { colorScheme: 'dark', viewport: DESKTOP },
  phone: { colorScheme: 'light', viewport: PHONE, hasTouch: true, isMobile: true },
};
const FOLDER = join(import.meta.dirname, '../../screens');
const DOCS = join(import.meta.dirname, '../../../docs/screens');
const SHEET = join(DOCS, 'dashboard.webp');
const VERDICTS = { light: join(DOCS, 'verdict.webp'), dark: join(DOCS, 'verdict-dark.webp') } as const;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'no-sheet': { type: 'boolean', default: false },
    verdict: { type: 'boolean', default: false },
  },
});
const isWhole = positionals.length === 0 && !values.verdict;
const wanted = SCENES.filter(({ name }) => isWhole || positionals.some((word) => name.includes(word)));

const webDir = await mkdtemp(join(tmpdir(), 'assay-web-'));
await buildDashboard(webDir);
await mkdir(FOLDER, { recursive: true });
const services = await startSampleServices(webDir);
const [answering, failing] = await Promise.all([openStack(services.answering), openStack(services.failing)]);
const closeStacks = () => Promise.all([answering.stop(), failing.stop()]);
const browser = await openBrowser();
let problems = 0;
try {
  const openScene = await sceneOpener({ answering, failing }, browser);
  for (const scene of wanted)
    for (const [look, options] of Object.entries(LOOKS)) {
      const picture = `${scene.name}.${look}.png`;
      try {
        const watched = await openScene(scene, options);
        await watched.page.mouse.move(0, 0);
        // Charts and maps are drawn shortly after the text.
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
  if (isWhole && !values['no-sheet'])
    say(`${await makeContactSheet(browser, FOLDER, SHEET)} bytes in ${SHEET}`);
  if (values.verdict || (isWhole && !values['no-sheet']))
    for (const colorScheme of ['light', 'dark'] as const) {
      const file = VERDICTS[colorScheme];
      const shown = { origin: answering.url, address: SAMPLE.torExit, colorScheme, file };
      say(`${await takeVerdictPicture(browser, shown)} bytes in ${file}`);
    }
} finally {
  await browser.close();
  await closeStacks();
  await services.stop();
  await rm(webDir, { recursive: true, force: true });
}
process.exitCode = problems === 0 ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
