import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDataset, loadFiles, releaseDataset, runDefinition } from '#capabilities/datasets/index.ts';
import { sql } from '#platform/postgres.ts';
import { type DatasetRig, onLoopback, pathOf, startDatasetRig } from '#test/dataset-rig.ts';
import { type NvdOptions, type NvdRecord, nvdPeer } from '#test/peers/nvd-peer.ts';
import { goodFile } from '#test/publisher.ts';
import { adminRun } from '#test/run-admin.ts';
import { cveListZip, cveRecord, kevEntries, kevFile, nvdRecord } from '#test/vulnerability-files.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
let rig: DatasetRig;
beforeAll(async () => {
  rig = await startDatasetRig(Date.now());
});
afterAll(() => rig?.close());

const cursorOf = async (id: string) => (await findDataset(rig.system.db, id))?.cursor;
const nvdTime = (ms: number): string => new Date(ms).toISOString().slice(0, -1);
const titleOf = async (id: string): Promise<string | undefined> =>
  (await sql<{ summary: string }>`select summary from cve where id = ${id}`.execute(rig.system.db)).rows[0]
    ?.summary;

describe('NVD', () => {
  let records: NvdRecord[] = [];
  const speak = (turn?: NvdOptions['turn']) =>
    rig.publisher.misbehave(
      pathOf('nvd'),
      nvdPeer({
        now: rig.now,
        pageRecords: 20,
        records: () => records,
        ...(turn === undefined ? {} : { turn }),
      }),
    );
  const askedPages = () => rig.publisher.asked.filter(({ path }) => path.startsWith(pathOf('nvd')));

  test('the first load asks for every window since 2002 at the rate of NVD and is never refused', async () => {
    records = Array.from({ length: 50 }, (_, nth) => nvdRecord(nth, nvdTime(rig.now() - nth * 40 * DAY_MS)));
    speak();
    const startedMs = rig.now();
    expect(await rig.run('nvd')).toMatchObject({ status: 'succeeded', report: { entries: 50 } });
    expect(askedPages().every(({ status }) => status === 200)).toBe(true);
    expect(askedPages().length).toBeGreaterThan(70);
    expect(new Set(rig.waits)).toEqual(new Set([6_000]));
    const through = Date.parse(String((await cursorOf('nvd'))?.through));
    // The cursor stands at the end of the last window, not at the end of the walk, which took over six minutes.
    expect(through - startedMs).toBeLessThan(2 * HOUR_MS);
    expect(rig.now() - through).toBeGreaterThan(6 * MINUTE_MS);
  });

  test('what NVD changes while a slow download is loaded belongs to the next download', async () => {
    const changedMs = rig.now() + HOUR_MS + 5 * MINUTE_MS;
    records = [nvdRecord(0, nvdTime(rig.now() - MINUTE_MS))];
    speak((page) => {
      rig.move(4 * HOUR_MS);
      return page;
    });
    expect(await rig.run('nvd')).toMatchObject({ status: 'succeeded' });
    records.push(nvdRecord(777, nvdTime(changedMs)));
    speak();
    expect(await rig.run('nvd')).toMatchObject({ status: 'succeeded' });
    expect(await titleOf('CVE-2026-10777')).toMatch(/gateway 777/);
  });

  test('one busy answer in a walk is waited out, and the walk goes on', async () => {
    records = Array.from({ length: 50 }, (_, nth) => nvdRecord(100 + nth, nvdTime(rig.now())));
    const peer = nvdPeer({ now: rig.now, pageRecords: 20, records: () => records });
    let answers = 0;
    rig.publisher.misbehave(pathOf('nvd'), (request, response) => {
      answers += 1;
      if (answers === 2) response.writeHead(503).end();
      else peer(request, response);
    });
    rig.waits.length = 0;
    expect(await rig.run('nvd')).toMatchObject({ status: 'succeeded' });
    expect(rig.waits).toEqual([6_000, 30_000, 6_000]);
  });

  test('files of an operator do not move the place where the next download starts', async () => {
    const before = await cursorOf('nvd');
    const path = join(rig.deps.dataDir, 'nvd.json');
    writeFileSync(
      path,
      JSON.stringify({ vulnerabilities: [{ cve: nvdRecord(888, '2026-01-01T00:00:00.000') }] }),
    );
    const loaded = await loadFiles(rig.deps, rig.definitionOf('nvd'), { paths: [path], dataAtMs: rig.now() });
    expect(loaded).toMatchObject({ status: 'imported', report: { delta: { added: 1 } } });
    expect(await cursorOf('nvd')).toEqual(before);
  });

  test('a walk that was stopped uses the pages it had, and asks only for the others', async () => {
    const definition = onLoopback(rig.definitionOf('nvd'), rig.publisher.url(pathOf('nvd')));
    await sql`update dataset set cursor = null where id = 'nvd'`.execute(rig.system.db);
    speak();
    const stop = new AbortController();
    let waits = 0;
    const wait = async (ms: number) => {
      rig.move(ms);
      waits += 1;
      if (waits === 30) stop.abort();
    };
    const from = askedPages().length;
    rig.move(2 * HOUR_MS);
    const stopped = await runDefinition({ ...rig.deps, wait }, definition, { signal: stop.signal });
    expect(stopped).toMatchObject({ status: 'failed' });
    const had = askedPages().length - from;
    expect(await rig.run('nvd')).toMatchObject({ status: 'succeeded' });
    const asked = askedPages()
      .slice(from + had)
      .map(({ path }) => path);
    expect(had).toBeGreaterThan(20);
    const again = askedPages().slice(from, from + had - 1);
    expect(again.filter(({ path }) => asked.includes(path))).toEqual([]);
  });
});

describe('the null alarm', () => {
  const RECORDS = 100;
  const publish = (withoutScore: number) =>
    rig.publisher.misbehave(
      pathOf('nvd'),
      nvdPeer({
        now: rig.now,
        pageRecords: 2_000,
        records: () =>
          Array.from({ length: RECORDS }, (_, nth) =>
            nvdRecord(nth, nvdTime(rig.now() - MINUTE_MS), nth < withoutScore ? { metrics: {} } : {}),
          ),
      }),
    );
  const runWith = (withoutScore: number) => {
    publish(withoutScore);
    return rig.run('nvd');
  };

  test('a share of nulls ten points above the median of seven runs is failing, whatever the number of rows', async () => {
    await sql`delete from cve_quality`.execute(rig.system.db);
    for (const share of [20, 35, 20, 21, 19, 20, 20])
      expect(await runWith(share), `${share} %`).toMatchObject({ status: 'succeeded' });
    expect(await runWith(30)).toMatchObject({ status: 'succeeded' });
    const before = await cursorOf('nvd');
    expect(await runWith(31)).toMatchObject({ status: 'quarantined', gate: 'nulls' });
    expect(await rig.freshness('nvd')).toMatchObject({
      status: 'failing',
      message: expect.stringMatching(
        /^31\.0 % of the records of nvd have no scores, more than ten points above/,
      ),
    });
    expect(await rig.actions()).toContainEqual(
      expect.stringMatching(/download of nvd and release or discard/),
    );
    expect(await cursorOf('nvd')).toEqual(before);
  });

  test('a release takes the stopped download with its place, and its share is the usual one from then on', async () => {
    const before = String((await cursorOf('nvd'))?.through);
    const released = await releaseDataset(rig.deps, rig.definitionOf('nvd'), { by: 'Ada' });
    expect(released).toMatchObject({
      status: 'succeeded',
      reason: expect.stringMatching(/^Released by Ada/),
    });
    expect(String((await cursorOf('nvd'))?.through) > before).toBe(true);
    expect(await rig.freshness('nvd')).toMatchObject({ status: 'fresh', message: null });
    expect(await runWith(35)).toMatchObject({ status: 'succeeded' });
    expect(await runWith(60)).toMatchObject({ status: 'quarantined', gate: 'nulls' });
  });

  test('the few records of quiet hours neither ring the alarm nor change what is usual', async () => {
    rig.publisher.misbehave(
      pathOf('nvd'),
      nvdPeer({
        now: rig.now,
        pageRecords: 50,
        records: () => [nvdRecord(5, nvdTime(rig.now() - MINUTE_MS), { metrics: {} })],
      }),
    );
    for (let hour = 0; hour < 4; hour += 1)
      expect(await rig.run('nvd')).toMatchObject({ status: 'succeeded' });
    expect(await runWith(60)).toMatchObject({ status: 'quarantined', gate: 'nulls' });
  });
});

describe('changes of the CVE list', () => {
  const put = (day: string, hour: string, updated: string, exploitation: string) => {
    const record = cveRecord(0, updated) as { containers: { adp: unknown } };
    const [adp] = record.containers.adp as [{ metrics: unknown }];
    adp.metrics = [{ other: { type: 'ssvc', content: { options: [{ Exploitation: exploitation }] } } }];
    const tag = hour === 'end' ? 'at_end_of_day' : hour;
    const file = `${day}_delta_CVEs_at_${hour === 'end' ? 'end_of_day' : hour}.zip`;
    rig.publisher.misbehave(
      `${pathOf('cve-list-delta')}/cve_${day}_${tag}/${file}`,
      goodFile(cveListZip([record])),
    );
  };
  const exploitation = async () =>
    (
      await sql<{ exploitation: number }>`select exploitation from cve where id = 'CVE-2026-10000'`.execute(
        rig.system.db,
      )
    ).rows[0]?.exploitation;
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

  test('the newest record decides, with the containers it came with; an hour without a file is passed over', async () => {
    // Moves the clock to the next 05:45.
    rig.move(DAY_MS - ((rig.now() - 5 * HOUR_MS - 45 * MINUTE_MS) % DAY_MS));
    const today = day(rig.now());
    rig.publisher.publish(
      pathOf('cve-list'),
      cveListZip([cveRecord(0, `${day(rig.now() - DAY_MS)}T10:00:00.000Z`)]),
    );
    const whole = onLoopback(rig.definitionOf('cve-list'), rig.publisher.url(pathOf('cve-list')), {
      min: 1,
      max: 10,
    });
    expect(await runDefinition(rig.deps, whole, { force: true })).toMatchObject({ status: 'succeeded' });
    expect(await exploitation()).toBe(1);
    put(today, '0300Z', `${today}T02:00:00.000Z`, 'active');
    expect(await rig.run('cve-list-delta', { force: true })).toMatchObject({ status: 'succeeded' });
    expect(await exploitation()).toBe(2);
    expect(await titleOf('CVE-2026-10000')).toBe(`Flaw 0 of ${today}`);
    expect(await cursorOf('cve-list-delta')).toEqual({ through: `${today}T03:00:00.000Z` });
  });

  test('days that ended since are asked for as a whole; without files for hours the source is failing', async () => {
    const yesterday = day(rig.now());
    rig.move(DAY_MS);
    put(yesterday, 'end', `${yesterday}T20:00:00.000Z`, 'none');
    expect(await rig.run('cve-list-delta', { force: true })).toMatchObject({ status: 'succeeded' });
    expect(await exploitation()).toBe(0);
    expect(await cursorOf('cve-list-delta')).toEqual({ through: `${day(rig.now())}T00:00:00.000Z` });
    rig.move(6 * HOUR_MS);
    expect(await rig.run('cve-list-delta', { force: true })).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/no file of changes for \d+ hours/),
    });
  });
});

describe('admin datasets', () => {
  const admin = (...args: readonly string[]) =>
    adminRun({ DATABASE_URL: rig.database.url, DATA_DIR: rig.deps.dataDir }, ['datasets', ...args]);
  const publish = (entries: number) =>
    rig.publisher.publish(pathOf('kev'), kevFile({ released: '2026-05-01', entries: kevEntries(entries) }));
  const run = () => runDefinition(rig.deps, rig.definitionOf('kev'), { force: true });

  test('a stopped download is listed, released once, and recorded with the name of the operator', async () => {
    publish(60);
    expect(await run()).toMatchObject({ status: 'succeeded' });
    publish(5);
    expect(await run()).toMatchObject({ status: 'quarantined', gate: 'volume' });
    expect((await admin('list')).text).toMatch(/kev +cve +60 .* may be released +5 entries are fewer/);
    const released = await admin('release', 'kev', '--by', 'Grace');
    expect([released.code, released.stderr]).toEqual([0, '']);
    expect(released.text).toMatch(
      /Released by Grace although: 5 entries .*\n5 records; 0 added, 0 changed, 55 removed\./,
    );
    expect(await run(), 'the released size is the usual one').toMatchObject({ status: 'succeeded' });
    expect((await admin('release', 'kev')).stderr).toMatch(/was not found/);
    const { documents } = await admin('decisions', '--json');
    const [{ decisions }] = documents as [{ decisions: readonly unknown[] }];
    expect(decisions).toHaveLength(2);
    expect(decisions).toContainEqual(
      expect.objectContaining({ sourceId: 'kev', action: 'release', by: 'Grace', gate: 'volume' }),
    );
    expect(decisions).toContainEqual(expect.objectContaining({ sourceId: 'nvd', by: 'Ada', gate: 'nulls' }));
  });

  test('a discarded download is gone, what cannot be released says why, and an unknown name is a sentence', async () => {
    publish(1);
    expect(await run()).toMatchObject({ status: 'quarantined' });
    expect((await admin('discard', 'kev')).lines).toEqual(['Discarded the download of kev.']);
    expect((await admin('decisions')).text).toMatch(/kev +discard +an operator +volume/);
    rig.publisher.publish(pathOf('kev'), '<!doctype html><title>Sign in</title>');
    expect(await run()).toMatchObject({ status: 'quarantined', gate: 'web-page' });
    expect((await admin('release', 'kev')).stderr).toMatch(
      /cannot be released: The publisher answered with a web page/,
    );
    expect((await admin('release', 'elsewhere')).stderr).toMatch(/There is no data set 'elsewhere'/);
    expect((await admin('discard', 'kev', '--by', ' ')).stderr).toMatch(/a name of 1 to 200/);
  });
});
