import { type OrgObject, selectObjects as selectOrgObjects } from '#capabilities/org-indicators/index.ts';
import {
  familyObjects,
  observedData,
  type StixIndicator,
  stixIdOfOrganization,
  stixKindOf,
  stixTimeOfMicros,
  toStixIndicator,
} from '#domain/stix/index.ts';
import { forbidden } from '#platform/errors.ts';
import type { PageEnd } from '#platform/examined-page.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Collection } from './collections.ts';
import type { Identity } from './identity.ts';
import { LEFT_KEPT_MS } from './keep-collections.ts';
import type { Match } from './match-objects.ts';
import { stixSubjectOf, TLP_AMBER } from './object-text.ts';
import { type SharedPageQuery, selectObjects, selectText } from './page-store.ts';
import { KEYS_EXAMINED_MAX, type WalkAt } from './read-walk.ts';

/** An object of a page, with the date added of the indicator that it belongs to. */
export type PageObject = {
  readonly type: string;
  readonly id: string;
  readonly addedUs: number;
  readonly json: string;
};

export type Gathered = PageEnd & {
  /** One entry per object, or all objects as one text. */
  readonly objects: readonly PageObject[] | { readonly text: string; readonly count: number };
  /** Dates added of the first and the last indicator; null without one. */
  readonly firstUs: number | null;
  readonly lastUs: number | null;
};

export type GatherDeps = {
  readonly postgres: Pick<Postgres, 'db' | 'withAccount'>;
  readonly nowMs: number;
  readonly identity: Identity;
};

export type Asked = {
  readonly collection: Collection;
  readonly principal: Principal;
  readonly walk: WalkAt;
  readonly match: Match;
  readonly limit: number;
  /** The caller needs only one text of all objects, not each object by itself. */
  readonly asText: boolean;
};

export function gatherPage(deps: GatherDeps, asked: Asked): Promise<Gathered> {
  const { collection } = asked;
  return collection.owner === 'shared'
    ? gatherShared(deps, asked, collection)
    : gatherOwn(deps, asked, collection);
}

async function gatherShared(
  { postgres: { db }, nowMs, identity }: GatherDeps,
  { walk, match, limit, asText }: Asked,
  { bit, isTwin }: Extract<Collection, { owner: 'shared' }>,
): Promise<Gathered> {
  const { q, o, key } = walk;
  const query: SharedPageQuery = {
    bit,
    order: o,
    key,
    afterUs: q.after ?? null,
    beforeUs: q.before ?? null,
    minScore: q.min ?? 0,
    maxScore: q.max ?? 100,
    versionsUs: match.versionsUs,
    leftSinceUs: isTwin ? null : leftSince(walk, nowMs),
    limit,
    examinedMax: KEYS_EXAMINED_MAX,
  };
  if (asText) {
    const { text, objects: count, ...page } = await selectText(db, query);
    return { ...page, objects: { text: text ?? '', count } };
  }
  const page = await selectObjects(db, query);
  const objects = page.objects.flatMap(({ stix, addedUs, families }) => {
    if (isTwin) return observedOf(JSON.parse(stix) as StixIndicator, addedUs);
    const { id, created } = JSON.parse(stix) as StixIndicator;
    const indicator = { type: 'indicator', id, addedUs, json: stix };
    return q.with === undefined
      ? [indicator]
      : [indicator, ...familiesOf(families, { id, created, addedUs, identity })];
  });
  return { ...page, objects, ...datesOf(page.objects.map(({ addedUs }) => addedUs)) };
}

/**
 * The time from which objects that left are shown. A poll hears of what left within 90 days (O39). A walk over
 * everything hears of what left since it began: it may have shown the object before, and the next poll starts after the
 * dates of later objects and would miss the leaving. A twin tells what was observed, and never that something ended.
 */
const leftSince = ({ q, s }: WalkAt, nowMs: number): number =>
  q.after === undefined ? s : (nowMs - LEFT_KEPT_MS) * 1_000;

const datesOf = (dates: readonly number[]): Pick<Gathered, 'firstUs' | 'lastUs'> => ({
  firstUs: dates[0] ?? null,
  lastUs: dates.at(-1) ?? null,
});

async function gatherOwn(
  { postgres, nowMs, identity }: GatherDeps,
  { principal, walk, match, limit }: Asked,
  { entityType, isTwin }: Extract<Collection, { owner: 'organization' }>,
): Promise<Gathered> {
  const accountId = organizationOf(principal);
  const { q, o, key } = walk;
  const isScored = (q.min ?? 0) <= OWN_WORD && OWN_WORD <= (q.max ?? 100);
  const page = await postgres.withAccount(accountId, (tx) =>
    selectOrgObjects(tx, {
      accountId,
      entityType,
      order: o === 'added' ? 'changed' : 'created',
      key,
      afterUs: q.after ?? null,
      beforeUs: q.before ?? null,
      versionsUs: isScored ? match.versionsUs : [],
      hasRevoked: !isTwin,
      nowMs,
      revokedSinceUs: (nowMs - LEFT_KEPT_MS) * 1_000,
      limit,
      examinedMax: KEYS_EXAMINED_MAX,
    }),
  );
  const objects = page.objects.flatMap((row) => {
    const stix = ownIndicator(row, accountId, identity.object.id);
    if (stix === null) return [];
    const { changedUs: addedUs } = row;
    if (isTwin) return observedOf(stix, addedUs);
    return [{ type: 'indicator', id: stix.id, addedUs, json: JSON.stringify(stix) }];
  });
  return { ...page, objects, ...datesOf(page.objects.map(({ changedUs }) => changedUs)) };
}

export function organizationOf({ organizationId }: Principal): string {
  if (organizationId === null)
    throw forbidden('This collection needs an organization. Use the key of a member of one.');
  return organizationId;
}

/** Confidence in what an organization reports, for its own checks (O14); used as both score and confidence. */
const OWN_WORD = 95;

function ownIndicator(row: OrgObject, accountId: string, createdByRef: string): StixIndicator | null {
  const subject = stixSubjectOf(row.value);
  if (subject === null) return null;
  const createdMs = row.createdUs / 1_000;
  return toStixIndicator(subject, {
    id: stixIdOfOrganization(accountId, stixKindOf(subject.kind), subject.value, row.n),
    verdict: 'high',
    score: OWN_WORD,
    confidence: OWN_WORD,
    labels: [row.category],
    sources: 1,
    firstSeenMs: createdMs,
    lastSeenMs: null,
    createdMs,
    modifiedMs: row.changedUs / 1_000,
    validFromMs: createdMs,
    ...(row.endsAtMs !== null && { validUntilMs: row.endsAtMs }),
    createdByRef,
    markingRefs: [TLP_AMBER],
    isRevoked: row.isRevoked,
  });
}

/** First and last seen as sources state them, else by the date of their data (O69). */
function observedOf(stix: StixIndicator, addedUs: number): readonly PageObject[] {
  const subject = stixSubjectOf(stix.name);
  if (subject === null) return [];
  const first = stix.x_svc_first_seen ?? stix.valid_from;
  return observedData(subject, {
    indicatorId: stix.id,
    createdByRef: stix.created_by_ref ?? '',
    created: stix.created,
    modified: stix.modified,
    firstObserved: first,
    lastObserved: stix.x_svc_last_seen ?? first,
    number: stix.x_svc_sources,
    markingRefs: stix.object_marking_refs ?? [],
  }).map((object) => ({ type: object.type, id: object.id, addedUs, json: JSON.stringify(object) }));
}

function familiesOf(
  families: readonly string[],
  {
    id,
    created,
    addedUs,
    identity,
  }: { readonly id: string; readonly created: string; readonly addedUs: number; readonly identity: Identity },
): readonly PageObject[] {
  return families.flatMap((family) => {
    const { malware, relationship } = familyObjects(family, {
      indicatorId: id,
      created,
      createdByRef: identity.object.id,
      deployed: stixTimeOfMicros(identity.deployedUs),
    });
    return [malware, relationship].map((object) => ({
      type: object.type,
      id: object.id,
      addedUs,
      json: JSON.stringify(object),
    }));
  });
}
