import { isPlan, planReaches } from '#domain/plans/plans.ts';
import { badRequest, notFound, unavailable } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { sha256Of } from '#platform/sha256.ts';
import type { Variant } from './bundle.ts';
import { chooseEncoding } from './choose-encoding.ts';
import type { DownloadQuery } from './contract.ts';
import { type Encoding, encoderOf } from './encode-bytes.ts';
import { findFormat, formatNames } from './formats/formats.ts';
import { isListName, kindOfList, type ListName } from './list-names.ts';
import type { Lists, OpenList } from './open-lists.ts';

const RETRY_AFTER_S = 600;
const TAG_DIGITS = 32;
const ENCODED_DIGITS = 8;

/** Which bytes a caller gets; decided from memory alone, so that it can be known before a call is charged. */
export type Download = {
  readonly open: OpenList;
  readonly variant: Variant;
  readonly etag: string;
  /** Null: the file itself. */
  readonly rendering: {
    readonly format: string;
    readonly minScore: number;
    readonly maxEntries: number | null;
    readonly annotate: boolean;
    readonly allowed: readonly string[] | null;
  } | null;
  readonly encoding: Encoding;
  readonly since: string | null;
};

export function chooseDownload(
  lists: Pick<Lists, 'find'>,
  principal: Principal,
  filename: string,
  query: DownloadQuery,
  acceptEncoding: string | undefined,
  allowed: readonly string[] | null = null,
): Download {
  const list = listOf(filename);
  refuseUnfit(list, query);
  const open = lists.find(list);
  if (open === null)
    throw unavailable('This list has not been built yet. Lists are built every ten minutes.', RETRY_AFTER_S);
  const variant: Variant = isPaying(principal) ? 'full' : 'sample';
  const rendering = renderingOf(query, allowed);
  const since = query.since === undefined ? null : query.since;
  const encoding = since === null ? chooseEncoding(acceptEncoding) : 'identity';
  return { open, variant, rendering, encoding, since, etag: etagOf(open, variant, encoding, rendering) };
}

/** A name is looked up and never joined to a path; whatever else it holds, it is not found. */
export function listOf(filename: string): ListName {
  if (isListName(filename)) return filename;
  throw notFound('Blocklist', filename.replace(/[^\w.-]/g, '?').slice(0, 64));
}

function refuseUnfit(list: ListName, { format, since, view, ...others }: DownloadQuery): void {
  const kind = kindOfList(list);
  if (view !== undefined && Object.values({ format, since, ...others }).some((value) => value !== undefined))
    throw badRequest('view: what is withheld is one table. Leave out the other parameters.');
  if (format !== undefined && findFormat(format, kind) === undefined)
    throw badRequest(
      `format: ${format} does not fit a list of ${kind}. Formats that do: ${formatNames(kind).join(', ')}.`,
    );
  const isChanged =
    others.annotate === '1' ||
    others.min_score !== undefined ||
    others.max_entries !== undefined ||
    others.apply !== undefined;
  if (since !== undefined && (isChanged || (format !== undefined && format !== 'text')))
    throw badRequest('since: differences are made of the plain list. Leave out the other parameters.');
}

const isPaying = ({ kind, plan }: Principal): boolean =>
  kind !== 'anonymous' && isPlan(plan) && planReaches(plan, 'BASIC');

function renderingOf(
  { format = 'text', min_score, max_entries, annotate }: DownloadQuery,
  allowed: readonly string[] | null,
): Download['rendering'] {
  const isPlain =
    format === 'text' && min_score === undefined && max_entries === undefined && annotate !== '1';
  if (isPlain && allowed === null) return null;
  return {
    format,
    minScore: Number(min_score ?? 0),
    maxEntries: max_entries === undefined ? null : Number(max_entries),
    annotate: annotate === '1',
    allowed,
  };
}

/**
 * Strong: variant, encoding and every parameter are in it. The first 32 digits are those of the plain text of the variant,
 * which is what `since` looks for.
 */
export function etagOf(
  { head }: OpenList,
  variant: Variant,
  encoding: Encoding,
  rendering: Download['rendering'],
): string {
  const text = head[variant].identity.sha256.slice(0, TAG_DIGITS);
  if (rendering !== null) {
    const { format, minScore, maxEntries, annotate, allowed } = rendering;
    // Two organizations that allow the same values get the same bytes.
    const own = allowed === null ? '' : `-${sha256Of(allowed.join('\n')).slice(0, TAG_DIGITS)}`;
    const encoded = encoding === 'identity' ? '' : `-${encoderOf(encoding)}`;
    const source = head.entries.sha256.slice(0, ENCODED_DIGITS);
    // A zone has the time of its build inside.
    return `"${text}-${variant}-${source}-${format}-${minScore}-${maxEntries ?? 'all'}-${annotate ? 1 : 0}-${head.builtAtMs.toString(36)}${own}${encoded}"`;
  }
  if (encoding === 'identity') return `"${text}-${variant}"`;
  return `"${text}-${variant}-${encoding}-${head[variant][encoding].sha256.slice(0, ENCODED_DIGITS)}"`;
}

/** The digits and the variant of a tag that this service gave; null for any other text. */
export function readTag(text: string): { readonly digits: string; readonly variant: Variant } | null {
  const found = /^(?:W\/)?"?([0-9a-f]{32})-(full|sample)\b/.exec(text.trim());
  return found === null ? null : { digits: found[1] ?? '', variant: found[2] as Variant };
}
