import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { CROWDED_IP } from './shared-corpus.ts';

let running: SharedService;

const get = (path: string, headers: Record<string, string> = { 'X-API-KEY': running.account.credential }) =>
  fetch(`${running.service.url}${path}`, { headers });

beforeAll(async () => {
  running = await sharedService('context-pages');
  await eventually('the lists are in the replica', 30_000, async () => {
    const answer = await get('/threat-intel/network?cidr=45.155.205.0/24');
    return ((await answer.json()) as { counts: { listed: number } }).counts.listed > 0;
  });
}, 600_000);
afterAll(() => running?.stop());

const PATHS = [
  '/threat-intel/network?cidr=45.155.205.0/24',
  '/threat-intel/source/feed-00',
  '/threat-intel/family/emotet',
  '/threat-intel/asn?asn=AS64496&members=true',
];

test('401: none answers without a credential, on either host', async () => {
  for (const path of PATHS)
    for (const base of ['', '/api'])
      expect((await get(`${base}${path}`, running.fromHere)).status, `${base}${path}`).toBe(401);
});

const usage = async (): Promise<number> =>
  Number((await get(`/check?query=${CROWDED_IP}`)).headers.get('x-monthly-usage'));

test('a page costs one check and nothing again; one that is refused, unknown or without its data costs nothing (O82)', async () => {
  const before = await usage();
  const costs = ['/threat-intel/network?cidr=45.155.205.0/25', '/threat-intel/source/feed-01'];
  const free = [
    ...costs,
    '/threat-intel/network?cidr=1.0.0.0/8',
    '/threat-intel/source/nope',
    '/threat-intel/family/emotet',
    '/threat-intel/asn?asn=AS64496&members=true',
  ];
  for (const [nth, path] of [...costs, ...free].entries()) {
    const { headers } = await get(path);
    expect(headers.get('x-ratelimit-type'), path).toBe('burst');
    expect(Number(headers.get('x-monthly-usage')), path).toBe(before + Math.min(nth + 1, costs.length));
  }
});

test('a range of the running service: its members have the verdict of /check', async () => {
  const answer = await get('/api/threat-intel/network?cidr=45.155.205.0/24');
  const { worst } = (await answer.json()) as {
    worst: { members: { value: string; score: number; word: string; action: string }[] };
  };
  expect(worst.members.map(({ value }) => value)).toContain(CROWDED_IP);
  for (const { value, score, word, action } of worst.members) {
    const checked = (await (await get(`/check?query=${value}`)).json()) as {
      riskScore: { score: number; word: string };
      evidence: { recommendedAction: string };
    };
    expect([score, word, action], value).toEqual([
      checked.riskScore.score,
      checked.riskScore.word,
      checked.evidence.recommendedAction,
    ]);
  }
});

test('a source of the running service is described and its entries are counted; unknown ones are 404', async () => {
  const known = await get('/threat-intel/source/feed-00');
  expect([known.status, await known.json()]).toMatchObject([
    200,
    { source: { id: 'feed-00', entries: 3 }, counts: { listed: 3, withheld: 3 } },
  ]);
  expect((await get('/threat-intel/source/nothing')).status).toBe(404);
  expect((await get('/threat-intel/family/nothing')).status).toBe(404);
});
