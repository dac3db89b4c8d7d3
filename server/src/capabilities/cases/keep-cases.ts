import { recordAudit } from '#capabilities/access/index.ts';
import { type CaseStatus, firstHash, isOpen, mayMove } from '#domain/cases/index.ts';
import { badRequest, type ErrorDetail, forbidden, notFound, ServiceError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { takeCase } from './account-store.ts';
import { append, ROOM_FOR_STATUS } from './append-evidence.ts';
import type { Acting, CaseLinks, CasesDeps } from './cases-deps.ts';
import type { ActionCase, CreateCase, ListQuery, UpdateCase } from './contract.ts';
import { CaseCreated, CaseUpdated, tell } from './events.ts';
import { presentCase, presentCases } from './present.ts';
import {
  type CaseRow,
  countCases,
  findCase,
  insertCase,
  lockCase,
  nameOfPerson,
  selectCases,
  selectEvidence,
  updateCase,
} from './store.ts';

/** A page holds at least one case, and each case at most 4 MiB of evidence. */
const PAGE_BYTES_MAX = 8 * 1024 * 1024;
/** Text that is not an id is not looked up, because the database refuses U+0000. */
const isCaseId = (id: string): boolean => /^case_[0-9A-Z]+$/.test(id);

export const etagOfCase = ({ version }: Pick<CaseRow, 'version'>): string => `"v${version}"`;

export type Shown = { readonly etag: string; readonly shown: ActionCase };

export type CasePage = { readonly cases: ActionCase[]; readonly total: number; readonly next: string | null };

export const listCases = (
  { postgres }: CasesDeps,
  { accountId }: Principal,
  query: ListQuery,
): Promise<CasePage> =>
  postgres.withAccount(accountId, async (tx) => {
    const found = await selectCases(tx, accountId, query);
    const page = found.slice(0, Math.min(query.limit, fittingOf(found)));
    return {
      cases: await presentCases(tx, accountId, page),
      total: await countCases(tx, accountId, query),
      next: page.length < found.length ? (page.at(-1)?.id ?? null) : null,
    };
  });

/** How many cases, from the first on, fit into PAGE_BYTES_MAX with their evidence; at least one. */
function fittingOf(rows: readonly CaseRow[]): number {
  let bytes = 0;
  const over = rows.findIndex((row, at) => {
    bytes += row.evidenceBytes;
    return at > 0 && bytes > PAGE_BYTES_MAX;
  });
  return over === -1 ? rows.length : over;
}

export const readCase = ({ postgres }: CasesDeps, { accountId }: Principal, id: string): Promise<Shown> =>
  postgres.withAccount(accountId, async (tx) => show(tx, await caseOf(tx, accountId, id)));

/** Reads a case of the account inside a transaction of the caller; throws 404 where there is none. */
export async function caseOf(
  tx: Db,
  accountId: string,
  id: string,
  find: typeof findCase = findCase,
): Promise<CaseRow> {
  const row = isCaseId(id) ? await find(tx, accountId, id) : undefined;
  if (row === undefined) throw notFound('Case', id);
  return row;
}

export const show = async (tx: Db, row: CaseRow): Promise<Shown> => ({
  etag: etagOfCase(row),
  shown: presentCase(row, await selectEvidence(tx, row.accountId, [row.id])),
});

export async function createCase(
  { postgres, clock, links, limitsOf }: CasesDeps,
  { principal, actor }: Acting,
  body: CreateCase,
): Promise<Shown> {
  const { accountId, userId } = principal;
  const { cases: casesMax } = limitsOf(principal);
  const nowMs = clock.now();
  const id = newId('case', nowMs);
  const row: CaseRow = {
    id,
    accountId,
    userId,
    title: body.title,
    description: body.description ?? null,
    status: 'OPEN',
    priority: body.priority ?? 'MEDIUM',
    entityType: body.entityType ?? null,
    entityValue: body.entityValue ?? null,
    linkedAlertId: body.linkedAlertId ?? null,
    linkedCveFindingId: body.linkedCveFindingId ?? null,
    linkedReportId: body.linkedReportId ?? null,
    evidenceCount: 0,
    evidenceBytes: 0,
    head: firstHash(id),
    version: 1,
    changedBy: userId,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    resolvedAtMs: null,
  };
  return postgres.withAccount(accountId, async (tx) => {
    await refuseUnknownLinks(tx, links, accountId, body);
    if (!(await takeCase(tx, accountId, casesMax)))
      throw forbidden(
        `This account has the ${casesMax} cases of its plan. Add evidence to one of them, or take a larger plan.`,
      );
    await insertCase(tx, row);
    await recordAudit(tx, {
      accountId,
      actor,
      action: 'case.create',
      target: id,
      before: null,
      after: stateOf(row),
      nowMs,
    });
    await tell(tx, CaseCreated, row, nowMs);
    return { etag: etagOfCase(row), shown: presentCase(row, []) };
  });
}

/** `ifMatch` is the If-Match header: a case changed since that ETag is refused with 409, saying by whom and when. */
export async function changeCase(
  { postgres, clock, links }: CasesDeps,
  { principal, actor }: Acting,
  id: string,
  body: UpdateCase,
  ifMatch: string | undefined,
): Promise<Shown> {
  const { accountId, userId } = principal;
  return postgres.withAccount(accountId, async (tx) => {
    const before = await caseOf(tx, accountId, id, lockCase);
    await refuseStale(tx, before, ifMatch);
    await refuseUnknownLinks(tx, links, accountId, body);
    const nowMs = Math.max(clock.now(), before.updatedAtMs);
    const changed = fieldsOf(before, body);
    if (!mayMove(before.status, changed.status))
      throw new ServiceError(
        'Conflict',
        'A closed case can only be opened again. Set its status to OPEN first.',
      );
    if (isSame(before, changed)) return show(tx, before);
    const moved: CaseRow = {
      ...changed,
      resolvedAtMs: isOpen(changed.status) ? null : (before.resolvedAtMs ?? nowMs),
      version: before.version + 1,
      changedBy: userId,
      updatedAtMs: nowMs,
    };
    const after =
      before.status === changed.status
        ? moved
        : await append(tx, moved, changeOf(before.status, changed.status, userId), nowMs, ROOM_FOR_STATUS);
    await updateCase(tx, after);
    await recordAudit(tx, {
      accountId,
      actor,
      action: 'case.update',
      target: id,
      before: stateOf(before),
      after: stateOf(after),
      nowMs,
    });
    await tell(tx, CaseUpdated, after, nowMs);
    return show(tx, after);
  });
}

const WORDS: Readonly<Record<CaseStatus, string>> = {
  OPEN: 'open',
  IN_PROGRESS: 'in progress',
  RESOLVED: 'resolved',
  CLOSED: 'closed',
};

const changeOf = (from: CaseStatus, to: CaseStatus, by: string) => ({
  kind: 'status_change',
  title: `Status changed from ${WORDS[from]} to ${WORDS[to]}`,
  description: null,
  payload: { from, to, by },
});

const FIELDS = [
  'title',
  'description',
  'status',
  'priority',
  'entityType',
  'entityValue',
  'linkedAlertId',
  'linkedCveFindingId',
  'linkedReportId',
] as const;

/** Null clears a field; an absent one stays. */
const fieldsOf = (row: CaseRow, body: UpdateCase): CaseRow => ({
  ...row,
  ...Object.fromEntries(FIELDS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))),
});
const isSame = (a: CaseRow, b: CaseRow): boolean => FIELDS.every((name) => a[name] === b[name]);
const stateOf = (row: CaseRow) => Object.fromEntries(FIELDS.map((name) => [name, row[name]]));

async function refuseStale(tx: Db, row: CaseRow, ifMatch: string | undefined): Promise<void> {
  if (ifMatch === undefined) return;
  // The `W/` is ignored, because a proxy that compresses marks a strong tag as weak.
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.includes('*') || tags.includes(etagOfCase(row))) return;
  const by = (await nameOfPerson(tx, row.changedBy)) ?? row.changedBy;
  const at = new Date(row.updatedAtMs).toISOString();
  throw new ServiceError(
    'Conflict',
    `${by} changed this case at ${at}. Read it again, then repeat the change with its new ETag.`,
    { body: { changedBy: row.changedBy, changedAt: at }, headers: { ETag: etagOfCase(row) } },
  );
}

type Linked = Pick<UpdateCase, 'linkedAlertId' | 'linkedCveFindingId' | 'linkedReportId'>;
const LINK_ID = /^[a-z]+_[0-9A-Za-z]+$/;

async function refuseUnknownLinks(tx: Db, links: CaseLinks, accountId: string, body: Linked): Promise<void> {
  const asked = [
    ['linkedAlertId', links.alert, 'alert'],
    ['linkedCveFindingId', links.finding, 'finding'],
    ['linkedReportId', links.report, 'saved check'],
  ] as const;
  const details: ErrorDetail[] = [];
  for (const [path, isThere, what] of asked) {
    const id = body[path];
    if (id == null || (LINK_ID.test(id) && (await isThere(tx, accountId, id)))) continue;
    details.push({ path, message: `This account has no ${what} '${id}'.` });
  }
  if (details.length > 0) throw badRequest('A case can only be linked to what its account has.', details);
}
