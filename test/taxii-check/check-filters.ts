import type { Check } from './check.ts';
import { type Collection, dateOf } from './collection.ts';
import { readInstant } from './instants.ts';
import type { Entry } from './pages.ts';
import { idsOf, resourceOf } from './walk-collection.ts';

/** Pages that are read of a filtered walk. Only a walk that ends within them is judged for missing objects. */
const PAGES = 5;
/** How many object types of a collection the type filter is tried with. */
const TYPES = 3;

/** Asks the collection with each filter of TAXII 2.1 section 3.4 and compares with the walk over everything. */
export async function checkFilters(check: Check, collection: Collection): Promise<void> {
  if (collection.sequence.length === 0) return;
  await checkAddedAfter(check, collection);
  await checkMatchType(check, collection);
  await checkMatchId(check, collection);
  await checkSpecVersion(check, collection);
}

/**
 * The date to poll after: near the end, so that few pages follow; if possible one that two objects share, because an
 * inclusive or an imprecise comparison would return one or both of them.
 */
function borderOf(collection: Collection, limit: number): string | null {
  const { sequence, manifest } = collection;
  const from = Math.max(0, sequence.length - limit * 2);
  const late = sequence.slice(from).filter((id) => dateOf(collection, id) !== null);
  const shared = late.find((id, at) => {
    const [date, next] = [dateOf(collection, id)?.key, dateOf(collection, late[at + 1] ?? '')?.key];
    return date === next && date !== dateOf(collection, late.at(-1) ?? '')?.key;
  });
  const chosen = shared ?? late[Math.floor((late.length - 1) / 2)];
  return manifest.get(chosen ?? '')?.dateText ?? null;
}

async function checkAddedAfter(check: Check, collection: Collection): Promise<void> {
  const { limit } = check.options;
  const border = borderOf(collection, limit);
  const last = collection.manifest.get(collection.sequence.at(-1) ?? '')?.dateText;
  for (const date of new Set([border, last])) if (date != null) await checkBorder(check, collection, date);
}

async function checkBorder(check: Check, collection: Collection, addedAfter: string): Promise<void> {
  const { findings, options } = check;
  const after = readInstant(addedAfter)?.key;
  const query = { added_after: addedAfter, limit: String(options.limit) };
  const [found, records] = [
    await idsOf(check, resourceOf(collection.target, 'objects'), 'objects', query, options.pagesMax),
    await idsOf(check, resourceOf(collection.target, 'manifest'), 'manifest', query, options.pagesMax),
  ];
  if (after === undefined || found === null || records === null) return;
  const dates = new Map(records.entries.map(({ id, value }) => [id, readInstant(value.date_added)?.key]));
  const entries = found.entries.filter(({ leads }) => !leads);
  const early = entries.find(({ id }) => (dateOf(collection, id)?.key ?? dates.get(id) ?? after) <= after);
  if (early !== undefined)
    findings.violation(
      'added-after-exclusive',
      found.request,
      `${early.id} was added at that date or earlier`,
    );
  const ids = new Set(found.entries.map(({ id }) => id));
  const lost = collection.sequence.find((id) => (dateOf(collection, id)?.key ?? '') > after && !ids.has(id));
  if (lost !== undefined && found.complete && collection.complete)
    findings.violation('added-after-loses', found.request, `${lost} was added later`);
  if (collection.complete && entries.some(({ id }) => !collection.objects.has(id)))
    findings.note('polls-see-more', found.request, 'objects that are only shown to polls');
  const idText = (list: readonly Entry[]): string => list.map(({ id }) => id).join();
  if (found.complete && records.complete && idText(found.entries) !== idText(records.entries))
    findings.violation('manifest-agrees', records.request, 'the ids or their order differ from the objects');
}

async function checkMatchType(check: Check, collection: Collection): Promise<void> {
  const types = new Set(collection.sequence.map((id) => collection.objects.get(id)?.type ?? ''));
  for (const type of [...[...types].slice(0, TYPES), 'x-taxii-check-none']) {
    const found = await match(check, collection, { 'match[type]': type });
    if (found === null) continue;
    const wrong = found.entries.find((entry) => entry.type !== type);
    if (wrong !== undefined)
      check.findings.violation('match-type', found.request, `${wrong.id} is not ${type}`);
    judgeWhole(check, collection, found, 'match-type', (id) => collection.objects.get(id)?.type === type);
  }
}

async function checkMatchId(check: Check, collection: Collection): Promise<void> {
  // Prefers an object with a version, because it tests the version filter too; observables have none.
  const { sequence, objects } = collection;
  const versioned = sequence.filter((each) => objects.get(each)?.version !== '');
  const from = versioned.length > 0 ? versioned : sequence;
  const id = from[Math.floor(from.length / 2)] ?? '';
  const version = objects.get(id)?.version ?? '';
  const found = await match(check, collection, { 'match[id]': id });
  if (found !== null) {
    const wrong = found.entries.find((entry) => entry.id !== id);
    if (wrong !== undefined)
      check.findings.violation('match-id', found.request, `${wrong.id} is another object`);
    judgeWhole(check, collection, found, 'match-id', (each) => each === id);
  }
  if (version === '') return;
  for (const [wanted, isThere] of [
    [version, true],
    ['last', true],
    ['1999-01-01T00:00:00.000000Z', false],
  ] as const) {
    const versions = await match(check, collection, { 'match[id]': id, 'match[version]': wanted });
    if (versions === null) continue;
    const has = versions.entries.some((entry) => entry.id === id);
    if (has !== isThere && (has || versions.complete))
      check.findings.violation('match-version', versions.request, `${id} is ${has ? 'there' : 'missing'}`);
  }
}

async function checkSpecVersion(check: Check, collection: Collection): Promise<void> {
  for (const wanted of ['2.1', '2.0']) {
    const found = await match(check, collection, { 'match[spec_version]': wanted });
    const wrong = found?.entries.find(
      ({ value }) => value.spec_version !== undefined && value.spec_version !== wanted,
    );
    if (found !== null && wrong !== undefined)
      check.findings.violation(
        'match-spec-version',
        found.request,
        `${wrong.id} is ${JSON.stringify(wrong.value.spec_version)}`,
      );
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof idsOf>>>;

function match(check: Check, { target }: Collection, query: Readonly<Record<string, string>>) {
  const limited = { ...query, limit: String(check.options.limit) };
  return idsOf(
    check,
    resourceOf(target, 'objects'),
    'objects',
    limited,
    Math.min(PAGES, check.options.pagesMax),
  );
}

function judgeWhole(
  { findings }: Check,
  { objects, sequence, complete }: Collection,
  found: Found,
  clause: 'match-type' | 'match-id',
  isWanted: (id: string) => boolean,
): void {
  const ids = new Set(found.entries.map(({ id }) => id));
  const lost = sequence.find((id) => objects.has(id) && isWanted(id) && !ids.has(id));
  if (lost !== undefined && found.complete && complete)
    findings.violation(clause, found.request, `${lost} is missing`);
}
