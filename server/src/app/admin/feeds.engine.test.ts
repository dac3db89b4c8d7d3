import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type AdminRun, adminRun } from '#test/run-admin.ts';
import { admin as adminProcess } from '#test/service.ts';

let database: TestDatabase;
let folder: string;
let system: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 1 });
  folder = mkdtempSync(join(tmpdir(), 'assay-feeds-admin-'));
});
afterAll(async () => {
  await system?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const admin = (...args: readonly string[]): Promise<AdminRun> =>
  adminRun({ DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') }, args);

/** Runs with --json and expects exactly one document and no other output. */
async function json<T>(...args: readonly string[]): Promise<T> {
  const run = await admin(...args, '--json');
  expect(run).toMatchObject({ code: 0, text: '', stderr: '' });
  expect(run.documents).toHaveLength(1);
  return run.documents[0] as T;
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

type Listed = {
  readonly sources: readonly {
    readonly id: string;
    readonly status: string;
    readonly entries: number;
    readonly scheduled: boolean;
    readonly dataAt: string | null;
    readonly fetchedAt: string | null;
  }[];
};
const listed = async (id: string) =>
  (await json<Listed>('feeds', 'list')).sources.find((source) => source.id === id);

/** A data set of two files that the catalogue knows and one that it does not. */
const dataSet = (): string =>
  folderOf('set', [
    ['feeds/firehol/blocklist_de_ftp.ipset', '# a list\n45.9.148.1\n45.9.148.2\n45.9.148.3\n45.9.148.4\n'],
    ['feeds/ipsum/ipsum.txt.gz', '45.9.148.1\t9\n'],
    ['feeds/strange.txt', 'y.example.com\n'],
  ]);

/** A folder with these files and their manifest, all of 22 August 2026. */
function folderOf(name: string, files: readonly (readonly [path: string, content: string])[]): string {
  const records = files.map(([path, content]) => {
    file(join(name, path), content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { path, date: '2026-08-22', bytes: content.length, entries: 4, sha256 };
  });
  file(`${name}/MANIFEST.json`, JSON.stringify(records));
  return join(folder, name);
}

type Imported = {
  readonly rebaseDays: number;
  readonly datasets: readonly {
    readonly datasets: readonly { readonly id: string; readonly status: string; readonly dataAt: string }[];
  }[];
  readonly totals: Readonly<Record<string, number>>;
  readonly sources: readonly { readonly id: string; readonly status: string; readonly entries: number }[];
  readonly notImported: { readonly unknown: readonly { readonly path: string }[] };
};

describe('feeds import-manifest', () => {
  test('says how to start when there are no sources', async () => {
    expect((await admin('feeds', 'list')).text).toContain(
      'No sources yet. Start with: feeds import-manifest',
    );
    expect((await admin('feeds', 'lineage')).text).toContain('Not measured yet');
    expect((await admin('feeds', 'quarantine')).text).toBe('Nothing is in quarantine.');
  });

  test('prints the table by source, the reasons and the totals, and names the files it did not take', async () => {
    const { text, code } = await admin('feeds', 'import-manifest', dataSet(), '--rebase');
    expect(code).toBe(0);
    const rows = text.split('\n').map((line) => line.split(/\s{2,}/));
    expect(rows[0]).toEqual(['source', 'class', 'rows', 'accepted', 'unsupported', 'rejected', 'top reason']);
    expect(rows.find(([id]) => id === 'blocklist-de-ftp')?.slice(0, 6)).toEqual([
      'blocklist-de-ftp',
      'threat',
      '4',
      '4',
      '0',
      '0',
    ]);
    expect(rows.find(([id]) => id === 'ipsum')?.at(-1)).toMatch(/^quarantined/);
    expect(text).toContain('Unknown: feeds/strange.txt.');
    expect(text).toMatch(/1 of \d sources imported, 1 quarantined/);
    expect(text).toContain('4 distinct threat indicators.');
    expect(text).toMatch(
      /The dates of listings were moved forward by \d+ days; those of CVEs and ransomware claims were not\./,
    );
    // The import itself measures lineage; otherwise copies would count as independent until the nightly job.
    expect((await admin('feeds', 'lineage')).text).not.toContain('Not measured yet');
  });

  test('a second time everything is unchanged; --json is one document', async () => {
    const report = await json<Imported>('feeds', 'import-manifest', dataSet(), '--rebase');
    expect(report.totals).toMatchObject({ imported: 0, unchanged: 1, quarantined: 1, threats: 4 });
    expect(report.notImported.unknown.map(({ path }) => path)).toEqual(['feeds/strange.txt']);
    expect(report.rebaseDays).toBeGreaterThan(0);
  });

  test('moved dates are marked wherever dates are shown', async () => {
    const sentence = /Dates of imported lists are moved forward by \d+ days \(--rebase\)\./;
    expect((await admin('feeds', 'list')).text).toMatch(sentence);
    expect((await admin('feeds', 'status', 'blocklist-de-ftp')).text).toMatch(sentence);
    const { datesMovedDays } = await json<{ datesMovedDays: number }>('replica', 'status');
    expect(datesMovedDays).toBeGreaterThan(0);
  });

  test('a source whose entries come from files was never fetched from its publisher', async () => {
    expect(await listed('blocklist-de-ftp')).toMatchObject({ entries: 4, fetchedAt: null });
    expect((await admin('feeds', 'list')).text).toMatch(/^blocklist-de-ftp\s.*\snever fetched\s+fresh$/m);
    expect((await admin('feeds', 'status', 'blocklist-de-ftp')).text).toMatch(/^fetched\s+never fetched$/m);
  });

  test('suggest names the key or the license that each missing list needs, and what it would add', async () => {
    const { text } = await admin('feeds', 'suggest');
    expect(text).toMatch(
      /^With a free key of the publisher\..*\n {2}threatfox: .*\n {2}phishtank: needs a free key \(PHISHTANK_KEY\); about 25,000 /m,
    );
    expect(text).toMatch(
      /--accept-licence\n {2}c2intelfeeds: needs its license accepted \(CC BY-NC-SA 4\.0\)/m,
    );
    const { suggestions } = await json<{ suggestions: readonly { sourceId: string; needs: string }[] }>(
      'feeds',
      'suggest',
    );
    expect(suggestions.find(({ sourceId }) => sourceId === 'threatfox')).toMatchObject({
      needs: 'key',
      keyVariable: 'ABUSE_CH_AUTH_KEY',
    });
  });

  test('--rebase moves listings only: CVEs and ransomware claims keep their dates (O69)', async () => {
    const kev = {
      cveID: 'CVE-2021-44228',
      vendorProject: 'Apache',
      product: 'Log4j2',
      dateAdded: '2021-12-10',
    };
    const facts = folderOf('facts', [
      ['feeds/firehol/blocklist_de_ftp.ipset', '# a list\n45.9.148.1\n45.9.148.2\n45.9.148.3\n45.9.148.4\n'],
      [
        'cve/kev/known_exploited_vulnerabilities.json.gz',
        JSON.stringify({
          catalogVersion: '2026.08.22',
          dateReleased: '2026-08-22T00:00:00.000Z',
          count: 1,
          vulnerabilities: [
            { ...kev, vulnerabilityName: 'Log4Shell', shortDescription: 'Exploited.', dueDate: '2021-12-24' },
          ],
        }),
      ],
      [
        'ransomware/ransomwatch/posts.json.gz',
        JSON.stringify([
          { post_title: 'Northwind Clinic', group_name: 'akira', discovered: '2026-08-04 08:00:00.000000' },
        ]),
      ],
    ]);
    const report = await json<Imported>('feeds', 'import-manifest', facts, '--rebase');
    expect(report.rebaseDays).toBeGreaterThan(0);
    const dates = report.datasets.flatMap(({ datasets }) =>
      datasets.map(({ id, status, dataAt }) => [id, status, dataAt]),
    );
    expect(dates).toEqual([
      ['kev', 'imported', '2026-08-22T00:00:00.000Z'],
      ['ransomwatch-posts', 'imported', '2026-08-22T00:00:00.000Z'],
    ]);
    const { rows } = await sql`
      select (select kev_added::text from cve where id = 'CVE-2021-44228') as kev,
             (select discovered_at from ransomware_claim where victim = 'Northwind Clinic') as claim`.execute(
      system.db,
    );
    expect(rows).toEqual([{ kev: '2021-12-10', claim: new Date('2026-08-04T08:00:00Z') }]);
    const told = await admin('ransomware', 'import-manifest', facts, '--rebase');
    expect(told).toMatchObject({ code: 0 });
    expect(told.text).toContain('No date was moved');
  });

  test('a list in quarantine is shown with its reason and taken when the operator accepts it', async () => {
    const quarantine = await json<{ quarantine: readonly { sourceId: string; gate: string }[] }>(
      'feeds',
      'quarantine',
    );
    expect(quarantine.quarantine).toMatchObject([{ sourceId: 'ipsum', gate: 'volume' }]);
    expect((await admin('feeds', 'status', 'ipsum')).text).toContain('fewer than the');
    const report = await json<Imported>(
      'feeds',
      'import-manifest',
      dataSet(),
      '--rebase',
      '--accept',
      'ipsum',
    );
    expect(report.totals).toMatchObject({ imported: 1, quarantined: 0, unchanged: 1 });
    expect(await json('feeds', 'quarantine')).toEqual({ quarantine: [] });
    expect(await listed('ipsum')).toMatchObject({ entries: 1, status: 'fresh' });
  });

  test('started as a process: progress on stderr, one document on stdout', async () => {
    const report = await adminProcess<Imported>(
      { ASSAY_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') },
      ['feeds', 'import-manifest', dataSet(), '--rebase', '--reread'],
    );
    expect(report.totals).toMatchObject({ added: 0, removed: 0, changed: 0 });
  });
});

describe('feeds import', () => {
  test('a plain list of a new source', async () => {
    const path = file('mine.txt', '# mine\n45.155.205.1\nbad.example.com\n10.0.0.1\nbad.example.com\n');
    const report = await json(
      'feeds',
      'import',
      'my-list',
      path,
      '--category',
      'c2',
      '--data-date',
      '2026-08-22',
    );
    expect(report).toMatchObject({
      sourceId: 'my-list',
      isNew: true,
      lines: 4,
      entries: 2,
      added: 2,
      duplicates: 1,
      rejected: 1,
      reasons: [{ kind: 'rejected', count: 1, example: '10.0.0.1' }],
    });
    expect(await listed('my-list')).toMatchObject({ dataAt: '2026-08-22T00:00:00.000Z', scheduled: false });
    const text = (await admin('feeds', 'import', 'my-list', path)).text;
    expect(text).toContain('my-list: 2 entries; 0 added, 0 removed, 0 changed, 2 unchanged');
    expect(text).toContain('1 x rejected:');
  });

  test.each([
    ['csv', 'a.csv', 'id,indicator\n1,one.example.com\n', ['--format', 'csv', '--column', 'indicator']],
    ['hosts', 'a.hosts', '0.0.0.0 one.example.com\n', ['--format', 'hosts']],
    [
      'json',
      'a.json',
      '{"x":[{"d":"one.example.com"}]}',
      ['--format', 'json', '--each', 'x[*]', '--field', 'd'],
    ],
    ['ndjson', 'a.ndjson', '{"d":"one.example.com"}\n', ['--format', 'ndjson', '--field', 'd']],
    ['adblock', 'a.adblock', '||one.example.com^\n', ['--format', 'adblock']],
  ])('%s', async (format, name, content, args) => {
    const report = await json('feeds', 'import', `as-${format}`, file(name, content), ...args);
    expect(report).toMatchObject({ entries: 1, rejected: 0 });
  });

  test('a source of the catalogue has its own format, and its gates unless the operator insists', async () => {
    const path = file('spam404.txt', 'one.example.com\n');
    const refused = await admin('feeds', 'import', 'spam404', path);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("The list for 'spam404' was not taken; its last good content was kept.");
    expect(refused.stderr).toContain('Add --force to take it all the same.');
    expect(await json('feeds', 'import', 'spam404', path, '--force')).toMatchObject({ entries: 1 });
  });

  test('unusable content is refused even with --force', async () => {
    const page = file('page.txt', '<!DOCTYPE html>\n<html><body>gone</body></html>\n');
    const run = await admin('feeds', 'import', 'my-list', page, '--force');
    expect(run).toMatchObject({ code: 1, text: '' });
    expect(await listed('my-list')).toMatchObject({ entries: 2 });
  });
});

describe('decisions of an operator', () => {
  test('terms are read before they are accepted', async () => {
    const asked = await admin('feeds', 'enable', 'dshield');
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('CC BY-NC-SA 2.5');
    expect(asked.stderr).toContain('feeds enable dshield --accept-licence');
    expect(await json('feeds', 'enable', 'dshield', '--accept-licence')).toMatchObject({ scheduled: true });
    expect(await listed('dshield')).toMatchObject({ scheduled: true });
    expect(await json('feeds', 'disable', 'dshield')).toMatchObject({ scheduled: false });
    expect(await listed('dshield')).toMatchObject({ scheduled: false });
  });

  test('rollback returns to what was listed before', async () => {
    const path = file('mine2.txt', '45.155.205.1\nwrong.example.com\n');
    await json('feeds', 'import', 'my-list', path);
    const report = await json('feeds', 'rollback', 'my-list');
    expect(report).toMatchObject({ sourceId: 'my-list', entries: 2, added: 1, removed: 1 });
    expect((await admin('feeds', 'status', 'my-list')).text).toContain('Rolled back');
  });

  test('add changes the settings of a source', async () => {
    expect(
      await json('feeds', 'add', 'my-list', '--letter', 'B', '--attributes', 'vpn, cloud'),
    ).toMatchObject({
      source: { id: 'my-list', letter: 'B', attributes: ['vpn', 'cloud'] },
    });
  });

  test('lineage is measured on request', async () => {
    const report = await json<{ computedAt: string | null }>('feeds', 'lineage', '--compute');
    expect(report.computedAt).not.toBeNull();
    expect((await admin('feeds', 'lineage')).text).toMatch(/^Measured on \d{4}-/);
  });

  test('the catalogue and the notice name publishers and terms', async () => {
    const { text } = await admin('feeds', 'catalogue');
    expect(text).toMatch(/^dshield\s.*CC BY-NC-SA 2\.5\s+off: needs --accept-licence$/m);
    const { notice } = await json<{ notice: string }>('feeds', 'notice');
    expect(notice).toContain('CC BY-NC-SA 2.5');
    expect(await json('feeds', 'submissions', 'list')).toEqual({ submissions: [] });
    expect((await admin('feeds', 'submissions', 'list')).text).toBe('No proposals wait.');
  });
});

describe('mistakes are one sentence on stderr and exit 1', () => {
  test.each([
    [
      'a path that is not a folder',
      ['import-manifest', '/nowhere'],
      'Name the folder that holds MANIFEST.json',
    ],
    ['a file that is not there', ['import', 'x', '/nowhere.txt'], "There is no file '/nowhere.txt'."],
    ['a wrong date', ['import', 'x', import.meta.filename, '--data-date', 'today'], "'today' is not a date"],
    ['an invalid id', ['add', 'Not An Id'], 'A source id has 1 to 64 characters'],
    ['an unknown source', ['status', 'nobody'], "There is no source 'nobody'."],
    ['an unknown source to run', ['run', 'nobody'], 'nobody'],
    [
      'an unknown source to enable',
      ['enable', 'nobody'],
      "There is no source 'nobody'. See: feeds catalogue",
    ],
    ['a source that only an operator feeds', ['enable', 'my-list'], 'feeds import my-list FILE'],
    ['nothing to release', ['release', 'my-list'], 'my-list'],
    ['nothing to discard', ['discard', 'my-list'], 'my-list'],
    ['an unknown proposal', ['submissions', 'reject', 'sbm_x', '--note', 'no'], 'sbm_x'],
    ['a column without csv', ['import', 'x', import.meta.filename, '--column', 'a'], '--column belongs to'],
  ])('%s', async (_name, args, sentence) => {
    const run = await admin('feeds', ...args);
    expect(run).toMatchObject({ code: 1, text: '', documents: [] });
    expect(run.stderr).toContain(sentence);
    expect(run.stderr).not.toContain('    at ');
  });

  test('damaged files end with exit 1, after everything else is done', async () => {
    const folderOfSet = dataSet();
    const path = join(folderOfSet, 'feeds/firehol/blocklist_de_ftp.ipset');
    writeFileSync(path, '45.9.148.9\n');
    const run = await admin('feeds', 'import-manifest', folderOfSet, '--rebase', '--reread');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('is not the file the manifest describes');
    expect(await listed('blocklist-de-ftp')).toMatchObject({ entries: 4 });
  });
});
