import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { makeMmdb } from '#test/mmdb.ts';
import { type AdminRun, adminRun } from '#test/run-admin.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'assay-reference-admin-'));
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const admin = (...args: readonly string[]): Promise<AdminRun> =>
  adminRun({ DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') }, ['reference', ...args]);

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const PLACES = makeMmdb({ '9.0.0.0/16': { country_code: 'DE' } });
const BUNDLE = JSON.stringify({
  type: 'bundle',
  objects: [
    {
      type: 'attack-pattern',
      id: 'attack-pattern--1',
      name: 'Phishing',
      modified: '2026-01-01T00:00:00.000Z',
      external_references: [{ source_name: 'mitre-attack', external_id: 'T1566' }],
      kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'initial-access' }],
    },
  ],
});

describe('admin reference', () => {
  test('list names the kinds that are not loaded', async () => {
    expect((await admin('list')).text).toMatch(/^Not loaded: geo, asn, attack\./);
  });

  test('load takes gzip, two tables and a date, and prints the contents', async () => {
    const [four, six] = [
      file('four.csv.gz', gzipSync('9.0.0.0,9.0.0.255,64500,A\n')),
      file('six.csv', '2a00::,2a00::ff,64501,B\n'),
    ];
    const loaded = await admin('load', 'asn', four, six, '--date', '2026-06-17', '--name', 'Networks');
    expect(loaded).toMatchObject({ code: 0, stderr: '' });
    expect(loaded.text).toMatch(
      /^asn: Networks, version [0-9a-f]{12}, data of 2026-06-17: 1 ranges4, 1 ranges6, 2 systems\.$/,
    );
    expect((await admin('load', 'asn', four, six)).text).toMatch(/in use already/);
    const { documents } = await admin('list', '--json');
    expect(documents).toMatchObject([
      { versions: [{ kind: 'asn', name: 'Networks', dataAt: '2026-06-17T00:00:00.000Z', inUse: true }] },
    ]);
  });

  test.each([
    [['load', 'cities', 'x'], "'cities' is not a kind; use one of geo, asn, attack."],
    [['load', 'geo', '/nowhere/at.all'], "'/nowhere/at.all' cannot be read (ENOENT)."],
    [
      ['load', 'geo', import.meta.filename],
      'reference.engine.test.ts is no MaxMind DB, or was cut off: it has no description at its end.',
    ],
    [
      ['load', 'asn', import.meta.filename, '--date', 'yesterday'],
      "'yesterday' is not a date; write it as in 2026-06-17.",
    ],
    [['load', 'asn', import.meta.filename, '--date', '2999-01-01'], /no table of networks/],
    [['import-manifest', '/nowhere'], /Name the folder that holds MANIFEST\.json\.$/m],
  ])('%j fails with one sentence and exit code 1', async (args, sentence) => {
    const { code, text, stderr } = await admin(...args);
    expect([code, text, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1]);
    if (typeof sentence === 'string') expect(stderr).toBe(`${sentence}\n`);
    else expect(stderr).toMatch(sentence);
  });

  test('import-manifest loads every kind in the data set and refuses files that differ from the manifest', async () => {
    const rows = [
      { id: 'geo-whois-asn-country/geo-whois-asn-country.mmdb', path: 'set/places.mmdb', content: PLACES },
      { id: 'asn/asn-ipv4.csv', path: 'set/four.csv', content: '9.0.0.0,9.0.0.255,64500,New\n' },
      { id: 'asn/asn-ipv6.csv', path: 'set/six.csv', content: '2a00::,2a00::ff,64500,New\n' },
      { id: 'mitre-attack/enterprise-attack.json', path: 'set/attack.json', content: BUNDLE },
    ];
    const manifest = rows.map(({ id, path, content }) => ({
      id,
      path,
      sha256: hash('sha256', content, 'hex'),
      date: '2026-06-17',
      name: `Name of ${id}`,
      licence: 'CC0-1.0',
    }));
    for (const { path, content } of rows) file(path, content);
    file('set/places.mmdb', 'changed on the way');
    file('MANIFEST.json', JSON.stringify([{ path: 'feeds/other' }, ...manifest]));
    const first = await admin('import-manifest', folder);
    expect(first.code).toBe(1);
    expect(first.stderr).toBe('1 of 3 kinds were refused; everything else is done.\n');
    expect(first.text).toMatch(
      /geo: refused\. set\/places\.mmdb is not the file of the manifest: its SHA-256 differs\./,
    );
    file('set/places.mmdb', PLACES);
    const { code, documents } = await admin('import-manifest', folder, '--json');
    expect(code).toBe(0);
    expect(documents).toMatchObject([
      {
        references: [
          { kind: 'geo', outcome: 'loaded', attribution: 'CC0-1.0', dataAt: '2026-06-17T00:00:00.000Z' },
          { kind: 'asn', outcome: 'unchanged', name: 'Name of asn/asn-ipv4.csv' },
          { kind: 'attack', outcome: 'unchanged', attribution: expect.stringContaining('MITRE') },
        ],
      },
    ]);
    expect((await admin('list')).text).not.toMatch(/Not loaded/);
  });
});
