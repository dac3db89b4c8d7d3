import type { Clock } from '#platform/clock.ts';
import { badRequest, notFound } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { Notice } from './contract.ts';
import {
  endNoticeRow,
  insertNotice,
  type NoticeRow,
  type NoticeSeverity,
  selectNotices,
} from './notice-store.ts';

export type NoticeDeps = { readonly system: Postgres; readonly clock: Clock };

/** Notices are shown for a week after their end, so that readers find what happened. */
const SHOWN_AFTER_MS = 7 * DAY_MS;
const LISTED_MAX = 50;

export type NewNotice = {
  readonly severity: NoticeSeverity;
  readonly title: string;
  readonly body: string;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
};

/** Puts a notice on the public status page, from now on or from a later time. */
export async function createNotice(
  { system, clock }: NoticeDeps,
  by: string,
  { startsAtMs, ...notice }: NewNotice,
): Promise<NoticeRow> {
  const nowMs = clock.now();
  const starts = startsAtMs ?? nowMs;
  if (notice.endsAtMs !== null && notice.endsAtMs < starts)
    throw badRequest('endsAt: a notice cannot end before it starts.');
  const id = newId('ntc', nowMs);
  const row = await insertNotice(system.db, { ...notice, id, createdBy: by, startsAtMs: starts }, nowMs);
  if (row === undefined) throw new Error('notice.create returned no row.');
  return row;
}

/** Ends a notice, which stays on the page for another week. */
export async function endNotice({ system, clock }: NoticeDeps, id: string): Promise<NoticeRow> {
  const row = await endNoticeRow(system.db, id, clock.now());
  if (row === undefined) throw notFound('Notice', id);
  return row;
}

/** Current and planned notices, and those that ended in the last week. */
export const listNotices = ({
  postgres,
  clock,
}: {
  readonly postgres: Postgres;
  readonly clock: Clock;
}): Promise<readonly NoticeRow[]> => selectNotices(postgres.db, clock.now() - SHOWN_AFTER_MS, LISTED_MAX);

export const noticeOf = ({ id, severity, title, body, startsAt, endsAt }: NoticeRow): Notice => ({
  id,
  severity,
  title,
  body,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt?.toISOString() ?? null,
});
