import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { REDIS_URL } from './redis.ts';
import { runOn } from './redis-server.ts';
import type { Service } from './service.ts';

/** Where a service keeps anything, by place: its files, log, metrics, PostgreSQL and Redis, all as lower-case text. */
export async function keptTexts(
  { dataDir, logFile, metricsUrl, env }: Pick<Service, 'dataDir' | 'logFile' | 'metricsUrl' | 'env'>,
  temporaryDir: string,
): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>();
  const keep = (place: string, text: string) =>
    places.set(place, `${places.get(place) ?? ''}${text.toLowerCase()}\n`);
  for (const folder of [dataDir, temporaryDir])
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
      if (entry.isFile()) {
        const file = join(entry.parentPath, entry.name);
        keep(file === logFile ? 'log' : `file ${file}`, readFileSync(file, 'latin1'));
      }
  keep('metrics', await (await fetch(metricsUrl)).text());
  await readTables(env.DATABASE_URL ?? '', keep);
  const keys = (await runOn(REDIS_URL, ['KEYS', `${env.REDIS_PREFIX}:*`])) as string[];
  for (const key of keys) keep('redis', `${key} ${String(await runOn(REDIS_URL, ['DUMP', key]))}`);
  return places;
}

async function readTables(url: string, keep: (place: string, text: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of rows)
      for (const { text } of (await client.query<{ text: string }>(`select t::text as text from ${name} t`))
        .rows)
        keep(`table ${name}`, text);
  } finally {
    await client.end();
  }
}

/** The places that hold one of the words: as text, as hexadecimal digits (bytea) or in base64. */
export function placesWith(places: ReadonlyMap<string, string>, words: readonly string[]): readonly string[] {
  const forms = words.flatMap((word) => [
    word,
    Buffer.from(word).toString('hex'),
    // Base64 of a word depends on its offset modulo 3, so the middle of each of the three forms is searched for.
    ...[0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), Buffer.from(word)])
        .toString('base64')
        .slice(4, -4),
    ),
  ]);
  return [...places].flatMap(([place, text]) =>
    forms.filter((form) => text.includes(form.toLowerCase())).map((form) => `${place}: ${form}`),
  );
}
