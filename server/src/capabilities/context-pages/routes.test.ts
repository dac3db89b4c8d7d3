import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectPostgres } from '#platform/postgres.ts';
import { CROWD, fill, MANY, OPEN, row } from '#test/context-pages-corpus.ts';
import { type Body, type ContextPagesRig, openContextPages, START_MS } from '#test/context-pages-rig.ts';
import { testApp } from '#test/http-app.ts';
import { DAY_MS } from '#test/listed-corpus.ts';
import { EXAMINED_MAX } from './contract.ts';
import { createFamilyWords } from './family-words.ts';
import { contextPagesRoutes } from './routes.ts';

let rig: ContextPagesRig;
const get: ContextPagesRig['get'] = (url, from) => rig.get(url, from);

beforeAll(async () => {
  rig = await openContextPages(fill, [
    '45.83.64.0,45.83.64.127,64496,Example Hosting',
    '45.83.64.128,45.83.66.255,64497,"Quiet, Inc."',
  ]);
});
afterAll(() => rig?.close());

const valuesOf = (list: Body): readonly string[] => list.members.map(({ value }: Body) => value);

describe('GET /threat-intel/network (O58)', () => {
  test('200: listed addresses, ranges around and inside, guards, labels, networks, density', async () => {
    const { status, body } = await get('/threat-intel/network?cidr=45.83.64.0/24');
    expect(status).toBe(200);
    expect(valuesOf(body.newest)).toEqual(['45.83.64.200', '45.83.64.2', '45.83.64.10', '45.83.64.1']);
    expect(body.counts).toMatchObject({
      listed: 4,
      examined: 4,
      isPartial: false,
      withheld: 0,
      byType: { ip: 4 },
    });
    expect(body.ranges.map(({ cidr, relation }: Body) => `${relation} ${cidr}`)).toEqual([
      'covers 45.83.0.0/16',
      'covers 45.83.64.0/20',
      'covers 45.83.64.0/22',
      'equals 45.83.64.0/24',
      'inside 45.83.64.128/25',
    ]);
    expect(body).toMatchObject({
      cidr: '45.83.64.0/24',
      rangesTruncated: false,
      guards: [{ guard: 'shared-egress', matched: '45.83.64.0/22', source: 'clouds' }],
      labels: ['cloud'],
      density: { unit: 'address', total: 256, listed: 4, ratio: 0.0156 },
      networks: [
        { asn: 64_496, name: 'Example Hosting', prefix: '45.83.64.0/25' },
        { asn: 64_497, name: 'Quiet, Inc.' },
      ],
    });
  });

  test('200: host bits are ignored, and the worst come first', async () => {
    const { body } = await get('/threat-intel/network?cidr=45.83.64.9/23');
    expect(body.cidr).toBe('45.83.64.0/23');
    const scores = body.worst.members.map(({ score }: Body) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(valuesOf(body.worst).toSorted()).toEqual(valuesOf(body.newest).toSorted());
    expect(body.counts.listed).toBe(5);
  });

  test('200: IPv6 is counted in /64s; a range without listings is empty', async () => {
    const six = await get('/threat-intel/network?cidr=2a0e:97c0::/48');
    expect(six.body.density).toEqual({ unit: '/64', total: 65_536, listed: 1, ratio: 0 });
    expect(six.body.counts.listed).toBe(2);
    const { body } = await get('/threat-intel/network?cidr=198.41.0.0/24');
    expect(body).toMatchObject({ networks: [], ranges: [], guards: [], newest: { members: [], next: null } });
  });

  test.each([
    ['', 'cidr'],
    ['?cidr=', 'cidr'],
    ['?cidr=example.com', 'cidr'],
    ['?cidr=45.83.64.1', 'cidr'],
    ['?cidr=45.83.64.1/32', 'cidr'],
    ['?cidr=45.0.0.0/8', 'cidr'],
    ['?cidr=45.82.0.0/15', 'cidr'],
    ['?cidr=2a0e::/31', 'cidr'],
    ['?cidr=45.83.64.0/33', 'cidr'],
    ['?cidr=45.83.64.0/24&cursor=nonsense', 'cursor'],
  ])("400: '%s'", async (search, path) => {
    const { status, body } = await get(`/threat-intel/network${search}`);
    expect([status, body.error, body.details[0].path]).toEqual([400, 'Bad Request', path]);
  });

  test('200 while PostgreSQL is away: the replica alone answers', async () => {
    const away = connectPostgres(
      { DATABASE_URL: 'postgres://127.0.0.1:1/none', POSTGRES_POOL_MAX: 1 },
      'assay_app',
    );
    const wordsOf = createFamilyWords({ clock: rig.listed.clock, postgres: away });
    const app = testApp(contextPagesRoutes({ ...rig.deps, postgres: away, wordsOf }));
    expect((await get('/threat-intel/network?cidr=45.83.64.0/24', app)).status).toBe(200);
    expect((await get('/threat-intel/source/attackers', app)).status).toBe(503);
    expect((await get('/threat-intel/family/emotet', app)).status).toBe(503);
    await away.close();
  });
});

describe('GET /threat-intel/source/{id} (O58)', () => {
  test('200: what a check shows of it, and its entries where they may be passed on', async () => {
    const { status, body } = await get('/threat-intel/source/attackers');
    expect(status).toBe(200);
    expect(body.source).toMatchObject({
      id: 'attackers',
      name: 'Attackers',
      category: 'bruteforce',
      letter: 'B',
      freshness: 'fresh',
      dataAt: '2026-09-01T00:00:00.000Z',
      entries: 5,
      licence: 'CC0-1.0',
      attribution: 'Example',
      redistributable: true,
    });
    expect(valuesOf(body.newest)).toEqual([
      '9.9.9.9',
      '45.83.64.2',
      '45.83.64.10',
      '45.83.64.1',
      '45.83.65.1',
    ]);
    expect(body.newest.members[1].firstSeen).toBe('2026-08-31T00:00:00.000Z');
    expect(body.counts).toMatchObject({ listed: 5, examined: 5, isPartial: false, withheld: 0 });
    expect(body.counts.byCategory.bruteforce).toBe(5);
  });

  test('provider, address and mode of the licence are for licensed callers only (G8)', async () => {
    const { body } = await get('/threat-intel/source/attackers');
    expect(Object.keys(body.source)).not.toEqual(expect.arrayContaining(['provider']));
    for (const hidden of ['provider', 'url', 'licenseMode', 'licenceMode'])
      expect(body.source).not.toHaveProperty(hidden);
  });

  test('entries of a source that may not be passed on are counted and never named', async () => {
    const { body } = await get('/threat-intel/source/others');
    expect(body.counts).toMatchObject({ listed: 4, examined: 4, withheld: 4, byType: { ip: 4 } });
    expect([body.newest, body.worst]).toEqual([
      { members: [], next: null },
      { members: [], next: null },
    ]);
  });

  test('a source of all kinds: what /check does not take has no verdict and comes last', async () => {
    const { body } = await get('/threat-intel/source/kinds');
    const judged = body.worst.members.map(({ type, level }: Body) => `${type} ${level !== null}`);
    expect(judged[0]).toBe('url true');
    expect(judged.slice(1).toSorted()).toEqual([
      'asn false',
      'cidr false',
      'crypto false',
      'email false',
      'phone false',
    ]);
    expect(body.newest.members.find(({ type }: Body) => type === 'url').value).toBe(
      'http://bad.example.net/payload.exe',
    );
  });

  test.each(['nothing', 'off'])('404: %s is unknown or switched off', async (id) => {
    const { status, body } = await get(`/threat-intel/source/${id}`);
    expect([status, body.error]).toEqual([404, 'Not Found']);
  });

  test.each(['UPPER', '%20', 'a'.repeat(65)])("400: '%s' is no id", async (id) => {
    expect((await get(`/threat-intel/source/${id}`)).status).toBe(400);
  });
});

test.each(['network?cidr=45.99.0.0/16', 'source/crowd', 'family/crowded'])(
  '%s has more members than are judged, and says so',
  async (path) => {
    const { body } = await get(`/threat-intel/${path}`);
    const { byLevel, byWord, ...counts } = body.counts;
    expect(counts).toMatchObject({ listed: CROWD, examined: EXAMINED_MAX, isPartial: true });
    expect(Object.values<number>(byLevel).reduce((sum, each) => sum + each)).toBe(EXAMINED_MAX);
    // The words of a level add up to it.
    for (const [level, count] of Object.entries<number>(byLevel))
      expect(
        byWord
          .filter((each: Body) => each.level === level)
          .reduce((sum: number, each: Body) => sum + each.count, 0),
        level,
      ).toBe(count);
    expect(body.newest.members).toHaveLength(100);
    expect(body.newest.next).not.toBeNull();
  },
);

test('of a crowded range the newest are examined', async () => {
  const { body } = await get('/threat-intel/network?cidr=45.99.0.0/16');
  const days = body.newest.members.map(({ firstSeen }: Body) => (START_MS - Date.parse(firstSeen)) / DAY_MS);
  expect(Math.max(...days)).toBeLessThan(5);
});

describe('cursors', () => {
  test.each(['newest', 'worst'] as const)('walking %s shows every member once, in order', async (order) => {
    const seen: Body[] = [];
    let { body } = await get('/threat-intel/source/many');
    const pages = [body[order].members.length];
    seen.push(...body[order].members);
    while (body[order].next !== null) {
      ({ body } = await get(`/threat-intel/source/many?cursor=${body[order].next}`));
      expect(body).not.toHaveProperty(order === 'newest' ? 'worst' : 'newest');
      expect(body.counts.listed).toBe(MANY);
      pages.push(body[order].members.length);
      seen.push(...body[order].members);
    }
    expect(pages).toEqual([100, 100, 50]);
    expect(new Set(seen.map(({ value }) => value)).size).toBe(MANY);
    const ranks = seen.map(({ score, firstSeen }) => (order === 'worst' ? score : Date.parse(firstSeen)));
    expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
  });

  test('400: a cursor of another page', async () => {
    const { next } = (await get('/threat-intel/source/many')).body.newest;
    for (const path of ['source/attackers', 'family/emotet']) {
      const { status, body } = await get(`/threat-intel/${path}?cursor=${next}`);
      expect([status, body.details[0].path], path).toEqual([400, 'cursor']);
    }
  });
});

describe('GET /threat-intel/family/{name} (O58)', () => {
  test.each(['Emotet', 'emotet', 'win.emotet', '%20EMOTET'])(
    '200: every spelling is one page: %s',
    async (name) => {
      const { status, body } = await get(`/threat-intel/family/${name}`);
      expect(status).toBe(200);
      expect(body.family).toBe('Emotet');
      expect(body.words.toSorted()).toEqual(['EMOTET', 'Emotet', 'emotet', 'win.emotet']);
      expect(body.sources).toMatchObject([
        { id: 'families', category: 'c2', listings: 3 },
        { id: 'closed-families', listings: 2 },
      ]);
      expect(valuesOf(body.newest)).toEqual([
        'http://c2-3.example.com/gate',
        'c2-2.example.com',
        'c2-1.example.com',
      ]);
      expect(body.counts).toMatchObject({
        listed: 5,
        examined: 4,
        isPartial: false,
        withheld: 2,
        byType: { url: 1, domain: 3 },
      });
    },
  );

  test('200: a family that only sources name which may not be passed on is counted', async () => {
    const { status, body } = await get('/threat-intel/family/onlyclosed');
    expect([status, body.counts.listed, body.counts.withheld]).toEqual([200, 1, 1]);
    expect(valuesOf(body.newest)).toEqual([]);
  });

  test.each(['nothing', 'hidden', '...', '%E2%80%AE'])(
    "404: '%s' is named by no source in use",
    async (name) => {
      const { status, body } = await get(`/threat-intel/family/${name}`);
      expect([status, body.error]).toEqual([404, 'Not Found']);
    },
  );

  test('400: a name that is too long', async () => {
    expect((await get(`/threat-intel/family/${'a'.repeat(81)}`)).status).toBe(400);
  });
});

describe('what a row says of its member', () => {
  const memberOf = async (path: string, value: string): Promise<Body> => {
    const { body } = await get(`/threat-intel/${path}`);
    return body.newest.members.find((member: Body) => member.value === value);
  };

  test('families of every list that names it, and how many lists do', async () => {
    expect(await memberOf('source/families', 'c2-2.example.com')).toMatchObject({
      families: ['Emotet'],
      sources: 2,
    });
    const { body } = await get('/threat-intel/source/families');
    expect(body.counts.byFamily).toEqual({ Emotet: 3, QakBot: 1 });
    expect(await memberOf('source/kinds', '45.90.0.0/24')).toMatchObject({ families: [], sources: null });
  });

  test('what its date is: of the entry where a list gives one, else none (O55)', async () => {
    expect(await memberOf('source/attackers', '9.9.9.9')).toMatchObject({ dating: 'undated' });
    expect(await memberOf('source/attackers', '45.83.64.2')).toMatchObject({ dating: 'own' });
    // Two lists name it: the one with a date of the entry wins over the one that only dates its data.
    expect(await memberOf('network?cidr=45.83.64.0/24', '45.83.64.1')).toMatchObject({
      dating: 'own',
      firstSeen: new Date(START_MS - 5 * DAY_MS).toISOString(),
    });
    const { body } = await get('/threat-intel/source/attackers');
    expect(body.counts.dates).toEqual({
      earliest: new Date(START_MS - 9 * DAY_MS).toISOString(),
      latest: new Date(START_MS - DAY_MS).toISOString(),
      undated: 1,
    });
  });
});

test('no member has another verdict than /check of the same value', async () => {
  const pages = [
    'network?cidr=45.83.64.0/22',
    'source/attackers',
    'source/many',
    'source/kinds',
    'family/emotet',
  ];
  let compared = 0;
  for (const path of pages) {
    const { body } = await get(`/threat-intel/${path}`);
    for (const { value, score, level, word, action } of [...body.newest.members, ...body.worst.members]) {
      if (level === null) continue;
      expect({ score, level, word, action }, `${path} ${value}`).toEqual(await rig.checked(value));
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(200);
});

test('each costs one check, and says that it is beyond the contract (O82)', async () => {
  for (const { policy } of contextPagesRoutes(rig.deps))
    expect(policy).toMatchObject({ meter: 'checks', auth: 'keyOrSession', extension: true });
});

test('a word that is new in a list is found within five minutes, and known ones do not wait for it', async () => {
  await rig.listed.list('late', [row('late.example.com', 1, { family: 'Brandnew' })], OPEN);
  expect((await get('/threat-intel/family/brandnew')).status).toBe(404);
  rig.listed.pass(300_001);
  const reads: string[] = [];
  const wordsOf = createFamilyWords({
    clock: rig.listed.clock,
    postgres: {
      transaction: (work) => {
        reads.push('read');
        return rig.postgres.transaction(work);
      },
    },
  });
  expect(await wordsOf('Brandnew')).toEqual(['Brandnew']);
  rig.listed.pass(300_001);
  expect([await wordsOf('Brandnew'), reads.length]).toEqual([['Brandnew'], 2]);
  const { status, body } = await get('/threat-intel/family/brandnew');
  expect([status, valuesOf(body.newest)]).toEqual([200, ['late.example.com']]);
});
