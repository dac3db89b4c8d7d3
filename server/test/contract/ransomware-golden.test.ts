import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '#test/http-app.ts';
import { type RansomwareRig, startRansomwareRig } from '#test/ransomware-rig.ts';
import { createGolden, lacking } from '../golden/golden-answers.ts';

let rig: RansomwareRig;
let url = '';
const golden = createGolden('ransomware-answers', () => url);
beforeAll(async () => {
  rig = await startRansomwareRig();
  await rig.loadAll();
  url = `http://127.0.0.1:${await listen(rig.app)}`;
});
afterAll(async () => {
  await rig?.app.close();
  await rig?.close();
});

const VICTIM = `id victim group domain country sector discoveredAt attackDate claimUrl description press press.title press.url
  press.source press.publishedAt status`;
const below = (path: string, fields: string): string => fields.trim().replaceAll(/(\S+)/g, `${path}.$1`);
const FIGURES = 'sector riskLevel score victims30d victimsPrev30d trend topGroups';

/** Every field of decisions 3.7 and of the ransomware routes of contract 4.2 and 4.8. */
const FIELDS: Readonly<Record<string, string>> = {
  'GET /ransomware/feed?limit=2&press': `victims ${below('victims', VICTIM)} total generatedAt disclaimer`,
  'GET /ransomware/stats': `totalVictims activeGroups attacksThisMonth attacksThisYear last24h last7d topGroups.group
    topGroups.count topCountries.country topCountries.count topSectors.sector topSectors.count updatedAt disclaimer`,
  'GET /ransomware/sector-risk': `${below('sectors', FIGURES)} updatedAt disclaimer`,
  'GET /ransomware/sector-risk?sector=Healthcare&press=true': `${FIGURES} countries ${below('recentVictims', VICTIM)} press.title
    press.url press.source press.publishedAt disclaimer`,
  'GET /ransomware/sector-risk/history?days=3&sector=healthcare': `days sector points.date points.sector points.victims points.score
    points.riskLevel disclaimer`,
  'GET /ransomware/sector-victims?sector=healthcare':
    'sector riskLevel total victims.id victims.victim disclaimer',
  'GET /ransomware/press?limit=2': `entries.id entries.title entries.url entries.source entries.publishedAt entries.groups
    entries.victim total disclaimer`,
  'GET /ransomware/group-profile?group=akira': `name aliases description status firstSeen lastSeen victims victims30d countries
    sectors locations ttps.tacticId ttps.tactic ttps.techniqueId ttps.technique tools cves notes references disclaimer`,
  'GET /ransomware/group-profile?group=conti':
    'locations.fqdn locations.available locations.lastCheckedAt status',
  'GET /ransomware/groups': `groups.name groups.victims groups.status groups.countries groups.sectors groups.claims30d
    groups.claimsPrev30d groups.lastClaimAt groups.firstClaimAt total activity disclaimer`,
  'GET /ransomware/groups?sort=activity&limit=2': 'groups.name total activity',
  'GET /check/ransomware':
    'query queryType stats.totalVictims stats.activeGroups stats.attacksThisMonth stats.attacksThisYear',
  'GET /check/ransomware?query=northwind-clinic.com&include_ttps=true&include_iocs=1&limit=5': `query queryType found matches.kind
    matches.name matches.group matches.country matches.sector matches.discoveredAt groups message`,
  'GET /check/ransomware?query=192.0.2.7': 'query queryType found matches.kind matches.name groups message',
  'GET /check/ransomware?query=akira': 'query queryType found matches.kind matches.name groups message',
};
const REFUSED = [
  '/ransomware/feed?limit=abc',
  '/ransomware/sector-victims',
  '/ransomware/sector-risk?sector=wizardry',
  '/ransomware/group-profile',
  '/ransomware/group-profile?group=unheard-of',
];

test('every answer about ransomware on 8 May 2026 equals its golden answer: UPDATE_GOLDEN=1 rewrites them', async () => {
  for (const request of Object.keys(FIELDS)) await golden.ask('GET', request.slice('GET '.length));
  for (const path of REFUSED) await golden.ask('GET', path);
  golden.expectKept();
});

test.each(Object.entries(FIELDS))('%s has every field of the contract', (request, fields) => {
  expect(golden.answers()[request]?.status).toBe(200);
  expect(lacking(golden.answers(), request, fields)).toEqual([]);
});

const bodyOf = async (path: string) =>
  (await (await fetch(`${url}${path}`)).json()) as Record<string, unknown>;

describe('traps', () => {
  test('trap 75: press, press=1 and press=true agree, and sectors ignore case', async () => {
    for (const path of ['/ransomware/feed', '/ransomware/sector-risk?sector=healthcare'])
      for (const flag of ['press=1', 'press=true']) {
        const joint = path.includes('?') ? '&' : '?';
        expect(await bodyOf(`${path}${joint}${flag}`)).toEqual(await bodyOf(`${path}${joint}press`));
      }
    for (const path of ['sector-risk', 'sector-risk/history', 'sector-victims'])
      expect(await bodyOf(`/ransomware/${path}?sector=Healthcare`)).toEqual(
        await bodyOf(`/ransomware/${path}?sector=healthcare`),
      );
  });

  test('trap 77: a group without claims has none of the four fields, and without any claim activity is false', async () => {
    const four = ['claims30d', 'claimsPrev30d', 'lastClaimAt', 'firstClaimAt'];
    const groupsOf = async (path: string) =>
      (await bodyOf(path)) as { activity: boolean; groups: ({ name: string } & Record<string, unknown>)[] };
    const loaded = await groupsOf('/ransomware/groups');
    const sleeping = loaded.groups.find(({ name }) => name === 'sleeping');
    expect(four.filter((field) => field in (sleeping ?? {}))).toEqual([]);
    expect(loaded.activity).toBe(true);

    const empty = await startRansomwareRig();
    try {
      await empty.loadGroups();
      const { body } = await empty.get('/ransomware/groups');
      expect(body.activity).toBe(false);
      expect(body.groups.map(({ name }: { name: string }) => name)).toEqual(['conti', 'sleeping']);
      for (const group of body.groups) expect(four.filter((field) => field in group)).toEqual([]);
      expect((await empty.get('/ransomware/groups?sort=activity')).body).toEqual(body);
    } finally {
      await empty.close();
    }
  });
});
