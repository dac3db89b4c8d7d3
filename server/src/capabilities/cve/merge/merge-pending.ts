import type { LoadDeps } from '#capabilities/datasets/index.ts';
import {
  appendChanges as appendCveChanges,
  type CveRecord,
  changesBetween,
  cpeText,
  linkVotes,
  mergeCve,
  nameKey,
  parseCpe,
  productNames,
  type ToldCve,
  toldNothing,
} from '#domain/cve/index.ts';
import type { Db } from '#platform/postgres.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import { sha256Of } from '#platform/sha256.ts';
import { CVE, cveKey, FACTS, SUMMARIES } from '../dataset.ts';
import { exploitationNumber, severityNumber } from '../fact.ts';
import * as store from './merge-store.ts';

const CVES_PER_BATCH = 500;
/** From this many records on the planner gets new statistics, during a merge and after it; autovacuum may be off. */
const ANALYZED_FROM = 10_000;
const SUMMARY_MAX = 300;
const WORDS_MAX = 20_000;
const NAME_MAX = 300;
const CPE_MAX = 1_000;

export type MergeOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (records: number) => void;
  readonly fence?: (tx: Db) => Promise<void>;
};

/** Makes the records of CVEs whose told rows changed, batch by batch; a batch that was killed is made again. */
export async function mergePending(
  deps: Pick<LoadDeps, 'system' | 'clock'>,
  options: MergeOptions = {},
): Promise<number> {
  let made = 0;
  let analyzedAt = ANALYZED_FROM;
  for (;;) {
    options.signal?.throwIfAborted();
    const batch = await deps.system.transaction(async (tx) => {
      await options.fence?.(tx);
      await store.lockMerge(tx);
      const pending = await store.takePending(tx, CVES_PER_BATCH);
      if (pending.length > 0) await mergeBatch(tx, pending, new Date(deps.clock.now()).toISOString());
      return pending.length;
    });
    made += batch;
    const isOver = batch === 0;
    if (made >= analyzedAt || (isOver && made >= ANALYZED_FROM)) {
      await store.analyzeCves(deps.system.db);
      analyzedAt = made * 4;
    }
    if (isOver) return made;
    options.onProgress?.(made);
  }
}

async function mergeBatch(tx: Db, pending: readonly store.Pending[], at: string): Promise<void> {
  const ids = pending.map(({ id }) => id);
  const told = await store.readTold(tx, ids);
  const epss = await store.readEpssOf(tx, ids);
  const before = await store.readStored(tx, ids);
  const isKevLoaded = await store.hasKevCatalogue(tx);
  const made = pending.flatMap(({ id, epssBefore }): Made[] => {
    const rows = withEpss(id, told.get(id) ?? [], epss.get(id));
    if (rows.length === 0) return [];
    const record = mergeCve(id, rows, { isKevLoaded });
    const known = before.get(id);
    const yesterday = known === undefined ? null : asOfYesterday(known.record, epssBefore);
    const changes = appendCveChanges(known?.changes ?? [], changesBetween(yesterday, record, at));
    return [{ record, rows, changes, statements: statementsOf(rows) }];
  });
  const kept = new Set(made.map(({ record }) => record.id));
  const gone = ids.filter((id) => !kept.has(id));
  const changed = made.filter(({ record }) => !isSame(record, before.get(record.id)?.record));
  // Also written where only statements about versions changed, which are not in the record but decide matches.
  const isNew = new Set(changed);
  const written = made.filter(
    (each) => isNew.has(each) || each.statements !== before.get(each.record.id)?.statements,
  );
  await store.upsertCves(tx, written.map(rowOf));
  if (gone.length > 0) await store.deleteCves(tx, gone);
  await writeNames(tx, ids, made);
  const keys = [...gone, ...changed.map(({ record }) => record.id)].map(cveKey);
  await appendChanges(tx, CVE, FACTS, keys);
  await appendChanges(tx, CVE, SUMMARIES, keys);
}

/** The stored record with the score of the day before, because its own score may be weeks old. */
const asOfYesterday = (record: CveRecord, epssBefore: number | null): CveRecord =>
  epssBefore === null ? record : { ...record, epssScore: epssBefore };

/** Whether the merged record is unchanged, so that nothing is written. */
const isSame = (record: CveRecord, known: CveRecord | undefined): boolean =>
  known !== undefined && JSON.stringify(record) === JSON.stringify(known);

const DIGEST_CHARS = 32;

/** A digest of all statements of sources about affected versions, to notice changes. */
function statementsOf(rows: readonly ToldCve[]): string {
  const said = rows.map(({ affected, packages, configurations }) => [affected, packages, configurations]);
  const some = said.filter((lists) => lists.some(({ length }) => length > 0));
  return sha256Of(JSON.stringify(some)).slice(0, DIGEST_CHARS);
}

type Made = {
  readonly record: CveRecord;
  readonly rows: readonly ToldCve[];
  readonly statements: string;
  readonly changes: ReturnType<typeof appendCveChanges>;
};

function withEpss(id: string, rows: readonly ToldCve[], epss: store.EpssRow | undefined): readonly ToldCve[] {
  if (epss === undefined) return rows;
  const { score, percentile } = epss;
  return [...rows, { ...toldNothing(id, 'epss', id), epss: { score, percentile, date: null } }];
}

function rowOf({ record, changes, statements }: Made): store.CveRow {
  const { id, title, description, vendors, products } = record;
  return {
    id,
    isRejected: record.state === 'REJECTED',
    severity: severityNumber(record.severity),
    score: record.cvssScore,
    isKev: record.isKev,
    kevAdded: record.kev?.dateAdded ?? null,
    exploitation: exploitationNumber(record.ssvcExploitation),
    published: record.published,
    modified: record.lastModified,
    cwes: record.cwes,
    summary: title.slice(0, SUMMARY_MAX),
    record,
    changes,
    names: separated([id, title, ...vendors, ...products].join(' ')),
    words: separated(description ?? ''),
    statements,
  };
}

/** Separates words as a search does; PostgreSQL would else read the number of CVE-2026-1001 as -1001. */
const separated = (text: string): string => text.slice(0, WORDS_MAX).replace(/[-_/]+/g, ' ');

/** Writes the names of products. Rejected CVEs get none, so that they are found by their id alone. */
async function writeNames(tx: Db, ids: readonly string[], made: readonly Made[]): Promise<void> {
  const published = made.filter(({ record }) => record.state !== 'REJECTED');
  const names = published.flatMap(({ record, rows }) =>
    productNames(rows).map(({ vendor, product }) => ({
      id: record.id,
      vendor: nameKey(vendor).slice(0, NAME_MAX),
      product: nameKey(product).slice(0, NAME_MAX),
    })),
  );
  const before = await store.vendorsOf(tx, ids);
  const moved = await store.replaceProducts(tx, ids, distinctNames(names));
  const vendors = movedVendors(before, names, moved);
  if (vendors.length > 0) await store.moveVendors(tx, vendors);
  if (moved.some(({ cves }) => cves <= 0)) await store.dropEmptyCounts(tx);
  await store.replacePackages(
    tx,
    ids,
    published.flatMap(({ record, rows }) =>
      rows
        .flatMap((row) => [
          ...row.packages,
          ...row.affected.flatMap((entry) => (entry.package === null ? [] : [entry.package])),
        ])
        .map(({ ecosystem, name }) => ({
          id: record.id,
          ecosystem: ecosystem.slice(0, 100),
          name: name.slice(0, NAME_MAX),
        })),
    ),
  );
  await store.replaceVotes(
    tx,
    ids,
    published.flatMap(({ record, rows }) =>
      linkVotes(rows).flatMap((vote) => (vote.cna === vote.cpe ? [] : [{ id: record.id, ...vote }])),
    ),
  );
  await store.insertCpeNames(
    tx,
    published.flatMap(({ record }) => record.cpes.flatMap(cpeNameOf)),
  );
}

/** By how much counts of vendors move. A CVE counts once for a vendor, however many of its products it names. */
function movedVendors(
  before: readonly { readonly id: string; readonly vendor: string }[],
  after: readonly store.CveNames[],
  products: readonly store.MovedProduct[],
): readonly store.MovedVendor[] {
  const moved = new Map<string, { cves: number; products: number }>();
  const move = (vendor: string, cves: number, byProducts: number) => {
    const known = moved.get(vendor);
    if (known === undefined) moved.set(vendor, { cves, products: byProducts });
    else [known.cves, known.products] = [known.cves + cves, known.products + byProducts];
  };
  const pairs = new Map(after.map(({ id, vendor }) => [`${id}\n${vendor}`, vendor]));
  for (const vendor of pairs.values()) move(vendor, 1, 0);
  for (const { vendor } of before) move(vendor, -1, 0);
  for (const { vendor, isNew, cves } of products) {
    if (isNew) move(vendor, 0, 1);
    if (cves <= 0) move(vendor, 0, -1);
  }
  return [...moved].flatMap(([vendor, by]) =>
    by.cves === 0 && by.products === 0 ? [] : [{ vendor, ...by }],
  );
}

function distinctNames(names: readonly store.CveNames[]): readonly store.CveNames[] {
  const byKey = new Map(names.map((name) => [`${name.id}\n${name.vendor}\n${name.product}`, name]));
  return [...byKey.values()];
}

function cpeNameOf(cpe: string): readonly store.CpeName[] {
  const parsed = parseCpe(cpe);
  const vendor = parsed === null ? null : cpeText(parsed.vendor);
  const product = parsed === null ? null : cpeText(parsed.product);
  if (parsed === null || vendor === null || product === null || cpe.length > CPE_MAX) return [];
  return [{ cpe, vendor: nameKey(vendor), product: nameKey(product), version: cpeText(parsed.version) }];
}
