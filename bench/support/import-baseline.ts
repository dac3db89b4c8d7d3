import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ListedRow } from '../../server/src/capabilities/corpus/index.ts';
import type { AdmitRules } from '../../server/src/capabilities/feeds/ingest/admit.ts';
import type { SnapshotFile } from '../../server/src/capabilities/feeds/ingest/contract.ts';
import { KnownValues } from '../../server/src/capabilities/feeds/ingest/known-values.ts';
import { readSnapshot } from '../../server/src/capabilities/feeds/ingest/read-snapshot.ts';
import { SnapshotIntake } from '../../server/src/capabilities/feeds/ingest/snapshot-intake.ts';

export type BaselineSource = {
  readonly number: number;
  readonly rules: AdmitRules;
  readonly dataAtMs: number;
  readonly files: readonly SnapshotFile[];
};

const KINDS = ['ip', 'cidr', 'domain', 'url', 'hash', 'email', 'asn', 'crypto'];
const escaped = (text: string): string => text.replace(/[\\\t\n\r]/g, (char) => `\\${ESCAPES[char] ?? char}`);
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '\t': 't', '\n': 'n', '\r': 'r' };
const time = (ms: number | undefined): string => (ms === undefined ? '\\N' : new Date(ms).toISOString());

export async function writeBaselineFile(path: string, sources: readonly BaselineSource[]): Promise<number> {
  const out = createWriteStream(path, { highWaterMark: 1024 ** 2 });
  let rows = 0;
  for (const source of sources) {
    const seen = new KnownValues();
    const lines = (batch: readonly ListedRow[]): string => {
      let text = '';
      for (const row of batch) {
        // A value that a list repeats in another spelling would violate the primary key.
        if (seen.find(row.indicator.value) >= 0) continue;
        seen.add(row.indicator.value, 0);
        rows += 1;
        text += lineOf(row, source);
      }
      return text;
    };
    await readSnapshot(source, new SnapshotIntake(new KnownValues(), source.rules), async (batch) => {
      const text = lines(batch);
      if (text !== '' && !out.write(text)) await new Promise((resolve) => out.once('drain', resolve));
    });
  }
  await new Promise<void>((resolve) => out.end(resolve));
  return rows;
}

const lineOf = (row: ListedRow, { number, dataAtMs }: BaselineSource): string =>
  `${[
    KINDS.indexOf(row.indicator.kind),
    escaped(row.indicator.value),
    number,
    time(dataAtMs),
    time(row.firstSeenMs ?? dataAtMs),
    time(row.lastSeenMs),
    row.confidence ?? '\\N',
    row.reference === undefined ? '\\N' : escaped(row.reference),
    row.family === undefined ? '\\N' : escaped(row.family),
    row.rank ?? '\\N',
  ].join('\t')}\n`;

export async function copyBaseline(client: pg.Client, path: string, nowMs: () => number): Promise<number> {
  await client.query('drop table if exists bench_baseline');
  await client.query(`create table bench_baseline (
    kind smallint not null, value text not null, source_id smallint not null, listed_from timestamptz not null,
    first_seen timestamptz not null, last_seen timestamptz, confidence smallint, reference text, family text,
    rank integer, primary key (kind, value, source_id))`);
  const startMs = nowMs();
  await pipeline(
    createReadStream(path, { highWaterMark: 1024 ** 2 }),
    client.query(copyFrom('copy bench_baseline from stdin')),
  );
  const seconds = (nowMs() - startMs) / 1_000;
  await client.query('drop table bench_baseline');
  return seconds;
}

/** Copies a file's lines into one text column without an index: PostgreSQL's minimum for these bytes. */
export async function copyLines(client: pg.Client, path: string, nowMs: () => number): Promise<number> {
  await client.query('drop table if exists bench_lines');
  await client.query('create table bench_lines (line text)');
  const startMs = nowMs();
  await pipeline(
    createReadStream(path, { highWaterMark: 1024 ** 2 }),
    client.query(copyFrom('copy bench_lines from stdin')),
  );
  const seconds = (nowMs() - startMs) / 1_000;
  await client.query('drop table bench_lines');
  return seconds;
}
