import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '#platform/errors.ts';
import { sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { CALLER, recordedGates, testApp } from '#test/http-app.ts';
import { indicatorOf } from '#test/listed-corpus.ts';
import { publicationsOf } from '#test/publications.ts';
import { openTaxiiRig, SHARED_ROOT, STIX, TAXII, type TaxiiRig } from '#test/taxii-rig.ts';
import { openTaxii } from './open-taxii.ts';
import { taxiiRoutes } from './routes.ts';
import type { TaxiiDeps } from './serve-page.ts';

const START_MS = Date.UTC(2027, 0, 1);
const C2 = { category: 'c2', reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;
const ADDRESSES = Array.from({ length: 30 }, (_, at) => `45.83.64.${at + 1}`);
const IPS = `${SHARED_ROOT}/malicious-ips`;

let rig: TaxiiRig;
beforeAll(async () => {
  rig = await openTaxiiRig(START_MS);
  await rig.list('c2', ADDRESSES, C2);
  await rig.keep();
});
afterAll(() => rig.close());
beforeEach(() => {
  rig.caller = CALLER;
});

const get = (url: string, accept: string | null = TAXII) =>
  rig.app.inject({ url, headers: accept === null ? {} : { accept } });
const follow = (next: string | undefined) => `next=${encodeURIComponent(next ?? '')}`;

describe('paths and media types', () => {
  const at = (prefix: string) => [
    prefix,
    `${prefix}/api-root`,
    `${prefix}/api-root/collections`,
    `${prefix}/api-root/collections/malicious-ips`,
    `${prefix}/api-root/collections/malicious-ips/objects`,
    `${prefix}/api-root/collections/malicious-ips/manifest`,
  ];

  test.each([...at('/taxii'), ...at('/taxii2'), ...at('/api/taxii')])(
    '%s answers, with and without a slash at its end',
    async (path) => {
      expect((await get(path)).statusCode).toBe(200);
      expect((await get(`${path}/`)).statusCode).toBe(200);
    },
  );

  test.each(['/taxii', '/taxii2', '/api/taxii'])(
    'discovery at %s links to itself (trap 39)',
    async (prefix) => {
      const root = `${prefix}/api-root`;
      expect((await get(prefix)).json()).toMatchObject({ api_roots: [root], default: root });
    },
  );

  test.each([
    ['application/taxii+json;version=2.1, */*', TAXII],
    ['text/html, Application/TAXII+json', TAXII],
    ['*/*', STIX],
    ['text/html', STIX],
    ['application/json', STIX],
    [null, STIX],
  ])('Accept %s gets %s, and both vary by Accept (trap 29)', async (accept, type) => {
    for (const path of at('/taxii')) {
      const { headers } = await get(path, accept);
      expect(headers['content-type'], path).toBe(type);
      expect(headers.vary, path).toContain('Accept');
    }
  });

  test('the identity is found by its id, an indicator is not (trap 39)', async () => {
    const [identity, indicator] = (await rig.page(`${IPS}/objects?limit=2`)).objects;
    expect(identity).toMatchObject({ type: 'identity', identity_class: 'organization' });
    expect((await get(`${IPS}/objects/${identity?.id}`)).json()).toMatchObject({
      objects: [identity],
      more: false,
    });
    expect((await get(`${IPS}/objects/${identity?.id}/versions/`)).json()).toEqual({
      more: false,
      versions: [identity?.modified],
    });
    expect((await get(`${IPS}/objects/${indicator?.id}`)).statusCode).toBe(404);
    expect((await get(`${IPS}/objects/${indicator?.id}/versions`)).statusCode).toBe(404);
  });

  test('twins answer and are not listed (trap 38)', async () => {
    const { collections } = (await get(SHARED_ROOT)).json() as { collections: { id: string }[] };
    expect(collections.map(({ id }) => id)).toEqual([
      'malicious-ips',
      'malicious-domains',
      'c2-indicators',
      'phishing-indicators',
      'org-reported-ips',
      'org-reported-domains',
      'org-reported-file-hashes',
    ]);
    expect((await get(`${IPS}-observables`)).json()).toMatchObject({ id: 'malicious-ips-observables' });
    rig.caller = { ...CALLER, organizationId: null };
    expect(((await get(SHARED_ROOT)).json() as { collections: unknown[] }).collections).toHaveLength(4);
    expect(((await get('/taxii/api-root')).json() as { collections: unknown[] }).collections).toHaveLength(4);
  });
});

describe('errors', () => {
  const shaped = (status: number) => ({
    error: expect.any(String),
    message: expect.any(String),
    requestId: expect.any(String),
    title: expect.any(String),
    description: expect.any(String),
    http_status: String(status),
  });

  test.each([
    ['no such collection', 404, `${SHARED_ROOT}/nothing/objects`, 'GET'],
    ['a limit below 1', 400, `${IPS}/objects?limit=0`, 'GET'],
    ['a limit that is no number', 400, `${IPS}/objects?limit=ten`, 'GET'],
    ['a date that is none', 400, `${IPS}/objects?added_after=yesterday`, 'GET'],
    ['a least score above the highest', 400, `${IPS}/objects?min_score=80&max_score=40`, 'GET'],
    ['a score above 100', 400, `${IPS}/objects?min_score=101`, 'GET'],
    ['a token that is none', 400, `${IPS}/objects?next=abc`, 'GET'],
    ['a write', 405, `${IPS}/objects`, 'POST'],
    ['a removal', 405, `${IPS}/objects/identity--1`, 'DELETE'],
    ['an unknown address below', 404, '/taxii2/elsewhere', 'GET'],
  ] as const)('%s is %i in the form of TAXII', async (_, status, url, method) => {
    for (const [accept, type] of [
      [TAXII, TAXII],
      ['*/*', STIX],
    ] as const) {
      const answer = await rig.app.inject({ method, url, headers: { accept } });
      expect(answer.statusCode).toBe(status);
      expect(answer.headers['content-type']).toBe(type);
      expect(answer.headers.vary).toContain('Accept');
      expect(answer.json()).toMatchObject(shaped(status));
    }
  });

  test('a refusal of the gates has the same form, and keeps its own fields', async () => {
    const refusals = [
      new ServiceError('Unauthorized', 'Invalid API key', { headers: { 'WWW-Authenticate': 'Basic' } }),
      new ServiceError('Forbidden', 'This needs the plan PRO.'),
      new ServiceError('Rate Limited', 'Too many requests.', { body: { plan: 'PRO', retryAfter: 3 } }),
    ];
    for (const refusal of refusals) {
      const refuse = () => {
        throw refusal;
      };
      const app: FastifyInstance = testApp(taxiiRoutes({} as TaxiiDeps), {
        gates: recordedGates({ identify: refuse }).gates,
      });
      const answer = await app.inject({ url: '/taxii/', headers: { accept: TAXII } });
      expect(answer.headers['content-type']).toBe(TAXII);
      expect(answer.json()).toMatchObject({ ...shaped(refusal.status), ...refusal.options.body });
      await app.close();
    }
  });

  test('a collection of organizations needs an organization (C23)', async () => {
    rig.caller = { ...CALLER, organizationId: null };
    const answer = await get(`${SHARED_ROOT}/org-reported-ips/objects`);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ message: expect.stringContaining('needs an organization') });
  });
});

describe('pages', () => {
  test('limit=1 still advances (trap 31), and a limit above the maximum is read as the maximum', async () => {
    const walked = await rig.walk(`${IPS}/objects`, { limit: () => 1 });
    expect(new Set(walked.map(({ id }) => id)).size).toBe(ADDRESSES.length);
    expect((await rig.page(`${IPS}/objects?limit=999999`)).objects).toHaveLength(ADDRESSES.length + 1);
    expect((await rig.page(`${IPS}/objects`)).objects).toHaveLength(ADDRESSES.length + 1);
  });

  test('the last token answers the same page again (trap 33)', async () => {
    const first = await rig.page(`${IPS}/objects?limit=21`);
    expect(first.headers).toMatchObject({ 'x-taxii-has-more': 'true', 'x-taxii-next': first.next });
    const url = `${IPS}/objects?limit=21&${follow(first.next)}`;
    const last = await rig.page(url);
    expect(last).toMatchObject({ more: false });
    expect(last.next).toBeUndefined();
    expect(last.headers['x-taxii-next']).toBeUndefined();
    expect(last.headers['x-taxii-has-more']).toBe('false');
    expect((await rig.page(url)).objects).toEqual(last.objects);
  });

  test('a token holds the filters and the limit; of another collection or with other filters it is 400 (trap 34, O10)', async () => {
    const first = await rig.page(`${IPS}/objects?limit=11&min_score=40&added_after=2020-01-01T00:00:00Z`);
    const token = follow(first.next);
    expect((await rig.page(`${IPS}/objects?${token}`)).objects).toHaveLength(11);
    expect(
      (await get(`${IPS}/objects?${token}&min_score=40&added_after=2020-01-01T00:00:00Z`)).statusCode,
    ).toBe(200);
    for (const bad of [
      `${IPS}/objects?${token}&min_score=41`,
      `${IPS}/objects?${token}&added_after=2020-01-02T00:00:00Z`,
      `${IPS}/objects?${token}&max_score=100`,
      `${SHARED_ROOT}/c2-indicators/objects?${token}`,
      `${IPS}-observables/objects?${token}`,
      `${IPS}/objects?${follow(`${first.next}x`)}`,
      `${IPS}/objects?${follow(first.next?.replace('1.', '2.'))}`,
    ])
      expect((await get(bad)).statusCode, bad).toBe(400);
  });

  test('ascending by date added for TAXII, newest created first for others (O9)', async () => {
    const dates = async (accept: string) =>
      (await rig.walk(`${IPS}/objects`, { accept })).map(({ created }) => created);
    const ascending = await dates(TAXII);
    expect(ascending).toEqual(ascending.toSorted());
    expect(await dates(STIX)).toEqual(ascending.toReversed());
    const page = await rig.page(`${IPS}/objects?limit=11`);
    expect(page.headers['x-taxii-date-added-first']).toBe(page.objects[1]?.modified);
    expect(page.headers['x-taxii-date-added-last']).toBe(page.objects.at(-1)?.modified);
    expect(page.headers['x-taxii-date-added-last']).toMatch(/\.\d{6}Z$/);
  });

  test('added_after and added_before are exclusive, to the microsecond', async () => {
    const [, first, second, third] = (await rig.page(`${IPS}/objects`)).objects;
    for (const accept of [TAXII, STIX]) {
      const between = await rig.page(
        `${IPS}/objects?added_after=${first?.modified}&added_before=${third?.modified}`,
        accept,
      );
      expect(between.objects.slice(1).map(({ id }) => id)).toEqual([second?.id]);
    }
  });

  test('an empty page tells added_after as its date (O10)', async () => {
    const page = await rig.page(`${IPS}/objects?added_after=2030-01-01T00:00:00Z`);
    expect(page).toMatchObject({ more: false, objects: [{ type: 'identity' }] });
    expect(page.headers['x-taxii-date-added-first']).toBe('2030-01-01T00:00:00.000000Z');
    expect(page.headers['x-taxii-date-added-last']).toBe('2030-01-01T00:00:00.000000Z');
  });

  test('an empty page without added_after tells the date of the identity, which it holds', async () => {
    const none = await rig.page(`${IPS}/objects?added_before=1990-01-01T00:00:00Z`);
    expect(none.objects).toHaveLength(1);
    expect(none.headers['x-taxii-date-added-last']).toBe(none.objects[0]?.created);
  });

  test('match counts for TAXII alone (trap 30), commas mean or, fields mean and', async () => {
    const types = async (query: string, accept = TAXII) =>
      new Set((await rig.page(`${IPS}/objects?${query}`, accept)).objects.map(({ type }) => type));
    expect(await types('match[type]=indicator')).toEqual(new Set(['indicator']));
    expect(await types('match[type]=indicator', '*/*')).toEqual(new Set(['identity', 'indicator']));
    expect(await types('match[type]=indicator,identity')).toEqual(new Set(['identity', 'indicator']));
    expect(await types('match[type]=malware')).toEqual(new Set());
    expect(await types('match[spec_version]=2.0')).toEqual(new Set());
    expect(await types('match[version]=all&match[spec_version]=2.0,2.1')).toEqual(
      new Set(['identity', 'indicator']),
    );
    const [, , one] = (await rig.page(`${IPS}/objects`)).objects;
    const byId = await rig.page(`${IPS}/objects?match[id]=${one?.id}`);
    expect(byId.objects).toEqual([one]);
    const byVersion = await rig.page(`${IPS}/objects?match[version]=${one?.modified}`);
    expect(byVersion.objects).toEqual([one]);
    expect((await rig.page(`${IPS}/objects?match[id]=${one?.id}&match[type]=identity`)).objects).toEqual([]);
  });

  test.each([TAXII, STIX])(
    'the manifest is the objects record by record, for %s (trap 40)',
    async (accept) => {
      for (const query of ['limit=11', 'limit=1001', 'limit=5&min_score=10&match[type]=indicator']) {
        const objects = await rig.page(`${IPS}/objects?${query}`, accept);
        const manifest = await rig.page(`${IPS}/manifest?${query}`, accept);
        expect(manifest.objects).toEqual(
          objects.objects.map(({ id, modified }) => ({
            id,
            date_added: modified,
            version: modified,
            media_type: STIX,
          })),
        );
        expect(manifest.more).toBe(objects.more);
      }
    },
  );

  test('a twin shows observed data whose references are in the bundle (trap 38)', async () => {
    const { objects } = await rig.page(`${IPS}-observables/objects?limit=11`);
    const observed = objects.filter(({ type }) => type === 'observed-data');
    expect(observed).toHaveLength(10);
    const ids = new Set(objects.map(({ id }) => id));
    for (const { object_refs } of observed)
      for (const ref of object_refs as string[]) expect(ids).toContain(ref);
    expect(objects[2]).toEqual({
      type: 'ipv4-addr',
      spec_version: '2.1',
      id: expect.stringMatching(/^ipv4-addr--[0-9a-f-]{36}$/),
      value: '45.83.64.1',
    });
  });

  test('the histogram has ten bands that add up to a whole walk, and is absent at first (traps 35 and 37)', async () => {
    const { x_svc_score_histogram: bands, x_svc_total: total } = (await get(IPS)).json();
    expect(Object.keys(bands)).toEqual([
      '0-9',
      '10-19',
      '20-29',
      '30-39',
      '40-49',
      '50-59',
      '60-69',
      '70-79',
      '80-89',
      '90-100',
    ]);
    expect(Object.values<number>(bands).reduce((sum, each) => sum + each)).toBe(total);
    expect(await rig.walk(`${IPS}/objects`)).toHaveLength(total);
    expect(Object.keys((await get(`${IPS}-observables`)).json())).not.toContain('x_svc_total');
    expect(Object.keys((await get(`${SHARED_ROOT}/org-reported-ips`)).json())).not.toContain('x_svc_total');
    await sql`delete from taxii_count`.execute(rig.system.db);
    expect(Object.keys((await get(IPS)).json()).filter((key) => key.startsWith('x_svc'))).toEqual([]);
    await rig.rebuild();
    expect((await get(IPS)).json()).toMatchObject({ x_svc_total: total });
  });

  test('each page that a key pulls is noted, with its objects', async () => {
    const before = rig.pulls.length;
    await rig.page(`${IPS}/objects?limit=11`);
    expect(rig.pulls.slice(before)).toMatchObject([
      {
        list: 'malicious-ips',
        accountId: CALLER.accountId,
        keyId: CALLER.id,
        objects: 10,
        more: true,
        status: 200,
      },
    ]);
  });
});

test('TAXII_ORDER=newest gives newest created first to both (O9)', async () => {
  const app = testApp(
    taxiiRoutes(
      openTaxii({
        clock: rig.clock,
        postgres: rig.postgres,
        secrets: createSecrets(`1:${'a'.repeat(64)}`),
        order: 'newest',
        notePull: () => undefined,
        publications: publicationsOf(rig, rig.clock),
      }),
    ),
    { gates: recordedGates({ identify: () => CALLER }).gates },
  );
  for (const accept of [TAXII, STIX]) {
    const answer = await app.inject({ url: `${IPS}/objects`, headers: { accept } });
    const dates = (answer.json() as { objects: { created: string }[] }).objects
      .slice(1)
      .map(({ created }) => created);
    expect(dates).toHaveLength(ADDRESSES.length);
    expect(dates).toEqual(dates.toSorted().toReversed());
  }
  await app.close();
});

test('with=malware adds families and what indicates them, with ids that stay', async () => {
  const row = {
    indicator: indicatorOf('45.83.99.1'),
    family: 'Emotet',
    reference: 'https://example.org/report/1',
  };
  await rig.list('families', [row], { ...C2, lineage: 'families' });
  await rig.keep();
  const seen = (query: string) => rig.walk(`${SHARED_ROOT}/malicious-ips/objects`, { query });
  const [malware, relationship] = (await seen('&with=malware')).filter(({ type }) => type !== 'indicator');
  const indicator = (await seen('')).find(({ name }) => name === '45.83.99.1');
  expect(malware).toMatchObject({ type: 'malware', is_family: true });
  expect(relationship).toMatchObject({
    type: 'relationship',
    relationship_type: 'indicates',
    source_ref: indicator?.id,
    target_ref: malware?.id,
  });
  expect((await seen('&with=malware')).filter(({ type }) => type !== 'indicator')).toEqual([
    malware,
    relationship,
  ]);
  expect(indicator?.external_references).toEqual([
    { source_name: expect.any(String), url: 'https://example.org/report/1' },
  ]);
});
