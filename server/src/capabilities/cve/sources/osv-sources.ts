import { readOsv } from '#domain/cve/index.ts';
import { DAY_MS, HOUR_S } from '#platform/time-units.ts';
import { endingWith } from './readers.ts';
import type { CveSourceRow } from './source-row.ts';

const GIB = 1024 ** 3;

/** Ecosystems with their folder at OSV; each folder includes GitHub's advisories. */
const ECOSYSTEMS: readonly (readonly [id: string, folder: string, told: number])[] = [
  ['osv-pypi', 'PyPI', 2_000],
  ['osv-npm', 'npm', 2_000],
  ['osv-go', 'Go', 2_000],
  ['osv-maven', 'Maven', 2_000],
  ['osv-rubygems', 'RubyGems', 300],
  ['osv-crates', 'crates.io', 300],
  ['osv-packagist', 'Packagist', 1_000],
  ['osv-nuget', 'NuGet', 200],
  ['osv-debian', 'Debian', 10_000],
  ['osv-alpine', 'Alpine', 2_000],
];

export const OSV_SOURCES: readonly CveSourceRow[] = ECOSYSTEMS.map(([id, folder, told]) => ({
  id,
  name: `OSV advisories of ${folder}`,
  publisher: 'OSV',
  kind: 'told',
  urls: [`https://osv-vulnerabilities.storage.googleapis.com/${folder}/all.zip`],
  pollS: 6 * HOUR_S,
  minIntervalS: HOUR_S,
  bytesMax: 2 * GIB,
  volume: { min: told, max: 2_000_000 },
  licence: 'CC-BY-4.0',
  attribution: 'Advisories of the OSV database, https://osv.dev',
  staleAfterMs: 7 * DAY_MS,
  isDefault: true,
  wants: endingWith('.json', '.yaml', '.yml'),
  read: readOsv,
  rejectShareMax: 0.05,
  expectedNulls: { osv: { packages: 0.05 } },
  covers: { ecosystem: folder },
}));
