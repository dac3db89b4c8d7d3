import type { Check } from './check.ts';
import { isTaxiiType } from './check.ts';
import { checkFilters } from './check-filters.ts';
import { checkObjectResources } from './check-object-resources.ts';
import type { Target } from './check-server.ts';
import type { Collection } from './collection.ts';
import { walk } from './pages.ts';
import type { References } from './references.ts';
import { readObject } from './stix/stix-object.ts';
import { STIX_TYPES } from './stix/stix-types.ts';
import { idsOf, resourceOf, walkCollection } from './walk-collection.ts';
import { STIX_TYPE } from './wire.ts';

/** Judges everything about one collection and returns what it holds. */
export async function checkCollection(
  check: Check,
  target: Target,
  references: References,
): Promise<Collection> {
  const collection = await walkCollection(check, target, (object, request) => {
    const reading = readObject(object);
    for (const { clause, example } of reading.findings) check.findings.violation(clause, request, example);
    for (const { note, example } of reading.notes) check.findings.note(note, request, example);
    references.see(target, object, reading.references, request);
  });
  if (collection.complete) await compareManifest(check, collection);
  judgeVersions(check, collection);
  await checkStixMode(check, collection);
  await checkFilters(check, collection);
  await checkObjectResources(check, collection);
  return collection;
}

const isObservable = (type: string): boolean => STIX_TYPES.get(type)?.group === 'observable';

function judgeVersions({ findings }: Check, { objects, manifest, target }: Collection): void {
  for (const [id, { version, type }] of objects) {
    const record = manifest.get(id);
    if (record === undefined || isObservable(type) || record.version === version) continue;
    const request = `GET ${resourceOf(target, 'manifest').pathname}`;
    findings.violation('manifest-version', request, `${id} is ${record.version}, the object ${version}`);
  }
}

/** Compares the ids of both walks. If a resource finds an id by filter that its walk lacks, the walk lost it. */
async function compareManifest(check: Check, { objects, manifest, target }: Collection): Promise<void> {
  const inManifestOnly = [...manifest.keys()].filter((id) => !objects.has(id));
  const inObjectsOnly = [...objects.keys()].filter((id) => !manifest.has(id));
  for (const [ids, what] of [
    [inManifestOnly, 'objects'],
    [inObjectsOnly, 'manifest'],
  ] as const) {
    const [id] = ids;
    if (id === undefined) continue;
    const url = resourceOf(target, what);
    const found = await idsOf(check, url, what, { 'match[id]': id }, check.options.pagesMax);
    const isThere = found?.entries.some((entry) => entry.id === id) ?? false;
    const words = `${ids.length} ids such as ${id} are not in the walk over the ${what}`;
    check.findings.violation(isThere ? 'walk-loses' : 'manifest-agrees', `GET ${url.pathname}`, words);
  }
}

/** Some servers answer the STIX media type with plain STIX in another order; both walks must find the same objects. */
async function checkStixMode(check: Check, { target, objects, complete }: Collection): Promise<void> {
  const { findings, options } = check;
  const url = resourceOf(target, 'objects');
  const probe = await check.wire.ask(url, { accept: STIX_TYPE });
  if (probe.status !== 200 || isTaxiiType(probe.headers.get('content-type') ?? '')) return;
  findings.note('stix-mode', probe.request, `Content-Type: ${probe.headers.get('content-type')}`);
  const ids = new Set<string>();
  const created: string[] = [];
  const query = { limit: String(options.limit) };
  const result = await walk(check, { url, what: 'objects', accept: STIX_TYPE, query }, (page) => {
    for (const { id, value, leads } of page.entries) {
      ids.add(id);
      if (!leads && typeof value.created === 'string') created.push(value.created);
    }
  });
  const isNewestFirst = created.every((date, at) => at === 0 || date <= (created[at - 1] ?? ''));
  if (created.length > 1 && isNewestFirst) findings.note('stix-mode-order', probe.request, target.id);
  if (!complete || !result.complete) return;
  const missing = [...objects.keys()].filter((id) => !ids.has(id));
  const surplus = [...ids].filter((id) => !objects.has(id));
  if (missing.length + surplus.length > 0)
    findings.violation(
      'modes-agree',
      probe.request,
      `${missing.length} objects are missing and ${surplus.length} are new, such as ${missing[0] ?? surplus[0]}`,
    );
}
