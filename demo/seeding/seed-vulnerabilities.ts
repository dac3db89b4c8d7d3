import { CVE_DATASETS } from '../../server/src/capabilities/cve/index.ts';
import { DAY_MS, HOUR_MS } from '../../server/src/platform/time-units.ts';
import { renderEpss, renderKev, renderNvd, vulnerabilitiesAt } from '../sample/vulnerabilities.ts';
import { loadSampleFile } from './load-sample-file.ts';
import type { Seeding } from './seeding.ts';

/** How long ago the inventory was scanned; vulnerabilities published since are news. */
export const SCANNED_AGO_MS = 3 * DAY_MS;
const EPSS_AGO_MS = 8 * DAY_MS;
/** What the scores of the earlier day were, compared with today. */
const EPSS_SHARE = 0.7;

/** Loads what was known of vulnerabilities before the inventory was scanned. */
export async function seedKnownVulnerabilities(seeding: Seeding): Promise<void> {
  const { todayMs } = seeding;
  const { known } = vulnerabilitiesAt(todayMs);
  const atMs = todayMs - SCANNED_AGO_MS - HOUR_MS;
  await load(seeding, 'nvd', renderNvd(known), atMs);
  await load(seeding, 'kev', renderKev(known, atMs), atMs);
  await load(seeding, 'epss', renderEpss(known, todayMs - EPSS_AGO_MS, EPSS_SHARE), atMs);
}

/** Loads what was published since. */
export async function seedNewVulnerabilities(seeding: Seeding): Promise<void> {
  const { todayMs } = seeding;
  const { known, news } = vulnerabilitiesAt(todayMs);
  const all = [...known, ...news];
  const atMs = todayMs - HOUR_MS;
  await load(seeding, 'nvd', renderNvd(news), atMs);
  await load(seeding, 'kev', renderKev(all, atMs), atMs);
  await load(seeding, 'epss', renderEpss(all, todayMs - DAY_MS), atMs);
}

async function load(seeding: Seeding, id: string, text: string, atMs: number): Promise<void> {
  const definition = CVE_DATASETS.find((each) => each.id === id);
  if (definition === undefined) throw new Error(`There is no data set '${id}'.`);
  await loadSampleFile(seeding, definition, { text, atMs });
}
