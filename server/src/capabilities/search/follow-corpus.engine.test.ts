import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  CORPUS,
  type FollowDeps,
  finishBulkLoad,
  inLoad,
  registerSource,
} from '#capabilities/corpus/index.ts';
import { sql } from '#platform/postgres.ts';
import { trimChangeLog } from '#platform/replica/change-log.ts';
import { DAY_MS, indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import { followCorpus } from './follow-corpus.ts';

const START_MS = Date.UTC(2026, 8, 1);
let listed: ListedCorpus;
let runs = 0;

beforeAll(async () => {
  listed = await openListedCorpus(START_MS);
});
afterAll(() => listed.close());
beforeEach(() => listed.pass(1_000));

const follow = (given: Partial<FollowDeps> = {}) => {
  runs += 1;
  return followCorpus({ run: `run-${runs}`, transaction: listed.system.transaction, ...given });
};

async function names(): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from search_name order by name`.execute(
    listed.system.db,
  );
  return rows.map(({ name }) => name);
}

/** The expected projection, computed by another query on the record. */
async function accused(): Promise<readonly string[]> {
  const { rows } = await sql<{ value: string }>`
    select distinct i.value collate "C" as value from indicator i join listing l using (key)
      join source s on s.number = l.source_number
     where get_byte(i.key, 0) = 5 and s.threat_class = 'threat' and not s.ad_only order by 1`.execute(
    listed.system.db,
  );
  return rows.map(({ value }) => value);
}

test('the first run walks all names that threat sources list, in batches, and no others', async () => {
  await listed.list('phish', ['paypa1.com', 'a.paypal.evil.com', '45.83.64.1', 'http://page.example.com/x']);
  await listed.list('more', ['paypa1.com', 'zz.example.org', 'middle.example.net']);
  await listed.list('ads', ['tracker.example.com'], { adOnly: true });
  await listed.list('good', ['paypal.com'], { threatClass: 'allowlist' });
  const report = await follow({ rowsPerBatch: 2 });
  expect(report).toEqual({ isOurs: true, walks: 1, put: 4, removed: 0, read: 4, corrected: 4 });
  expect(await names()).toEqual(['a.paypal.evil.com', 'middle.example.net', 'paypa1.com', 'zz.example.org']);
  expect(await names()).toEqual(await accused());
});

test('a name is stored with its spelling, its tokens and its danger', async () => {
  const { rows } =
    await sql`select danger, spelling, tokens from search_name where name = 'paypa1.com'`.execute(
      listed.system.db,
    );
  // Two sources of the default reliability 0.35 give a danger of 1 - 0.65 * 0.65, about 0.577.
  expect(rows).toEqual([{ danger: 577, spelling: 'paypal', tokens: ['=paypal', 'paypal'] }]);
});

test('a run without a change writes nothing', async () => {
  expect(await follow()).toEqual({ isOurs: true, walks: 0, put: 0, removed: 0, read: 0, corrected: 0 });
});

test('listed, delisted and relisted names are followed from the log, without another walk', async () => {
  await listed.list('phish', ['paypa1.com', 'new.example.com', '45.83.64.2']);
  expect(await follow({ rowsPerBatch: 1 })).toMatchObject({ walks: 0, put: 1, removed: 1 });
  expect(await names()).toEqual(await accused());
  listed.pass(DAY_MS);
  await listed.list('phish', ['a.paypal.evil.com']);
  listed.pass(DAY_MS);
  await listed.list('phish', ['new.example.com']);
  expect(await follow()).toMatchObject({ walks: 0 });
  expect(await names()).toEqual(await accused());
  expect(await names()).not.toContain('a.paypal.evil.com');
});

test('a name that another threat source still lists stays', async () => {
  await listed.list('phish', ['shared.example.com']);
  await listed.list('more', ['shared.example.com']);
  await follow();
  await listed.list('phish', []);
  await follow();
  expect(await names()).toEqual(['shared.example.com']);
});

describe('a run that dies', () => {
  const dying = (good: number): Partial<FollowDeps> => {
    let left = good;
    return {
      rowsPerBatch: 3,
      transaction: async (work) => {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return listed.system.transaction(work);
      },
    };
  };
  const release = () =>
    sql`update corpus_follower set claimed_until = clock_timestamp() - interval '1 s' where name = 'search'`.execute(
      listed.system.db,
    );

  test('in a walk resumes where its last batch ended', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `n${String(at).padStart(2, '0')}.example.com`);
    await listed.list('phish', many);
    await sql`update corpus_follower set rules = '{}' where name = 'search'`.execute(listed.system.db);
    await expect(follow(dying(3))).rejects.toThrow('killed');
    const { rows } = await sql<{
      key: Buffer;
    }>`select walk_key as key from corpus_follower where name = 'search'`.execute(listed.system.db);
    expect(rows[0]?.key.toString('latin1', 1)).toBe('n05.example.com');
    await release();
    expect(await follow({ rowsPerBatch: 3 })).toMatchObject({ isOurs: true, walks: 0, put: 14 });
    expect(await names()).toEqual(await accused());
  });

  test('while following the log resumes without a lost or wrong row', async () => {
    const others = Array.from({ length: 20 }, (_, at) => `m${String(at).padStart(2, '0')}.example.com`);
    await listed.list('phish', others);
    await expect(follow(dying(2))).rejects.toThrow('killed');
    await release();
    expect(await follow({ rowsPerBatch: 7 })).toMatchObject({ walks: 0 });
    expect(await names()).toEqual(await accused());
  });
});

test('while one run works another ends at once, and a dead run is replaced', async () => {
  await sql`update corpus_follower set claimed_by = 'elsewhere', claimed_until = clock_timestamp() + interval '1 min' where name = 'search'`.execute(
    listed.system.db,
  );
  await listed.list('phish', ['waits.example.com']);
  expect(await follow()).toMatchObject({ isOurs: false, put: 0 });
  await sql`update corpus_follower set claimed_until = clock_timestamp() - interval '1 s' where name = 'search'`.execute(
    listed.system.db,
  );
  expect(await follow()).toMatchObject({ isOurs: true });
  expect(await names()).toContain('waits.example.com');
});

test('the names of a source are added or removed when it becomes a threat source or stops being one', async () => {
  await registerSource(listed, 'more', { threatClass: 'policy' });
  expect(await follow()).toMatchObject({ walks: 1, removed: 1 });
  expect(await names()).toEqual(await accused());
  await registerSource(listed, 'more', { threatClass: 'threat' });
  expect(await follow()).toMatchObject({ walks: 1, put: 1 });
  expect(await names()).toEqual(await accused());
});

test('a log that was trimmed past the position causes another walk', async () => {
  await listed.list('phish', ['one.example.com']);
  await follow();
  await listed.list('phish', ['two.example.com']);
  await listed.list('more', ['three.example.com']);
  await trimChangeLog(listed.system.db, Date.now() + 8 * DAY_MS);
  expect(await follow()).toMatchObject({ walks: 1 });
  expect(await names()).toEqual(await accused());
  expect(await follow()).toMatchObject({ walks: 0 });
});

test('a walk removes rows of unlisted names', async () => {
  await sql`insert into search_name (name, danger, spelling, tokens)
            values ('aaa.example.com', 0, 'x', '{}'), ('stray.example.com', 0, 'x', '{}'), ('zzz.example.com', 0, 'x', '{}')`.execute(
    listed.system.db,
  );
  await sql`update corpus_follower set rules = '{}' where name = 'search'`.execute(listed.system.db);
  expect(await follow({ rowsPerBatch: 1 })).toMatchObject({ walks: 1, removed: 3 });
  expect(await names()).toEqual(await accused());
});

test('the first load of an empty corpus, which names no key in the log, is walked', async () => {
  const fresh = await openListedCorpus(START_MS);
  try {
    const run = () => followCorpus({ run: 'only', transaction: fresh.system.transaction });
    expect(await run()).toMatchObject({ walks: 1, put: 0 });
    const rows = ['one.example.com', 'two.example.org'].map((value) => ({ indicator: indicatorOf(value) }));
    const summary = { dataAtMs: START_MS, accepted: 2, rejected: 0, entries: 2, details: {} };
    await inLoad(fresh, 'bulk', {}, async (load) => {
      await load.copy([rows]);
      await load.keep({ ...summary, contentSha256: '0'.repeat(64) }, { allowEmpty: false });
    });
    await finishBulkLoad(fresh, ['bulk'], async () => undefined);
    expect(await run()).toMatchObject({ walks: 1, put: 2 });
    const { rows: state } = await sql<{ seq: string; newest: string }>`
      select seq, replica_newest_seq(${CORPUS}) as newest from corpus_follower where name = 'search'`.execute(
      fresh.system.db,
    );
    expect(state[0]?.seq).toBe(state[0]?.newest);
  } finally {
    await fresh.close();
  }
});

test('the service may read the names but not write them', async () => {
  const client = new pg.Client({ connectionString: listed.databaseUrl, options: '-c role=assay_app' });
  await client.connect();
  try {
    await client.query('select count(*) from search_name');
    await expect(client.query('delete from search_name')).rejects.toThrow(/permission denied/);
    await expect(client.query('select search_settle(false)')).rejects.toThrow(/permission denied/);
  } finally {
    await client.end();
  }
});
