import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RansomwareRig, startRansomwareRig } from '#test/ransomware-rig.ts';
import { ONION } from './claims.fixture.ts';
import { confirm } from './load/confirm.ts';

let rig: RansomwareRig;
let withoutClaims: Awaited<ReturnType<RansomwareRig['get']>>['body'];
const get: RansomwareRig['get'] = (path) => rig.get(path);
beforeAll(async () => {
  rig = await startRansomwareRig();
  await rig.loadGroups();
  withoutClaims = (await rig.get('/ransomware/groups')).body;
  await rig.loadAll();
});
afterAll(() => rig?.close());

describe('GET /ransomware/feed', () => {
  test('the newest claim is first, and one that is dated in the future waits for its day', async () => {
    const { body } = await get('/ransomware/feed?limit=3');
    expect(body.victims.map(({ victim }: { victim: string }) => victim)).toEqual([
      'Wingtip Toys',
      'northwind-clinic.com',
      'Adventure Works & Co',
    ]);
    expect(body.total).toBe(10);
  });

  test('two groups on one victim are two claims that know of each other', async () => {
    const { body } = await get('/ransomware/feed');
    const both = body.victims.filter(({ domain }: { domain: string }) => domain === 'northwind-clinic.com');
    expect(
      both.map(({ group, alsoClaimedBy }: { group: string; alsoClaimedBy: { group: string }[] }) => [
        group,
        alsoClaimedBy.map((other) => other.group),
      ]),
    ).toEqual([
      ['qilin', ['akira']],
      ['akira', ['qilin']],
    ]);
  });

  test('the press makes a claim reported near its date, and never confirmed', async () => {
    const { body } = await get('/ransomware/feed?press=1');
    const status = Object.fromEntries(
      body.victims.map((each: { victim: string; status: string }) => [each.victim, each.status]),
    );
    expect(status).toMatchObject({
      'Northwind Clinic': 'reported',
      'Contoso Bank': 'claimed',
      Fabrikam: 'claimed',
    });
    expect(body.victims.filter((each: { status: string }) => each.status === 'confirmed')).toEqual([]);
  });

  test('press, press=1 and press=true are alike, and press is absent without them', async () => {
    const [bare, one, word] = await Promise.all(
      ['press', 'press=1', 'press=true'].map((flag) => get(`/ransomware/feed?${flag}`)),
    );
    expect(one?.body.victims).toEqual(bare?.body.victims);
    expect(word?.body.victims).toEqual(bare?.body.victims);
    expect(bare?.body.victims[1].press).toHaveLength(1);
    for (const path of ['/ransomware/feed', '/ransomware/feed?press=false'])
      expect((await get(path)).body.victims.some((each: object) => 'press' in each)).toBe(false);
  });

  test.each([
    ['limit=1000', 200],
    ['limit=0', 400],
    ['limit=abc', 400],
    ['limit=1.5', 400],
    ['press=maybe', 400],
  ])('%s answers %i', async (query, status) => {
    expect((await get(`/ransomware/feed?${query}`)).status).toBe(status);
  });

  test('what a tracker does not know is null, and text that a model wrote is left out', async () => {
    const { body } = await get('/ransomware/feed');
    const named = (name: string) => body.victims.find(({ victim }: { victim: string }) => victim === name);
    expect(named('Fabrikam')).toMatchObject({ sector: null, country: null, domain: null, attackDate: null });
    expect(named('Contoso Bank')).toMatchObject({
      sector: 'financial services',
      country: 'DE',
      description: null,
    });
    expect(named('Northwind Clinic')).toMatchObject({
      sector: 'healthcare',
      description: 'We took everything.',
    });
  });

  test('an operator confirms with a public page alone, and may withdraw it', async () => {
    const { body } = await get('/ransomware/feed');
    const { id } = body.victims.find(({ victim }: { victim: string }) => victim === 'Fabrikam');
    const deps = rig;
    await expect(confirm(deps, id, `http://${ONION}/`)).rejects.toThrow(/public https/);
    await expect(confirm(deps, 'rcl_none', 'https://example.com/')).rejects.toThrow(/not found/);
    await confirm(deps, id, 'https://fabrikam.example.com/notice');
    const victimOf = async () =>
      (await get('/ransomware/feed')).body.victims.find((each: { id: string }) => each.id === id);
    expect(await victimOf()).toMatchObject({
      status: 'confirmed',
      reference: 'https://fabrikam.example.com/notice',
    });
    await confirm(deps, id, null);
    expect(await victimOf()).toMatchObject({ status: 'claimed', reference: null });
  });
});

describe('sectors', () => {
  test('every sector answer says how many claims have one', async () => {
    const coverage = { claims: 10, withSector: 5, sectorInferred: 2, claims30d: 8, withSector30d: 3 };
    for (const path of [
      'sector-risk',
      'sector-risk?sector=healthcare',
      'sector-risk/history',
      'sector-victims?sector=healthcare',
    ])
      expect((await get(`/ransomware/${path}`)).body.coverage, path).toEqual(coverage);
    expect((await get('/ransomware/stats')).body.coverage).toEqual({
      claims: 10,
      withSector: 5,
      sectorInferred: 2,
      withCountry: 5,
      countryInferred: 1,
    });
  });

  test('Healthcare and healthcare are one, and a sector of the list without claims has zeros', async () => {
    const [upper, lower] = [
      await get('/ransomware/sector-risk?sector=Healthcare'),
      await get('/ransomware/sector-risk?sector=healthcare'),
    ];
    expect(upper.body).toEqual(lower.body);
    expect(lower.body).toMatchObject({
      victims30d: 2,
      victimsPrev30d: 1,
      score: 23,
      riskLevel: 'low',
      trend: 'up',
      countries: ['US', 'CA'],
    });
    expect((await get('/ransomware/sector-risk?sector=mining')).body).toMatchObject({
      score: 0,
      victims30d: 0,
      recentVictims: [],
    });
  });

  test('the last point of a history is what the other answers say', async () => {
    const { body } = await get('/ransomware/sector-risk/history?days=1000&sector=HEALTHCARE');
    expect([body.days, body.sector, body.points.length]).toEqual([120, 'healthcare', 120]);
    expect(body.points.at(-1)).toEqual({
      date: '2026-05-08',
      sector: 'healthcare',
      victims: 0,
      score: 23,
      riskLevel: 'low',
    });
    expect(body.points.at(-4)).toMatchObject({ date: '2026-05-05', victims: 1 });
  });

  test.each([
    ['/ransomware/sector-risk?sector=wizardry', 404],
    ['/ransomware/sector-risk/history?sector=wizardry', 404],
    ['/ransomware/sector-risk/history?days=0', 400],
    ['/ransomware/sector-victims', 400],
    ['/ransomware/sector-victims?sector=', 400],
    ['/ransomware/sector-victims?sector=wizardry', 404],
    ['/ransomware/group-profile', 400],
    ['/ransomware/group-profile?group=', 400],
    ['/ransomware/group-profile?group=Described%20Only', 404],
    ['/ransomware/groups?sort=size', 400],
    ['/check/ransomware?query=x&limit=0', 400],
    ['/check/ransomware?query=x&include_ttps=perhaps', 400],
  ])('%s answers %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });
});

describe('groups and press', () => {
  test('while no claim is loaded, groups have no number of victims and none is inactive (O77)', () => {
    expect([withoutClaims.loaded, withoutClaims.activity]).toEqual([true, false]);
    const told = withoutClaims.groups.map((group: Record<string, unknown>) => [
      group.name,
      group.victims,
      group.status,
    ]);
    expect(told).toEqual([
      ['conti', null, 'seized'],
      ['sleeping', null, null],
    ]);
  });

  test('a group with claims has all four fields, one without has none of them', async () => {
    const { body } = await get('/ransomware/groups');
    expect(body.activity).toBe(true);
    expect(body.total).toBe(5);
    const fields = ['claims30d', 'claimsPrev30d', 'lastClaimAt', 'firstClaimAt'];
    for (const group of body.groups)
      expect(
        fields.filter((field) => field in group),
        group.name,
      ).toHaveLength(group.name === 'sleeping' ? 0 : 4);
    expect(body.groups.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ['play', 'active'],
      ['akira', 'active'],
      ['qilin', 'active'],
      ['conti', 'seized'],
      ['sleeping', 'inactive'],
    ]);
  });

  test('a profile is found by another name that a source gives, with techniques and without leak links', async () => {
    const { body, text } = await get('/ransomware/group-profile?group=storm-1567');
    expect(body).toMatchObject({
      name: 'akira',
      aliases: ['Storm-1567'],
      victims: 3,
      notes: true,
      tools: [],
      ttps: [{ tacticId: 'TA0001', tactic: 'Initial Access', techniqueId: 'T1566', technique: 'Phishing' }],
      references: ['https://example.com/akira'],
    });
    expect(text).not.toMatch(/[^\]]\.onion/);
    const conti = (await get('/ransomware/group-profile?group=WIZARD')).body;
    expect(conti).toMatchObject({
      name: 'conti',
      status: 'seized',
      references: ['https://example.com/conti'],
    });
    expect(conti.locations).toMatchObject([{ fqdn: ONION.replace('.', '[.]'), available: true }]);
  });

  test('an article has groups only through a claim on its victim near its date', async () => {
    const { body } = await get('/ransomware/press');
    const groups = Object.fromEntries(
      body.entries.map((each: { victim: string; groups: string[] }) => [each.victim, each.groups]),
    );
    expect(groups).toEqual({ Northwind: ['akira', 'qilin'], Litware: [], 'Contoso Bank': [] });
    const some = (await get('/ransomware/press?groups=AKIRA,unheard-of')).body;
    expect([some.total, some.entries[0].victim]).toEqual([1, 'Northwind']);
    expect((await get('/ransomware/press?groups=play')).body).toMatchObject({ total: 0, entries: [] });
  });
});

describe('GET /check/ransomware', () => {
  test.each([
    ['www.northwind-clinic.com', 'domain', 2],
    ['hxxps://northwind-clinic[.]com/x', 'domain', 2],
    ['Storm-1567', 'group', 4],
    ['contoso', 'keyword', 1],
    ['192.0.2.7', 'ip', 1],
    ['192.0.2.8', 'ip', 0],
    ['nothing of the kind', 'keyword', 0],
    ['%', 'keyword', 0],
    ['d41d8cd98f00b204e9800998ecf8427e', 'hash', 0],
  ])('%s is a %s with %i matches', async (query, queryType, matches) => {
    const { status, body } = await get(
      `/check/ransomware?query=${encodeURIComponent(query)}&limit=1&include_ttps=true`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ queryType, found: matches > 0 });
    expect(body.matches).toHaveLength(matches);
    expect(body.message).not.toBe('');
  });

  test('statistics without a query, and for any query with type=stats; each call costs a check', async () => {
    const before = rig.calls.filter((call) => call === 'admit 1').length;
    for (const path of ['/check/ransomware', '/check/ransomware?query=contoso&type=stats'])
      expect((await get(path)).body).toMatchObject({
        queryType: 'stats',
        stats: { totalVictims: 10, activeGroups: 3 },
      });
    expect(rig.calls.filter((call) => call === 'admit 1').length - before).toBe(2);
    await get('/ransomware/stats');
    expect(rig.calls.at(-1)).toBe('admit 0');
  });
});

test('no answer has an onion name, a leak link or markup that something could follow', async () => {
  const paths = [
    '/ransomware/feed?press=1',
    '/ransomware/stats',
    '/ransomware/press',
    '/ransomware/groups',
    '/ransomware/sector-risk?sector=healthcare&press',
    '/ransomware/sector-victims?sector=healthcare',
    '/ransomware/group-profile?group=play',
    '/ransomware/group-profile?group=conti',
    '/check/ransomware?query=play',
    `/check/ransomware?query=${encodeURIComponent(`<b>http://${ONION}`)}`,
  ];
  for (const path of paths) {
    const { text } = await get(path);
    expect(text, path).not.toMatch(/[^\]]\.onion|https?:\/\/[^"]*abcdefghij234567|<|>|\u202e|t\.me/);
  }
  expect((await get('/ransomware/feed')).text).toContain('‹script›alert(1)‹/script›');
});
