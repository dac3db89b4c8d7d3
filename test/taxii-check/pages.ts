import { createHash } from 'node:crypto';
import type { Check } from './check.ts';
import { type Answer, isObject, TAXII_TYPE } from './wire.ts';

/** One entry of a page: an object, or a manifest record. */
export type Entry = {
  readonly id: string;
  readonly type: string;
  /** An object's `modified`, else its `created`, else empty; a manifest record's `version`. */
  readonly version: string;
  readonly digest: string;
  /** True for an identity that the server puts first on every page, so that it does not follow the order of dates. */
  readonly leads: boolean;
  readonly value: Readonly<Record<string, unknown>>;
};

export type Page = {
  readonly answer: Answer;
  readonly entries: readonly Entry[];
  readonly more: boolean;
  readonly next: string | null;
  readonly first: string | null;
  readonly last: string | null;
  /** The `next` token that this page was requested with; null for the first page. */
  readonly token: string | null;
};

export type Query = Readonly<Record<string, string>>;
export type WalkOptions = {
  readonly url: URL;
  readonly what: 'objects' | 'manifest';
  readonly accept?: string;
  readonly query?: Query;
  readonly pagesMax?: number;
};

export type Walk = { readonly pages: number; readonly complete: boolean };

export function withQuery(url: URL, query: Query): URL {
  const asked = new URL(url);
  for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, value);
  return asked;
}

/**
 * Follows `next` from the first page to the last and gives each page to `see`. A manifest without `next` is continued
 * by `added_after`, as TAXII 2.1 section 5.3 leaves it to the client.
 */
export async function walk(check: Check, options: WalkOptions, see: (page: Page) => void): Promise<Walk> {
  const { findings } = check;
  const { url, what, accept = TAXII_TYPE, query = {} } = options;
  const pagesMax = options.pagesMax ?? check.options.pagesMax;
  const seen = new Set<string>();
  let cursor: Query = {};
  for (let pages = 1; ; pages += 1) {
    const asked = withQuery(url, { ...query, ...cursor });
    const page = await askPage(check, asked, what, accept, cursor.next ?? null);
    if (page === null) return { pages, complete: false };
    see(page);
    check.progress(`${url.pathname}: page ${pages}`);
    if (!page.more) return { pages, complete: true };
    if (pages >= pagesMax) {
      if (options.pagesMax === undefined)
        findings.note('stopped-early', page.answer.request, `after ${pages} pages`);
      return { pages, complete: false };
    }
    const following = followingOf(page, what);
    if (following === null) return { pages, complete: false };
    const key = JSON.stringify(following);
    if (seen.has(key)) {
      findings.violation('walk-ends', page.answer.request, `page ${pages} leads back to an earlier page`);
      return { pages, complete: false };
    }
    seen.add(key);
    cursor = following;
  }
}

function followingOf(page: Page, what: 'objects' | 'manifest'): Query | null {
  if (page.next !== null) return { next: page.next };
  return what === 'manifest' && page.last !== null ? { added_after: page.last } : null;
}

/** Asks for one page and judges its envelope; null when it cannot be read. */
export async function askPage(
  check: Check,
  url: URL,
  what: 'objects' | 'manifest',
  accept: string,
  token: string | null,
): Promise<Page | null> {
  const answer = await check.ask(url, { accept });
  if (answer?.body == null) return null;
  const { findings } = check;
  const { request, body } = answer;
  const list = body.objects ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) {
    findings.violation('envelope', request, 'objects is not a list of objects');
    return null;
  }
  if (body.more !== undefined && typeof body.more !== 'boolean')
    findings.violation('envelope', request, `more is ${JSON.stringify(body.more)}`);
  const more = body.more === true;
  const next = typeof body.next === 'string' && body.next !== '' ? body.next : null;
  // TAXII 2.1 defines no `next` for a manifest, so one with `more` alone is correct.
  if (more !== (next !== null) && !(what === 'manifest' && more))
    findings.violation('more-next', request, `more is ${more}, next is ${JSON.stringify(body.next)}`);
  judgePagingHeaders(check, answer, more, next);
  judgeBundle(check, answer, accept);
  return {
    answer,
    entries: list.map((value, at) => entryOf(value, at, what)),
    more,
    next,
    first: answer.headers.get('x-taxii-date-added-first'),
    last: answer.headers.get('x-taxii-date-added-last'),
    token,
  };
}

function judgePagingHeaders({ findings }: Check, answer: Answer, more: boolean, next: string | null): void {
  const [hasMore, header] = [answer.headers.get('x-taxii-has-more'), answer.headers.get('x-taxii-next')];
  if (hasMore !== null && hasMore !== String(more))
    findings.violation('paging-header', answer.request, `X-TAXII-Has-More: ${hasMore}, more is ${more}`);
  if (header !== null && header !== next)
    findings.violation('paging-header', answer.request, `X-TAXII-Next: ${header}, next is ${next}`);
}

const BUNDLE_ID = /^bundle--[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function judgeBundle({ findings }: Check, { request, body }: Answer, accept: string): void {
  if (body?.type === undefined) return;
  if (body.type !== 'bundle' || typeof body.id !== 'string' || !BUNDLE_ID.test(body.id))
    findings.violation(
      'stix-bundle',
      request,
      `type ${JSON.stringify(body.type)}, id ${JSON.stringify(body.id)}`,
    );
  else findings.note('bundle-envelope', request, `with Accept: ${accept}`);
}

function entryOf(value: Readonly<Record<string, unknown>>, at: number, what: 'objects' | 'manifest'): Entry {
  const id = String(value.id);
  const type = what === 'objects' ? String(value.type) : id.slice(0, Math.max(0, id.indexOf('--')));
  const version = what === 'objects' ? (value.modified ?? value.created ?? '') : (value.version ?? '');
  return {
    id,
    type,
    version: typeof version === 'string' ? version : JSON.stringify(version),
    digest: createHash('sha1').update(JSON.stringify(value)).digest('base64url'),
    leads: at === 0 && type === 'identity',
    value,
  };
}
