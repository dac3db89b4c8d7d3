import type { Check } from './check.ts';
import { type Answer, isObject, TAXII_TYPE } from './wire.ts';

/** A collection to walk, and where its resources are. */
export type Target = {
  readonly root: URL;
  readonly id: string;
  readonly title: string;
  readonly url: URL;
};

type Resource = Readonly<Record<string, unknown>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Judges discovery, API roots and lists of collections; returns the collections that may be read. */
export async function checkServer(check: Check): Promise<readonly Target[]> {
  const start = slashed(check.options.url);
  const answer = await check.ask(start);
  if (answer?.body == null) return [];
  const roots = answer.body.versions === undefined ? rootsIn(check, answer) : [start];
  const targets: Target[] = [];
  for (const root of roots) targets.push(...(await checkRoot(check, root)));
  return targets;
}

export function slashed(url: URL): URL {
  const copy = new URL(url);
  if (!copy.pathname.endsWith('/')) copy.pathname += '/';
  return copy;
}

function rootsIn({ findings, wire }: Check, { request, body, url }: Answer): readonly URL[] {
  const { title, api_roots: listed, default: standard } = body ?? {};
  if (typeof title !== 'string' || title === '')
    findings.violation('discovery', request, `title is ${JSON.stringify(title)}`);
  const isList = Array.isArray(listed) && listed.every((each) => typeof each === 'string');
  if (!isList) {
    findings.violation('discovery', request, `api_roots is ${JSON.stringify(listed)}`);
    return [];
  }
  const texts = listed as readonly string[];
  if (standard !== undefined && !(typeof standard === 'string' && texts.includes(standard)))
    findings.violation('discovery-default', request, `default is ${JSON.stringify(standard)}`);
  const roots = texts.filter((text) => URL.canParse(text, url)).map((text) => slashed(new URL(text, url)));
  for (const root of roots) if (!wire.mayAsk(root)) findings.note('other-origin', request, root.href);
  return roots.filter((root) => wire.mayAsk(root));
}

async function checkRoot(check: Check, root: URL): Promise<readonly Target[]> {
  const answer = await check.ask(root);
  const listing = await check.ask(new URL('collections/', root));
  if (listing === null) return [];
  const listed = collectionsIn(check, listing);
  if (answer !== null) judgeRoot(check, answer, listed);
  const wanted = check.options.collections;
  const ids = wanted.length > 0 ? wanted : listed.map(({ id }) => String(id));
  const targets: Target[] = [];
  for (const id of ids) {
    const target = await checkCollectionResource(check, root, id, listed);
    if (target !== null) targets.push(target);
  }
  return targets;
}

function judgeRoot({ findings }: Check, { request, body }: Answer, listed: readonly Resource[]): void {
  const { title, versions, max_content_length: length } = body ?? {};
  if (typeof title !== 'string' || title === '')
    findings.violation('api-root', request, `title is ${JSON.stringify(title)}`);
  if (!Array.isArray(versions) || !versions.includes(TAXII_TYPE))
    findings.violation('api-root', request, `versions is ${JSON.stringify(versions)}`);
  const isReadOnly = listed.every((collection) => collection.can_write !== true);
  if (length === 0 && isReadOnly) findings.note('read-only-root', request, 'max_content_length is 0');
  else if (!Number.isInteger(length) || Number(length) <= 0)
    findings.violation('api-root', request, `max_content_length is ${JSON.stringify(length)}`);
}

function collectionsIn({ findings }: Check, { request, body }: Answer): readonly Resource[] {
  const list = body?.collections ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) {
    findings.violation('collections', request, 'collections is not a list of objects');
    return [];
  }
  const ids = new Set<unknown>();
  for (const { id } of list) {
    if (ids.has(id)) findings.violation('collections', request, `${JSON.stringify(id)} is listed twice`);
    ids.add(id);
  }
  return list.filter(({ id }) => typeof id === 'string' && id !== '');
}

const REQUIRED = { id: 'string', title: 'string', can_read: 'boolean', can_write: 'boolean' } as const;

async function checkCollectionResource(
  check: Check,
  root: URL,
  id: string,
  listed: readonly Resource[],
): Promise<Target | null> {
  const { findings } = check;
  const url = new URL(`collections/${encodeURIComponent(id)}/`, root);
  const answer = await check.ask(url);
  if (answer?.body == null) return null;
  const { request, body } = answer;
  for (const [name, type] of Object.entries(REQUIRED))
    if (typeof body[name] !== type)
      findings.violation('collection', request, `${name} is ${JSON.stringify(body[name])}`);
  if (body.media_types !== undefined && !isTextList(body.media_types))
    findings.violation('collection', request, `media_types is ${JSON.stringify(body.media_types)}`);
  if (!UUID.test(id)) findings.note('collection-slug', request, id);
  const entry = listed.find((each) => each.id === id);
  for (const name of ['id', 'title', 'can_read', 'can_write'] as const) {
    const inList = entry?.[name];
    const alone = body[name];
    if (inList !== undefined && alone !== undefined && inList !== alone)
      findings.violation(
        'collection-agrees',
        request,
        `${name} is ${JSON.stringify(inList)} in the list, ${JSON.stringify(alone)} alone`,
      );
    if (entry !== undefined && inList === undefined)
      findings.violation('collections', request, `the list leaves out ${name} of ${id}`);
  }
  return body.can_read === false ? null : { root, id, title: String(body.title), url };
}

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
