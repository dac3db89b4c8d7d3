import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { newTenant, relayEvents, type Tenant } from '#test/tenants.ts';
import { describeRoutes } from '../../src/app/build-app.ts';

/** Every TAXII route and the stream, asked by each of two organizations with everything it can know of the other. */

/** Status of an overloaded service: the request is repeated, because it does not show what a caller may see. */
const BUSY = 503;
const TAXII = 'application/taxii+json;version=2.1';
const OWN = ['org-reported-ips', 'org-reported-domains', 'org-reported-file-hashes'];
const COLLECTIONS = [...OWN, ...OWN.map((id) => `${id}-observables`), 'c2-indicators', 'malicious-domains'];
const TEMPLATES = describeRoutes()
  .filter(({ path }) => /^\/(?:taxii2?|stream)(?:\/|$)/.test(path))
  .flatMap(({ path, policy }) =>
    policy.surface === 'both' ? [path, `/api${path}`] : [policy.surface === 'web' ? `/api${path}` : path],
  );

type Reader = Tenant & {
  /** Ids of the organization's own STIX objects, from its manifests. */
  readonly objectIds: readonly string[];
  /** By collection: the token that continues the organization's own walk after the first object. */
  readonly tokens: ReadonlyMap<string, string>;
};

let shared: SharedService;
let readers: readonly [Reader, Reader];

beforeAll(async () => {
  shared = await sharedService('tenants-taxii');
  readers = [await newReader('green'), await newReader('white')];
  await relayEvents(shared);
});
afterAll(() => shared?.stop());

async function newReader(name: string): Promise<Reader> {
  const tenant = await newTenant(shared, name);
  await eventually('the keys are known', 60_000, async () => (await ask(tenant, '/taxii')).status === 200);
  const objectIds: string[] = [];
  const tokens = new Map<string, string>();
  for (const id of OWN) {
    const path = `/taxii/api-root/collections/${id}/manifest`;
    const { objects } = JSON.parse((await ask(tenant, `${path}?limit=100`)).text) as {
      objects: { id: string }[];
    };
    objectIds.push(...objects.map((object) => object.id).filter((each) => each.startsWith('indicator--')));
    const { next } = JSON.parse((await ask(tenant, `${path}?limit=1`)).text) as { next?: string };
    if (next !== undefined) tokens.set(id, next);
  }
  return { ...tenant, objectIds, tokens };
}

type Answer = { readonly status: number; readonly text: string };

async function ask(
  { members }: Pick<Tenant, 'members'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  tries = 60,
): Promise<Answer> {
  const [member] = members;
  const answer = await fetch(`${shared.service.url}${path}`, {
    headers: {
      ...(path.startsWith('/api/taxii')
        ? {
            cookie: member?.cookies.key ?? '',
            origin: shared.service.env.PUBLIC_WEB_URL ?? '',
            'sec-fetch-site': 'same-origin',
          }
        : { 'x-api-key': member?.credential ?? '' }),
      accept: TAXII,
      ...headers,
    },
    signal: AbortSignal.timeout(120_000),
  });
  if (answer.status === BUSY && tries > 1) {
    await sleep(1_000);
    return ask({ members }, path, headers, tries - 1);
  }
  const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return { status: answer.status, text: isEndless ? await readReplay(answer) : await answer.text() };
}

/** Reads the replay of past events, which is over when nothing arrives for a second. */
async function readReplay(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  let text = '';
  for (;;) {
    const next = reader?.read() ?? Promise.resolve({ done: true, value: undefined });
    const got = await Promise.race([next, sleep(1_000).then(() => null)]);
    if (got === null || got.done) break;
    text += Buffer.from(got.value ?? []).toString();
  }
  await reader?.cancel();
  return text;
}

type Shot = { readonly path: string; readonly showsOwn: boolean; readonly mayEcho: boolean };

/** Every address of a template, with the collections, ids and tokens of the other organization. */
function shotsAt(template: string, theirs: Reader): readonly Shot[] {
  if (template.endsWith('/stream')) return [{ path: template, showsOwn: true, mayEcho: false }];
  if (!template.includes(':collectionId')) return [{ path: template, showsOwn: false, mayEcho: false }];
  return COLLECTIONS.flatMap((collection) => {
    const address = template.replace(':collectionId', collection);
    if (address.includes(':objectId'))
      return theirs.objectIds
        .slice(0, 2)
        .map((id) => ({ path: address.replace(':objectId', id), showsOwn: false, mayEcho: true }));
    const isPage = /\/(?:objects|manifest)$/.test(address);
    if (!isPage) return [{ path: address, showsOwn: false, mayEcho: false }];
    const showsOwn = address.endsWith(`/${OWN[1]}/objects`);
    const token = theirs.tokens.get(collection);
    const matched = `match[id]=${theirs.objectIds.slice(0, 20).join()}`;
    return [
      { path: `${address}?limit=1001`, showsOwn, mayEcho: false },
      { path: `${address}?limit=1001&${matched}`, showsOwn: false, mayEcho: false },
      { path: `${address}?account_id=${theirs.orgId}&added_after=2000-01-01`, showsOwn, mayEcho: false },
      ...(token === undefined
        ? []
        : [{ path: `${address}?next=${encodeURIComponent(token)}`, showsOwn: false, mayEcho: false }]),
    ];
  });
}

test('the route table has the TAXII routes below both prefixes, and the stream', () => {
  for (const path of ['/taxii', '/taxii2/api-root/collections/:collectionId/objects', '/stream'])
    expect(TEMPLATES).toContain(path);
  for (const { tokens, objectIds } of readers) {
    expect([...tokens.keys()]).toContain(OWN[1]);
    expect(objectIds.length).toBeGreaterThan(3);
  }
});

test.each([
  [0, 1],
  [1, 0],
] as const)(
  'every TAXII route and the stream show organization %i its own objects and none of organization %i (reliability S2)',
  async (from, to) => {
    const [mine, theirs] = [readers[from], readers[to]];
    const leaks: string[] = [];
    const refused: string[] = [];
    let asked = 0;
    for (const template of TEMPLATES)
      for (const { path, showsOwn, mayEcho } of shotsAt(template, theirs)) {
        const { status, text } = await ask(mine, path, {
          'x-account-id': theirs.orgId,
          'last-event-id': '0',
        });
        asked += 1;
        const isShown = text.includes(theirs.marker) || theirs.objectIds.some((id) => text.includes(id));
        if (mayEcho ? text.includes(theirs.marker) : isShown) leaks.push(path);
        if (status !== (mayEcho ? 404 : 200)) refused.push(`${status} ${path}`);
        if (showsOwn && !text.includes(mine.marker)) refused.push(`without its own: ${path}`);
      }
    expect(leaks).toEqual([]);
    expect(refused).toEqual([]);
    console.log(`figure tenants-taxii-${from}-requests ${asked}`);
  },
);
