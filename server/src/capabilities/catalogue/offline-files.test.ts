import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CATALOGUE, findRow, OFFLINE_FILES } from './catalogue.ts';

/** The data set of real lists, outside the repository; tests that read it are skipped where it is missing. */
const DATA = new URL('../../../../../shared/data/', import.meta.url);
const HAS_DATA = existsSync(new URL('MANIFEST.json', DATA));
const Manifest = z.array(
  z.object({ path: z.string(), rawBytes: z.number().optional(), threatClass: z.string().nullish() }),
);

const MALTRAIL = 'feeds/maltrail/maltrail-static-trails.tar.gz';
const DRIVERS = 'feeds/loldrivers/drivers.csv.gz';
const parts = OFFLINE_FILES.filter(({ role }) => role === 'part');

describe('files of the data set', () => {
  test('are each named once, except the archive that is four sources and the table that is two', () => {
    const paths = OFFLINE_FILES.map(({ path }) => path);
    const twice = paths.filter((path, index) => paths.indexOf(path) !== index);
    expect(twice).toEqual([DRIVERS, MALTRAIL, MALTRAIL, MALTRAIL]);
    expect(new Set(paths).size).toBe(343);
    expect(OFFLINE_FILES.filter(({ path }) => path === MALTRAIL).map(({ source }) => source)).toEqual([
      'maltrail-malware',
      'maltrail-malicious',
      'maltrail-suspicious',
      'maltrail-mass-scanner',
    ]);
  });

  test('belong to a row, or are left out with a reason', () => {
    for (const { path, source, role, note } of OFFLINE_FILES) {
      if (role === 'left-out') {
        expect(source, path).toBeNull();
        expect(note, path).toBeTruthy();
      } else expect(findRow(source ?? ''), path).not.toBeNull();
    }
  });

  test('left out are the built-in ranges and suffixes, broken links, free text and the ranges of Actions', () => {
    expect(
      OFFLINE_FILES.filter(({ role }) => role === 'left-out').map(({ path }) => path.split('/')[1]),
    ).toEqual(
      expect.arrayContaining([
        'rfc1918',
        'rfc6761',
        'tlds',
        'second-level-tlds',
        'unit42',
        'phishing-database',
      ]),
    );
    expect(OFFLINE_FILES.filter(({ role }) => role === 'left-out')).toHaveLength(13);
  });

  test('that are variants have a part beside them', () => {
    for (const { path, source, role } of OFFLINE_FILES)
      if (role === 'variant')
        expect(
          parts.some((part) => part.source === source),
          path,
        ).toBe(true);
    expect(
      OFFLINE_FILES.filter(({ source, role }) => source === 'urlhaus' && role === 'variant'),
    ).toHaveLength(7);
  });

  test('of C2 Tracker carry the family in their name, and the list of all comes last', () => {
    const files = parts.filter(({ source }) => source === 'c2-tracker');
    expect(files).toHaveLength(38);
    expect(files.filter(({ family }) => family !== undefined)).toHaveLength(37);
    expect(files.map(({ family }) => family)).toEqual(
      expect.arrayContaining(['AsyncRAT', 'Cobalt Strike', 'Brute Ratel C4', 'Gh0st RAT', 'Mozi']),
    );
    expect(files.at(-1)).toEqual({ path: 'feeds/c2-tracker/all.txt', source: 'c2-tracker', role: 'part' });
  });

  test.skipIf(!HAS_DATA)(
    'are exactly those of the manifest (only where the data set is beside the project)',
    () => {
      const listed = readManifest()
        .map(({ path }) => path)
        .toSorted();
      expect([...new Set(OFFLINE_FILES.map(({ path }) => path))].toSorted()).toEqual(listed);
      expect(listed).toHaveLength(343);
      for (const path of listed) expect(existsSync(new URL(path, DATA)), path).toBe(true);
    },
  );

  test.skipIf(!HAS_DATA)(
    'fit into the limits of their source three times (only where the data set is there)',
    () => {
      const sizes = new Map(readManifest().map(({ path, rawBytes }) => [path, rawBytes ?? 0]));
      for (const row of CATALOGUE) {
        const bytes = parts
          .filter(({ source }) => source === row.id)
          .reduce((sum, { path }) => sum + (sizes.get(path) ?? 0), 0);
        expect(row.bytesMax, row.id).toBeGreaterThanOrEqual(Math.min(bytes * 3, 512_000_000));
      }
    },
  );

  test.skipIf(!HAS_DATA)(
    'become a threat only where the manifest says threat (only where the data set is there)',
    () => {
      const classes = new Map(readManifest().map(({ path, threatClass }) => [path, threatClass]));
      for (const { path, source } of parts) {
        // EICAR is a threat here alone: the manifest has its list as harmless, but it exists to be detected (O53).
        if (path === MALTRAIL || path === EICAR) continue;
        const isThreat = findRow(source ?? '')?.threatClass === 'threat';
        expect(isThreat, path).toBe(classes.get(path) === 'threat');
      }
    },
  );
});

const EICAR = 'warninglists/eicar.com/list.json';

const readManifest = () =>
  Manifest.parse(JSON.parse(readFileSync(new URL('MANIFEST.json', DATA), 'utf8'))).filter(({ path }) =>
    /^(?:feeds|allowlists|warninglists)\//.test(path),
  );
