import { stixSubjectOf } from '#capabilities/taxii/object-text.ts';
import { stixIdOfOrganization, stixKindOf } from '#domain/stix/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import type { Filters } from './oasis-client.ts';

/** A published object as the database has it. */
export type PublishedRow = {
  readonly id: string;
  readonly value: string;
  readonly addedUs: number;
  readonly createdUs: number;
  /** False: it left the collection, which only polls are told. */
  readonly isIn: boolean;
};

export async function sharedRows(db: Db, bit: number): Promise<readonly PublishedRow[]> {
  const { rows } = await sql<PublishedRow>`
    select 'indicator--' || id as id, stix::jsonb ->> 'name' as value, added_us::float8 as "addedUs",
           created_us::float8 as "createdUs", collections & ${bit} <> 0 as "isIn"
      from taxii_object where (collections | left_collections) & ${bit} <> 0`.execute(db);
  return rows;
}

export async function organizationRows(
  db: Db,
  accountId: string,
  kind: string,
): Promise<readonly PublishedRow[]> {
  const { rows } = await sql<{ value: string; n: number; changedUs: number; createdUs: number }>`
    select value, n, changed_us::float8 as "changedUs", created_us::float8 as "createdUs"
      from org_indicator_object where account_id = ${accountId} and entity_type = ${kind}`.execute(db);
  return rows.map(({ value, n, changedUs, createdUs }) => {
    const subject = stixSubjectOf(value);
    if (subject === null) throw new Error(`'${value}' has no id.`);
    const id = stixIdOfOrganization(accountId, stixKindOf(subject.kind), subject.value, n);
    // A revoked object stays in its collection for 90 days.
    return { id, value, addedUs: changedUs, createdUs, isIn: true };
  });
}

/** A time with microseconds, such as `2026-01-01T00:00:00.000001Z`. */
export const timeOfMicros = (us: number): string =>
  `${new Date(Math.floor(us / 1_000)).toISOString().slice(0, -1)}${String(us % 1_000).padStart(3, '0')}Z`;

/** The objects that a walk with these filters must return, in their order. */
export function chosenRows(
  rows: readonly PublishedRow[],
  { added_after: after, type, id, version, spec_version: spec }: Filters,
  order: 'accept' | 'newest',
): readonly PublishedRow[] {
  const isKept = version === undefined || version.some((word) => ['last', 'first', 'all'].includes(word));
  const chosen = rows.filter(
    (row) =>
      (after === undefined ? row.isIn : timeOfMicros(row.addedUs) > after) &&
      (type?.includes('indicator') ?? true) &&
      (id?.includes(row.id) ?? true) &&
      (isKept || version.includes(timeOfMicros(row.addedUs))) &&
      (spec?.includes('2.1') ?? true),
  );
  return order === 'accept'
    ? chosen.toSorted((one, other) => one.addedUs - other.addedUs)
    : chosen.toSorted((one, other) => other.createdUs - one.createdUs);
}
