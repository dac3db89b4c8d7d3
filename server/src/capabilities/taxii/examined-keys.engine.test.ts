import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Db, sql } from '#platform/postgres.ts';
import { CALLER } from '#test/http-app.ts';
import { openTaxiiRig, SHARED_ROOT, STIX, TAXII, type TaxiiRig } from '#test/taxii-rig.ts';
import { type SharedPageQuery, selectText } from './page-store.ts';

let rig: TaxiiRig;
beforeAll(async () => {
  rig = await openTaxiiRig(Date.UTC(2027, 0, 1));
});
afterAll(() => rig.close());
beforeEach(() => {
  rig.caller = CALLER;
});
const EVERYTHING: SharedPageQuery = {
  bit: 2,
  order: 'added',
  key: null,
  afterUs: null,
  beforeUs: null,
  minScore: 0,
  maxScore: 100,
  versionsUs: null,
  leftSinceUs: null,
  limit: 100,
  examinedMax: 200,
};
const rowsRead = async (tx: Db): Promise<number> => {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as read
      from pg_stat_xact_user_tables where relname = 'taxii_object'`.execute(tx);
  return rows[0]?.read ?? 0;
};
const follow = (next: string | undefined) => `next=${encodeURIComponent(next ?? '')}`;

describe('8,000 keys', () => {
  beforeAll(async () => {
    // Directly into the table: 8,050 objects through the corpus take a minute.
    await sql`
      insert into taxii_object (added_us, created_us, until_us, collections, score, level, categories, id, key, stix)
      select n, n, n + 1, 2, 50, 'medium', '{}', gen_random_uuid(), ('\\x05' || encode(('n' || n)::bytea, 'hex'))::bytea,
             json_build_object('type', 'indicator', 'id', 'indicator--' || n, 'name', 'n' || n, 'created', n)
        from generate_series(1, 8050) n`.execute(rig.system.db);
    await sql`update taxii_object set score = 90 where added_us = 8049`.execute(rig.system.db);
    await sql`update publication set current_at = now() where name = 'taxii'`.execute(rig.system.db);
  });
  afterAll(() => sql`delete from taxii_object where collections = 2`.execute(rig.system.db));
  const NAMES = `${SHARED_ROOT}/malicious-domains/objects`;

  test.each([TAXII, STIX])(
    'without a match: the identity, more, and a token, for %s (trap 32)',
    async (accept) => {
      const score = accept === TAXII ? 'min_score=80' : 'max_score=20';
      const page = await rig.page(`${NAMES}?${score}`, accept);
      expect(page).toMatchObject({ more: true, objects: [{ type: 'identity' }] });
      const examined = accept === TAXII ? 8_000 : 51;
      expect(page.headers['x-taxii-date-added-last']).toBe(
        `1970-01-01T00:00:00.${String(examined).padStart(6, '0')}Z`,
      );
      const last = await rig.page(`${NAMES}?${follow(page.next)}`, accept);
      expect(last.more).toBe(false);
      expect(last.objects).toHaveLength(accept === TAXII ? 2 : 1);
    },
  );

  test('ENTERPRISE has pages of all that is examined, PRO of 1,001', async () => {
    expect((await rig.page(`${NAMES}?limit=100000`)).objects).toHaveLength(1_001);
    rig.caller = { ...CALLER, plan: 'ENTERPRISE' };
    expect((await rig.page(`${NAMES}?limit=100000`)).objects).toHaveLength(8_001);
  });

  test.each(['added', 'created'] as const)(
    'a page of 100 reads about 100 rows of the collection in the order %s, not all of them',
    async (order) => {
      await sql`select taxii_analyze(true)`.execute(rig.system.db);
      const read = await rig.system.transaction(async (tx) => {
        const before = await rowsRead(tx);
        await selectText(tx, { ...EVERYTHING, order });
        return (await rowsRead(tx)) - before;
      });
      expect(read).toBeGreaterThanOrEqual(100);
      expect(read).toBeLessThan(200);
    },
  );

  test('a poll in the order of creation finds few changes at once', async () => {
    await sql`update taxii_object set added_us = 9000 + added_us where added_us in (3, 5)`.execute(
      rig.system.db,
    );
    const page = await rig.page(`${NAMES}?added_after=1970-01-01T00:00:00.009Z`, STIX);
    expect(page.objects.slice(1).map(({ name }) => name)).toEqual(['n5', 'n3']);
    expect(page.more).toBe(false);
  });
});
