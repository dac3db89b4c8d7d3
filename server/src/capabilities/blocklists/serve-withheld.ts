import { csvOf } from '#domain/text/csv.ts';
import { type Call, type PreparedBody, preparedBody } from '#platform/http/route.ts';
import type { Download } from './choose-download.ts';
import type { ListName } from './list-names.ts';
import { sampleOf } from './sample.ts';

/** A value that would be on the list if nothing vouched for it; the reason says what vouches. */
export type WithheldEntry = { readonly value: string; readonly reason: string };

export type WithheldDeps = {
  readonly withheld: (list: ListName) => Promise<readonly WithheldEntry[]>;
  readonly audience: 'public' | 'internal';
};

/** 6,159 of 235,425 addresses of the largest real list are withheld; this leaves room for thirty times that. */
export const WITHHELD_MAX = 200_000;
const CSV = 'text/csv; charset=utf-8';

/** `withheld` reads PostgreSQL at most once a minute, so that repeated anonymous requests cost no more statements. */
export async function serveWithheld(
  { withheld, audience }: WithheldDeps,
  { reply }: Pick<Call, 'reply'>,
  { open, variant }: Pick<Download, 'open' | 'variant'>,
): Promise<PreparedBody> {
  const all = await withheld(open.list);
  const told = variant === 'full' ? all : sampleOf(all);
  reply
    .header('cache-control', 'private, no-store')
    .header('content-type', CSV)
    .header('x-blocklist-variant', variant)
    .header('x-blocklist-audience', audience)
    .header('x-blocklist-entries', String(told.length));
  return preparedBody(
    csvOf(
      ['value', 'reason'],
      told.map(({ value, reason }) => [value, reason]),
    ),
  );
}
