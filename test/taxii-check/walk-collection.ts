import type { Check } from './check.ts';
import type { Target } from './check-server.ts';
import type { Collection, Dated, Seen } from './collection.ts';
import { readInstant } from './instants.ts';
import { type Page, type Query, walk } from './pages.ts';
import type { StixObject } from './stix/stix-object.ts';
import { STIX_TYPES } from './stix/stix-types.ts';

/** Fractional digits of a TAXII timestamp: microseconds. */
const DIGITS = 6;

/** Receives every object of a walk with the request that returned it. */
export type SeeObject = (object: StixObject, request: string) => void;

/**
 * Walks the manifest and the objects of a collection and judges every page. The two walks have pages of different size, so
 * that an object lost at the border of two pages is lost in one walk only.
 */
export async function walkCollection(
  check: Check,
  target: Target,
  seeObject: SeeObject,
): Promise<Collection> {
  const { limit } = check.options;
  const manifest = new Map<string, Dated>();
  const dating = await walk(
    check,
    { url: resourceOf(target, 'manifest'), what: 'manifest', query: { limit: String(limit * 2 + 1) } },
    (page) => judgeManifestPage(check, page, limit * 2 + 1, manifest),
  );
  const sight = createSight(check, manifest, seeObject);
  const reading = await walk(
    check,
    { url: resourceOf(target, 'objects'), what: 'objects', query: { limit: String(limit) } },
    (page) => sight.see(page, limit),
  );
  await sight.repeat();
  const { objects, sequence, leaders } = sight;
  const complete = dating.complete && reading.complete;
  return { target, objects, manifest, sequence, leaders, pages: dating.pages + reading.pages, complete };
}

export const resourceOf = ({ url }: Target, resource: 'objects' | 'manifest'): URL =>
  new URL(`${resource}/`, url);

function judgeManifestPage(check: Check, page: Page, limit: number, manifest: Map<string, Dated>): void {
  const { findings } = check;
  const { request } = page.answer;
  for (const { id, version, value, leads } of page.entries) {
    const date = readInstant(value.date_added);
    const text = JSON.stringify(value);
    if (typeof value.id !== 'string' || value.date_added === undefined || readInstant(value.version) === null)
      findings.violation('manifest-record', request, text);
    else if (date === null || date.digits !== DIGITS)
      findings.violation('timestamp', request, `date_added of ${text}`);
    const known = manifest.get(id);
    if (known === undefined) manifest.set(id, { version, date, dateText: String(value.date_added) });
    else if (leads) findings.note('identity-on-every-page', request, id);
    else if (known.version === version) findings.violation('walk-doubles', request, `${id} in the manifest`);
    else findings.violation('match-version', request, `${id} has two versions in the manifest`);
  }
  judgeDates(check, page, manifest);
  judgeLimit(check, page, limit);
}

/** Judges the order of dates within a page, and its date headers against the dates of its entries. */
function judgeDates(check: Check, page: Page, manifest: ReadonlyMap<string, Dated>): void {
  const { findings } = check;
  const { request } = page.answer;
  const ordered = page.entries.filter(({ leads }) => !leads);
  const dates = ordered.map(({ id }) => manifest.get(id)?.date ?? null);
  const backwards = dates.findIndex((date, at) => {
    const before = dates[at - 1];
    return date !== null && before != null && date.key < before.key;
  });
  if (backwards > 0)
    findings.violation(
      'order',
      request,
      `${ordered[backwards]?.id} was added before the object in front of it`,
    );
  if (page.entries.length === 0) return;
  const atFirst = [page.entries[0], ordered[0]].map((entry) => manifest.get(entry?.id ?? '')?.date?.key);
  const atLast = [page.entries.at(-1)].map((entry) => manifest.get(entry?.id ?? '')?.date?.key);
  for (const [name, text, expected] of [
    ['First', page.first, atFirst],
    ['Last', page.last, atLast],
  ] as const) {
    const instant = readInstant(text);
    const header = `X-TAXII-Date-Added-${name}: ${text ?? 'missing'}`;
    if (text === null) findings.violation('date-header', request, header);
    else if (instant === null || instant.digits !== DIGITS) findings.violation('timestamp', request, header);
    else if (ordered.length > 0 && expected.every((key) => key !== undefined && key !== instant.key))
      findings.violation('date-header-value', request, `${header}, the object was added ${expected.at(-1)}`);
  }
}

function judgeLimit({ findings }: Check, page: Page, limit: number): void {
  const { entries, answer } = page;
  if (entries.length <= limit) return;
  const counted = entries.filter(({ type }) => STIX_TYPES.get(type)?.group !== 'observable');
  const example = `${entries.length} entries for limit=${limit}`;
  if (counted.length <= limit && entries.some(({ type }) => type === 'observed-data'))
    findings.note('limit-counts-observed-data', answer.request, example);
  else findings.violation('limit', answer.request, example);
}

type Sight = {
  readonly objects: Map<string, Seen>;
  readonly sequence: string[];
  readonly leaders: Set<string>;
  readonly see: (page: Page, limit: number) => void;
  /** Requests the second and the last page again: a token must return the same page. */
  readonly repeat: () => Promise<void>;
};

function createSight(check: Check, manifest: ReadonlyMap<string, Dated>, seeObject: SeeObject): Sight {
  const { findings } = check;
  const objects = new Map<string, Seen>();
  const sequence: string[] = [];
  const leaders = new Set<string>();
  let lastKey = '';
  let second: Page | null = null;
  let last: Page | null = null;
  const seeEntries = (page: Page): void => {
    const { request } = page.answer;
    for (const { id, type, version, digest, leads, value } of page.entries) {
      const known = objects.get(id);
      if (known === undefined) {
        const specVersion = typeof value.spec_version === 'string' ? value.spec_version : null;
        const created = typeof value.created === 'string' ? value.created : null;
        objects.set(id, { type, version, created, digest, revoked: value.revoked === true, specVersion });
        seeObject(value, request);
        if (leads) leaders.add(id);
        else sequence.push(id);
      } else if (known.version !== version)
        findings.violation('match-version', request, `${id} has two versions`);
      else if (known.digest !== digest) findings.violation('stix-version-twice', request, id);
      else if (leads) findings.note('identity-on-every-page', request, id);
      else findings.violation('walk-doubles', request, id);
    }
  };
  return {
    objects,
    sequence,
    leaders,
    see: (page, limit) => {
      seeEntries(page);
      judgeLimit(check, page, limit);
      judgeDates(check, page, manifest);
      const ordered = page.entries.filter(({ leads }) => !leads);
      const firstKey = manifest.get(ordered[0]?.id ?? '')?.date?.key ?? lastKey;
      if (firstKey < lastKey)
        findings.violation(
          'order',
          page.answer.request,
          'the page begins before the end of the page before it',
        );
      lastKey = manifest.get(ordered.at(-1)?.id ?? '')?.date?.key ?? lastKey;
      if (page.token === null) return;
      second ??= page;
      last = page;
    },
    repeat: async () => {
      for (const page of new Set([second, last])) if (page !== null) await repeatPage(check, page);
    },
  };
}

async function repeatPage(check: Check, page: Page): Promise<void> {
  const again = await check.wire.ask(page.answer.url);
  const idsOf = (body: Readonly<Record<string, unknown>> | null): string =>
    Array.isArray(body?.objects) ? body.objects.map((object: StixObject) => object.id).join() : '';
  const isSame = again.status === 200 && idsOf(again.body) === idsOf(page.answer.body);
  if (!isSame || again.body?.more !== page.answer.body?.more)
    check.findings.violation('token-repeats', again.request, `answered ${again.status} with another page`);
}

/** The ids that a query returns, without judging what a full walk has judged; null when it cannot be read. */
export async function idsOf(
  check: Check,
  url: URL,
  what: 'objects' | 'manifest',
  query: Query,
  pagesMax: number,
): Promise<{
  readonly entries: Page['entries'];
  readonly complete: boolean;
  readonly request: string;
} | null> {
  const entries: Page['entries'][number][] = [];
  let request = '';
  const result = await walk(check, { url, what, query, pagesMax }, (page) => {
    entries.push(...page.entries);
    request ||= page.answer.request;
  });
  return request === '' ? null : { entries, complete: result.complete, request };
}
