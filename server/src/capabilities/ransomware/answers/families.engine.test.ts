import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { type RansomwareRig, startRansomwareRig } from '#test/ransomware-rig.ts';
import { NOW_MS, ONION } from '../claims.fixture.ts';
import { ransomwareWorkerPart } from '../jobs.ts';
import { createClaimedDomains } from './claimed-domains.ts';

let rig: RansomwareRig;
const get = async (path: string) => (await rig.get(path)).body;
const post = (title: string, group: string, discovered: string, more: object = {}) => ({
  post_title: title,
  group_name: group,
  discovered,
  ...more,
});

const POSTS = [
  post('Acorn Clinic', 'lockbit2', '2022-02-01'),
  post('Birch Works', 'lockbit2', '2022-03-01'),
  post('cedar-bank.de', 'lockbit3', '2024-02-01'),
  post('Dune GmbH', 'LOCKBIT 3.0', '2024-03-01'),
  post('Ember', 'lockbit5', '2026-05-06'),
  post('Fern Hospital', 'akira', '2026-05-06', { activity: 'Technology', country: 'FR' }),
  post('Garnet', 'akira', '2026-05-05', { website: 'https://garnet.example/' }),
];
const PANEL = `|Name|Status|
|[LOCKBIT 4.0 Control Panel](http://${ONION})|ONLINE|
|[LOCKBIT 2.0 (Dark mirror 1)](http://a${ONION})|SEIZED|
|[LOCKBIT 5.0 (chat)](http://b${ONION})|ONLINE|
|[BLACKMATTER Support](http://c${ONION})|OFFLINE|
`;

beforeAll(async () => {
  rig = await startRansomwareRig();
  await rig.load('ransomwatch-posts', POSTS);
  await rig.load('deepdarkcti', PANEL);
});
afterAll(() => rig?.close());

describe('generations of one group', () => {
  test('are one group of the list with the totals of all; a tool panel is no group', async () => {
    const { groups, total } = await get('/ransomware/groups');
    expect(groups.map(({ name }: { name: string }) => name)).toEqual(['lockbit', 'akira']);
    expect(total).toBe(2);
    expect(groups[0]).toMatchObject({
      family: 'lockbit',
      victims: 5,
      status: 'active',
      firstClaimAt: '2022-02-01T00:00:00.000Z',
      lastClaimAt: '2026-05-06T00:00:00.000Z',
    });
    const victims = groups[0].generations.map((each: { name: string; victims: number }) => [
      each.name,
      each.victims,
    ]);
    expect(victims).toEqual([
      ['lockbit2', 2],
      ['lockbit3', 2],
      ['lockbit5', 1],
    ]);
    expect(groups[1]).toMatchObject({ family: null, generations: [] });
  });

  test('the name of the family finds all claims, that of a generation its own', async () => {
    const all = await get('/check/ransomware?query=LockBit');
    expect(all).toMatchObject({ queryType: 'group', family: 'lockbit', total: 5 });
    expect(all.message).toMatch(/^5 claims match\./);
    const one = await get('/check/ransomware?query=lockbit3');
    expect(one).toMatchObject({ queryType: 'group', family: 'lockbit', total: 2 });
    expect(await get('/ransomware/group-profile?group=lockbit')).toMatchObject({
      name: 'lockbit',
      victims: 5,
      status: 'active',
      generations: [{ name: 'lockbit2' }, { name: 'lockbit3' }, { name: 'lockbit5' }],
    });
    expect(await get('/ransomware/group-profile?group=LOCKBIT%202.0')).toMatchObject({
      name: 'lockbit2',
      family: 'lockbit',
      victims: 2,
      status: 'seized',
    });
  });

  test('statistics count the family once, and a claim names it', async () => {
    expect(await get('/ransomware/stats')).toMatchObject({
      activeGroups: 2,
      topGroups: [
        { group: 'lockbit', count: 5 },
        { group: 'akira', count: 2 },
      ],
    });
    const { victims } = await get('/ransomware/feed');
    expect(
      victims.map(({ group, family }: { group: string; family: string }) => [group, family]),
    ).toContainEqual(['lockbit5', 'lockbit']);
  });
});

describe('sector and country that no tracker names', () => {
  const named = async (name: string) =>
    (await get('/ransomware/feed')).victims.find(({ victim }: { victim: string }) => victim === name);

  test('are inferred and say so, with the rule; what a tracker says is not', async () => {
    expect(await named('Acorn Clinic')).toMatchObject({
      sector: 'healthcare',
      sectorBasis: { inferred: true, rule: 'name: clinic' },
      country: null,
      countryBasis: null,
    });
    expect(await named('cedar-bank.de')).toMatchObject({
      sector: 'financial services',
      sectorBasis: { inferred: true, rule: 'name: bank' },
      country: 'DE',
      countryBasis: { inferred: true, rule: 'suffix: .de' },
    });
    expect(await named('Fern Hospital')).toMatchObject({
      sector: 'technology',
      sectorBasis: { inferred: false, rule: null },
      countryBasis: { inferred: false, rule: null },
    });
    expect((await get('/ransomware/stats')).coverage).toEqual({
      claims: 7,
      withSector: 3,
      sectorInferred: 2,
      withCountry: 2,
      countryInferred: 1,
    });
  });

  test('claims of an earlier release are inferred by the job, and a second run writes nothing', async () => {
    const { system } = rig;
    const before = await named('cedar-bank.de');
    await sql`
      update ransomware_claim set rules_mark = null, sector = case when sector_rule is null then sector end, sector_rule = null,
             country = case when country_rule is null then country end, country_rule = null`.execute(
      system.db,
    );
    expect(await named('cedar-bank.de')).toMatchObject({ sector: null, country: null });
    const context = { transaction: system.transaction, signal: new AbortController().signal };
    const run = () => ransomwareWorkerPart().jobs[0]?.run(context as never, {} as never);
    const written = async () =>
      (await sql`select id, xmin::text from ransomware_claim order by id`.execute(system.db)).rows;
    await run();
    expect(await named('cedar-bank.de')).toEqual(before);
    const after = await written();
    await run();
    expect(await written()).toEqual(after);
  });

  test('articles that agree name a country, and it goes when they go', async () => {
    const article = (country: string) => ({
      date: '2026-05-07',
      victim: 'Garnet',
      domain: 'garnet.example',
      country,
      title: 'Garnet hit',
      url: `https://news.example.com/${country}`,
    });
    await rig.load('cyberwatch', [article('ITA')]);
    expect(await named('Garnet')).toMatchObject({
      country: 'IT',
      countryBasis: { inferred: true, rule: 'press' },
    });
    await rig.load('cyberwatch', [article('ITA'), article('ESP')], { dataAtMs: NOW_MS + 1_000 });
    expect(await named('Garnet')).toMatchObject({ country: null, countryBasis: null });
  });
});

test('the claims on a domain are kept in memory, for the name itself and for those below it', async () => {
  const claimed = createClaimedDomains({ clock: rig.clock, postgres: rig.system });
  expect(claimed.on('cedar-bank.de')).toBeNull();
  await claimed.refresh();
  expect(claimed.on('mail.cedar-bank.de')).toMatchObject({
    domain: 'cedar-bank.de',
    total: 1,
    claims: [{ group: 'lockbit3', family: 'lockbit', discoveredAt: '2024-02-01T00:00:00.000Z' }],
    note: expect.stringMatching(/adds no points/),
  });
  expect([claimed.on('bank.de'), claimed.on('de')]).toEqual([null, null]);
});
