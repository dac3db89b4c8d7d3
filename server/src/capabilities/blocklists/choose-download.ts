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

const TAG_DIGITS = 32;
const ENCODED_DIGITS = 8;
const RETRY_AFTER_S = 600;

/** Which bytes a caller gets. It is decided from memory alone, because the charge for the call depends on it. */
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
  // A download looks for a missing list and says why it is missing before it comes here.
  if (open === null) throw unavailable('This list is not published yet.', RETRY_AFTER_S);
  const variant: Variant = isPaying(principal) ? 'full' : 'sample';
  const rendering = renderingOf(query, allowed);
  const since = query.since === undefined ? null : query.since;
  const encoding = since === null ? chooseEncoding(acceptEncoding) : 'identity';
  return { open, variant, rendering, encoding, since, etag: etagOf(open, variant, encoding, rendering) };
}

/** Looks the name up among the known lists and never joins it to a path, so that it cannot reach other files. */
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
 * A strong ETag: it includes the variant, the encoding and every parameter. Its first 32 digits are the hash of the
 * plain text of the variant, by which `since` finds the version.
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
    // The hash of the allowed values, not of the organization: the same values give the same bytes.
    const own = allowed === null ? '' : `-${sha256Of(allowed.join('\n')).slice(0, TAG_DIGITS)}`;
    const encoded = encoding === 'identity' ? '' : `-${encoderOf(encoding)}`;
    const source = head.entries.sha256.slice(0, ENCODED_DIGITS);
    // The build time is included because a DNS zone has it in its serial number.
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
