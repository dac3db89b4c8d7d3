import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { admin, startService } from '#test/service.ts';
import { openAccounts } from '#test/service-accounts.ts';
import { openFolder } from './run-program.ts';

/** The data set beside the project, which is not part of it. */
const DATA = join(import.meta.dirname, '../../../../../shared/data');
export const hasRealData = (): boolean => existsSync(join(DATA, 'MANIFEST.json'));

/** The lists are judged on the day of the data, when they are longest. */
const DATA_DAY_MS = Date.parse('2026-08-23T00:30:00Z');
const SERVED_WITHIN_MS = 120_000;
const LOADED_WITHIN_MS = 300_000;

export const ADDRESSES = 'blocklist-ips-all.txt';
export const NAMES = 'blocklist-domains-all.txt';

export type Download = {
  readonly path: string;
  /** X-Blocklist-Entries and X-Blocklist-Left-Out. */
  readonly entries: number;
  readonly left: number;
};

export type RealLists = {
  readonly download: (list: string, format: string) => Promise<Download>;
  readonly entriesOf: (list: string) => Promise<readonly string[]>;
  /** Every name that a threat source lists, whatever its score. */
  readonly accusedNames: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
};

/**
 * A service on the whole data set, set up as by an operator whose own devices fetch the lists. The import and the first
 * judgement take eight minutes on two quiet cores; ASSAY_LISTS_URL, ASSAY_LISTS_KEY (the value of X-API-KEY) and
 * ASSAY_LISTS_DATABASE name a service that has done both already.
 */
export async function openRealLists(): Promise<RealLists> {
  const { ASSAY_LISTS_URL: url, ASSAY_LISTS_KEY: key, ASSAY_LISTS_DATABASE: given } = process.env;
  if (url !== undefined && key !== undefined && given !== undefined)
    return {
      ...(await openDownloads(url, key)),
      accusedNames: () => accusedIn(given),
      stop: async () => undefined,
    };
  const database = await createTestDatabase();
  const ends: (() => Promise<unknown>)[] = [database.drop];
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const offset = { CLOCK_OFFSET_MS: String(DATA_DAY_MS - Date.now()) };
    await admin({ ASSAY_ENV: 'test', DATABASE_URL: database.url, ...offset }, [
      'feeds',
      'import-manifest',
      DATA,
    ]);
    const service = await startService({
      databaseUrl: database.url,
      env: { ...offset, DISTRIBUTION: 'internal', FEEDS_ENABLED: 'false' },
      waitReady: false,
    });
    ends.push(service.stop);
    await eventually('the service has loaded the listings', LOADED_WITHIN_MS, async () => {
      const answer = await fetch(`${service.url}/readyz`).catch(() => null);
      return answer?.ok === true;
    });
    await service.admin('standing', 'follow');
    await service.admin('lists', 'build');
    const accounts = openAccounts(service);
    ends.push(accounts.close);
    const { credential } = await accounts.newAccount('firewall@example.com', { plan: 'PRO' });
    return {
      ...(await openDownloads(service.url, credential)),
      accusedNames: () => accusedIn(database.url),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openDownloads(
  url: string,
  credential: string,
): Promise<Pick<RealLists, 'download' | 'entriesOf'>> {
  const ask = (list: string, format: string): Promise<Response> =>
    fetch(`${url}/blocklist/download/${list}?format=${format}`, { headers: { 'X-API-KEY': credential } });
  for (const list of [ADDRESSES, NAMES])
    await eventually(`${list} is served`, SERVED_WITHIN_MS, async () => {
      const answer = await ask(list, 'text');
      await answer.arrayBuffer();
      return answer.ok && answer.headers.get('X-Blocklist-Variant') === 'full';
    });
  return {
    download: async (list, format) => {
      const answer = await ask(list, format);
      if (!answer.ok) throw new Error(`${list} as ${format}: ${answer.status} ${await answer.text()}`);
      const path = join(await openFolder(), `${format}.txt`);
      await writeFile(path, Buffer.from(await answer.arrayBuffer()));
      return {
        path,
        entries: Number(answer.headers.get('X-Blocklist-Entries')),
        left: Number(answer.headers.get('X-Blocklist-Left-Out') ?? 0),
      };
    },
    entriesOf: async (list) =>
      (await (await ask(list, 'text')).text()).split('\n').filter((line) => line !== ''),
  };
}

async function accusedIn(databaseUrl: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ value: string }>(
      `select i.value from indicator i
        where get_byte(i.key, 0) = 5 and exists (
          select 1 from listing l join source s on s.number = l.source_number
           where l.key = i.key and s.threat_class = 'threat' and s.enabled and not s.ad_only)
        order by i.value`,
    );
    return rows.map(({ value }) => value);
  } finally {
    await client.end();
  }
}
