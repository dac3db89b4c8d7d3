import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepStandings } from '#capabilities/standing/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { DAY_MS, indicatorOf } from '#test/listed-corpus.ts';
import { openTaxiiRig, SHARED_ROOT, STIX, TAXII, type TaxiiObject, type TaxiiRig } from '#test/taxii-rig.ts';
import { keepCollections } from './keep-collections.ts';

const START_MS = Date.UTC(2026, 8, 1);
const HOUR_MS = 3_600_000;
const C2 = { category: 'c2', reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;
const PHISHING = { ...C2, category: 'phishing', lineage: 'phishing' } as const;
const SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0a';

let rig: TaxiiRig;
const objectsOf = (id: string) => `${SHARED_ROOT}/${id}/objects`;
const namesIn = async (id: string, query = '') =>
  (await rig.walk(objectsOf(id), { query })).map(({ name }) => name).sort();
const find = async (id: string, name: string, query = ''): Promise<TaxiiObject> => {
  const found = (await rig.walk(objectsOf(id), { query })).filter((object) => object.name === name);
  expect(found, name).toHaveLength(1);
  return found[0] as TaxiiObject;
};

beforeAll(async () => {
  rig = await openTaxiiRig(START_MS);
});
afterAll(() => rig.close());
beforeEach(() => rig.pass(HOUR_MS));

describe('what a collection holds', () => {
  test('addresses and ranges, names, and of c2 and phishing every kind', async () => {
    await rig.list(
      'c2',
      ['45.83.64.1', '45.83.65.0/24', 'bad.example.com', 'http://bad.example.org/gate.php', SHA256],
      C2,
    );
    await rig.list('phish', ['login.example.net', 'http://login.example.net/signin'], PHISHING);
    const report = await rig.keep();
    expect(report).toMatchObject({ isOurs: true, published: 7, left: 0 });
    expect(await namesIn('malicious-ips')).toEqual(['45.83.64.1', '45.83.65.0/24']);
    expect(await namesIn('malicious-domains')).toEqual(['bad.example.com', 'login.example.net']);
    expect(await namesIn('c2-indicators')).toEqual(
      ['45.83.64.1', '45.83.65.0/24', 'bad.example.com', 'http://bad.example.org/gate.php', SHA256].sort(),
    );
    expect(await namesIn('phishing-indicators')).toEqual([
      'http://login.example.net/signin',
      'login.example.net',
    ]);
  });

  test('what may not be passed on is in no shared collection', async () => {
    await rig.list('closed', ['45.83.64.200'], { ...C2, lineage: 'closed', redistributable: false });
    await rig.keep();
    expect(await namesIn('malicious-ips')).not.toContain('45.83.64.200');
  });

  test('one object is the same text in every collection, with a pattern, an end and a marking', async () => {
    const inIps = await find('malicious-ips', '45.83.65.0/24');
    expect(await find('c2-indicators', '45.83.65.0/24')).toEqual(inIps);
    expect(inIps).toMatchObject({
      type: 'indicator',
      pattern: "[ipv4-addr:value ISSUBSET '45.83.65.0/24']",
      labels: ['c2'],
      object_marking_refs: ['marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9'],
    });
    expect((inIps.valid_until ?? '') > inIps.modified).toBe(true);
  });
});

test.each([TAXII, STIX])(
  'a client that walks while a version waits for its commit hears of it in the next poll, for %s',
  async (accept) => {
    const value = accept === TAXII ? '45.83.70.1' : '45.83.70.2';
    await rig.list(`late${value}`, [value], { ...C2, lineage: value });
    await keepStandings(rig.judge, { run: 'standings', transaction: rig.system.transaction });
    const walks: { readonly since: string; readonly saw: boolean }[] = [];
    const slowly = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
      rig.system.transaction(async (tx) => {
        const done = await work(tx);
        rig.pass(3_000);
        const since = new Date(rig.clock.now()).toISOString();
        const seen = await rig.walk(objectsOf('malicious-ips'), { accept });
        const lastDate = seen
          .map(({ modified }) => modified)
          .sort()
          .at(-1);
        walks.push({
          since: accept === TAXII ? (lastDate ?? since) : since,
          saw: seen.some(({ name }) => name === value),
        });
        return done;
      });
    await keepCollections({ judge: rig.judge, audience: 'public' }, { run: 'late', transaction: slowly });
    const before = walks.filter(({ saw }) => !saw);
    expect(before.length).toBeGreaterThan(3);
    for (const { since } of before) {
      const poll = await rig.walk(objectsOf('malicious-ips'), {
        accept,
        query: `&added_after=${encodeURIComponent(since)}`,
      });
      expect(poll.map(({ name }) => name)).toContain(value);
    }
  },
);

describe('times are those of the sources, never of our publication (O69)', () => {
  const FIRST_MS = Date.UTC(2026, 2, 1);
  const SEEN_MS = Date.UTC(2026, 4, 20);
  const DATA_MS = Date.UTC(2026, 7, 31);
  const timesOf = async (name: string) => {
    const { valid_from, x_svc_first_seen, x_svc_last_seen, id } = await find('malicious-ips', name);
    const twins = await rig.walk(objectsOf('malicious-ips-observables'));
    const at = twins.findIndex((each) => each.type === 'ipv4-addr' && each.value === name);
    const { first_observed, last_observed } = twins[at - 1] as TaxiiObject;
    return { id, valid_from, x_svc_first_seen, x_svc_last_seen, first_observed, last_observed };
  };
  const text = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z');
  const dated = (value: string, firstSeenMs: number, lastSeenMs?: number) => ({
    indicator: indicatorOf(value),
    firstSeenMs,
    ...(lastSeenMs !== undefined && { lastSeenMs }),
  });

  test('the earliest date that a source states, and the last sighting that one states', async () => {
    await rig.list('dated', [dated('45.83.80.1', FIRST_MS, SEEN_MS)], { ...C2, lineage: 'dated' });
    await rig.list('later', [dated('45.83.80.1', FIRST_MS + DAY_MS)], { ...C2, lineage: 'later' });
    await rig.list('undated', ['45.83.80.1'], { ...C2, lineage: 'undated' }, { dataAtMs: DATA_MS });
    await rig.keep();
    expect(await timesOf('45.83.80.1')).toMatchObject({
      valid_from: text(FIRST_MS),
      x_svc_first_seen: text(FIRST_MS),
      x_svc_last_seen: text(SEEN_MS),
      first_observed: text(FIRST_MS),
      last_observed: text(SEEN_MS),
    });
  });

  test('the date of the data where no source dates the value, also after the list was fetched again', async () => {
    const settings = { ...C2, lineage: 'plain' };
    await rig.list('plain', ['45.83.80.2'], settings, { dataAtMs: DATA_MS });
    await rig.list('plain', ['45.83.80.2'], settings, { dataAtMs: DATA_MS + DAY_MS });
    await rig.keep();
    expect(await timesOf('45.83.80.2')).toMatchObject({
      valid_from: text(DATA_MS),
      x_svc_first_seen: undefined,
      x_svc_last_seen: text(DATA_MS + DAY_MS),
      first_observed: text(DATA_MS),
      last_observed: text(DATA_MS + DAY_MS),
    });
  });

  test('an object that gave our publication changes once, under a new modified, and not again in a rebuild', async () => {
    const before = await find('malicious-ips', '45.83.80.1');
    const others = (await namesIn('malicious-ips')).length;
    await sql`
      update taxii_object
         set time_rule = 0, stix = (stix::jsonb || jsonb_build_object('valid_from', stix::jsonb->>'created'))::text
       where id = ${before.id.slice('indicator--'.length)}::uuid`.execute(rig.system.db);
    expect((await find('malicious-ips', '45.83.80.1')).valid_from).toBe(before.created);
    rig.pass(HOUR_MS);
    expect(await rig.keep()).toMatchObject({ published: 1, left: 0 });
    const after = await find('malicious-ips', '45.83.80.1');
    expect(after).toMatchObject({ id: before.id, created: before.created, valid_from: before.valid_from });
    expect(after.modified > before.modified).toBe(true);
    expect(await rig.rebuild()).toMatchObject({ published: 0, left: 0 });
    expect(await namesIn('malicious-ips')).toHaveLength(others);
  });
});

describe('versions', () => {
  const all = async () => JSON.stringify(await rig.walk(objectsOf('c2-indicators'), { accept: STIX }));

  test('a rebuild of an unchanged corpus dates nothing anew (O11)', async () => {
    await rig.rebuild();
    const before = await all();
    rig.pass(12 * HOUR_MS);
    expect(await rig.rebuild()).toMatchObject({ published: 0, left: 0 });
    expect(await all()).toBe(before);
  });

  test('another category gives every collection a new version with the same created', async () => {
    const before = await find('malicious-domains', 'bad.example.com');
    await rig.list(
      'phish',
      ['login.example.net', 'http://login.example.net/signin', 'bad.example.com'],
      PHISHING,
    );
    await rig.keep();
    const after = await find('malicious-domains', 'bad.example.com');
    expect(after).toMatchObject({ id: before.id, created: before.created, labels: ['c2', 'phishing'] });
    expect(after.modified > before.modified).toBe(true);
    expect(await namesIn('phishing-indicators')).toContain('bad.example.com');
  });

  test('a refetch moves the end when the last quarter of the old one has begun, and before it is over', async () => {
    const before = await find('malicious-ips', '45.83.64.1');
    const values = [
      '45.83.64.1',
      '45.83.65.0/24',
      'bad.example.com',
      'http://bad.example.org/gate.php',
      SHA256,
    ];
    const lifeMs = Date.parse(before.valid_until ?? '') - Date.parse(before.modified);
    const refetchAfter = async (share: number) => {
      rig.pass(Math.round((share * lifeMs) / HOUR_MS) * HOUR_MS);
      await rig.list('c2', values, C2);
      await rig.rebuild();
    };
    for (const share of [0.01, 0.3, 0.3]) {
      await refetchAfter(share);
      expect((await find('malicious-ips', '45.83.64.1')).modified).toBe(before.modified);
    }
    await refetchAfter(0.2);
    const after = await find('malicious-ips', '45.83.64.1');
    expect(after.modified > before.modified).toBe(true);
    expect(after.modified < (before.valid_until ?? '')).toBe(true);
    expect((after.valid_until ?? '') > (before.valid_until ?? '')).toBe(true);
  });

  test('what leaves is not revoked: its last version ends now, and polls with added_after see it for 90 days (O39)', async () => {
    const before = await find('malicious-ips', '45.83.64.1');
    await rig.list('c2', ['45.83.65.0/24', 'bad.example.com', 'http://bad.example.org/gate.php', SHA256], C2);
    rig.pass(200 * DAY_MS);
    await rig.list('c2', ['45.83.65.0/24', 'bad.example.com', 'http://bad.example.org/gate.php', SHA256], C2);
    await rig.rebuild();
    const since = `&added_after=${encodeURIComponent(before.modified)}`;
    expect(await namesIn('malicious-ips')).not.toContain('45.83.64.1');
    const last = await find('malicious-ips', '45.83.64.1', since);
    expect(last.revoked).toBeUndefined();
    expect(last).toMatchObject({ id: before.id, created: before.created, valid_until: last.modified });
    expect(last.modified > before.modified).toBe(true);
    const twin = await rig.walk(`${SHARED_ROOT}/malicious-ips-observables/objects`, { query: since });
    expect(JSON.stringify(twin)).not.toContain('45.83.64.1');
    rig.pass(91 * DAY_MS);
    expect(await namesIn('malicious-ips', since)).not.toContain('45.83.64.1');
    await rig.rebuild();
    const { rows } = await sql<{ stix: string | null }>`
      select stix from taxii_object where collections = 0`.execute(rig.system.db);
    expect(rows).toContainEqual({ stix: null });
    await rig.list('c2', ['45.83.64.1', '45.83.65.0/24'], C2);
    await rig.keep();
    expect(await find('malicious-ips', '45.83.64.1')).toMatchObject({
      id: before.id,
      created: before.created,
    });
  });

  test('every stored object has a date added, so a date filter excludes none for want of one (trap 36)', async () => {
    const { rows } = await sql<{ column: string }>`
      select column_name as "column" from information_schema.columns
       where is_nullable = 'NO' and (table_name, column_name) in
             (('taxii_object', 'added_us'), ('org_indicator_object', 'changed_us'))`.execute(rig.system.db);
    expect(rows.map(({ column }) => column).sort()).toEqual(['added_us', 'changed_us']);
    const everything = await namesIn('malicious-ips');
    expect(await namesIn('malicious-ips', '&added_after=1970-01-01T00:00:01Z')).toEqual(
      expect.arrayContaining([...everything]),
    );
  });
});

test('what leaves during a walk is told in that walk, because its last date leads the next poll past the leaving', async () => {
  const settings = { ...C2, lineage: 'leaving' };
  await rig.list('leaving', ['45.83.71.1'], settings);
  await rig.keep();
  await rig.list('leaving', ['45.83.71.1', '45.83.71.2'], settings);
  await rig.keep();
  const names = (await rig.walk(objectsOf('malicious-ips'))).map(({ name }) => name);
  const first = await rig.page(`${objectsOf('malicious-ips')}?limit=${names.indexOf('45.83.71.1') + 2}`);
  expect(first).toMatchObject({ more: true });
  expect(first.objects.at(-1)?.name).toBe('45.83.71.1');
  rig.pass(HOUR_MS);
  await rig.list('leaving', ['45.83.71.2'], settings);
  rig.pass(200 * DAY_MS);
  await rig.list('leaving', ['45.83.71.2', '45.83.71.3'], settings);
  await rig.keep();
  const rest = await rig.page(
    `${objectsOf('malicious-ips')}?limit=1001&next=${encodeURIComponent(first.next ?? '')}`,
  );
  const told = rest.objects.find(({ name }) => name === '45.83.71.1');
  expect(told).toMatchObject({ valid_until: told?.modified });
  expect(await namesIn('malicious-ips')).not.toContain('45.83.71.1');
});
