import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESSES } from '#test/fuzz-routes.ts';
import { bySize } from '#test/lane.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { whileUnavailable } from '#test/tenant-calls.ts';
import { type Member, newTenant, rowsOf, settledRowsOf, type Tenant } from '#test/tenants.ts';
import { type Act, actsOn, IS_OF_WATCH, mixedActs, UNAIMED } from '#test/watch-acts.ts';

let shared: SharedService;
let owner: pg.Client;
let tenants: readonly [Tenant, Tenant];

beforeAll(async () => {
  shared = await sharedService('tenants-aimed');
  owner = new pg.Client({ connectionString: shared.service.env.DATABASE_URL });
  await owner.connect();
  tenants = [await newTenant(shared, 'pink'), await newTenant(shared, 'cyan')];
});
afterAll(async () => {
  await owner?.end();
  await shared?.stop();
});

/** Routes that answer from what a worker builds, which the shared service has not; alike for all accounts. */
const IS_BUILT = /^GET \/(?:mmdb\/(?:info|download)|metrics\/threats)$/;

type Credentials = Readonly<Record<string, string>>;
const credentialsOf = ({ credential, cookies }: Member): readonly Credentials[] => [
  { 'x-api-key': credential },
  ...Object.values(cookies).map((cookie) => ({ cookie })),
];

async function ask(credentials: Credentials, { act, path, body }: Act, base = '') {
  const send = () =>
    fetch(`${shared.service.url}${base}${path}`, {
      method: act.split(' ')[0] ?? '',
      headers: {
        ...credentials,
        origin: shared.service.env.PUBLIC_WEB_URL ?? '',
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const answer = IS_BUILT.test(act) ? await send() : await whileUnavailable(send);
  return { status: answer.status, text: await answer.text() };
}

const idWith = (ids: readonly string[], prefix: string): string =>
  ids.find((id) => id.startsWith(prefix)) ?? '';
const isRead = ({ act }: Act): boolean => act.startsWith('GET');

test('every route of cases, alerts, monitoring, webhooks, the action center, metrics and the address database is asked here', () => {
  const asked = [...actsOn(tenants[0].watch.kept).map(({ act }) => act), ...UNAIMED];
  const routes = ADDRESSES.filter(({ route }) => IS_OF_WATCH.test(route.path)).map(
    ({ route }) => `${route.method} ${route.path}`,
  );
  expect([...new Set(routes)].sort()).toEqual([...new Set(asked)].sort());
});

test.each([
  [0, 1],
  [1, 0],
] as const)(
  'tenant %i, in four roles with keys and sessions of every origin, reaches no case, alert, item, webhook or delivery of tenant %i (reliability S2)',
  async (from, to) => {
    const [mine, theirs] = [tenants[from], tenants[to]];
    const linked = {
      linkedCveFindingId: idWith(theirs.ids, 'xfnd_'),
      linkedReportId: idWith(theirs.ids, 'rpt_'),
    };
    const acts = [...actsOn(theirs.watch.kept), ...mixedActs(mine.watch.kept, theirs.watch.kept, linked)];
    const before = await settledRowsOf(owner, theirs.accountIds);
    const wrong: string[] = [];
    let sent = 0;
    for (const [at, member] of mine.members.entries())
      for (const credentials of bySize(credentialsOf(member).slice(at, at + 1), credentialsOf(member)))
        for (const act of acts) {
          const base = sent % 2 === 0 ? '' : '/api';
          const { status, text } = await ask(credentials, act, base);
          sent += 1;
          const expected = member.role === 'VIEWER' && !isRead(act) ? 403 : (act.refused ?? 404);
          if (status !== expected || text.includes(theirs.marker))
            wrong.push(`${member.role} ${Object.keys(credentials)[0]} ${act.act}: ${status} ${text}`);
        }
    expect(wrong).toEqual([]);
    expect(await rowsOf(owner, theirs.accountIds)).toEqual(before);
    console.log(`figure tenants-aimed-${from}-requests ${sent}`);
    console.log(`figure tenants-aimed-${from}-reached ${wrong.length}`);
  },
);

/** Of the routes that take no id: those whose answer holds the marker of the caller's own account. */
const SHOWS_MARKER =
  /^GET \/(?:cases|alerts|monitoring|user\/webhooks|action-center\/overview|risk-brief\/latest)$/;

test('lists, figures and briefs show each tenant its own words and none of the other', async () => {
  for (const [mine, theirs] of [tenants, tenants.toReversed()] as [Tenant, Tenant][])
    for (const member of mine.members)
      for (const act of UNAIMED.filter((each) => each.startsWith('GET'))) {
        const [credentials = {}] = credentialsOf(member);
        const { status, text } = await ask(credentials, { act, path: act.slice('GET '.length) });
        expect(text.includes(theirs.marker), act).toBe(false);
        if (!IS_BUILT.test(act)) expect([act, status]).toEqual([act, 200]);
        expect([act, text.includes(mine.marker)]).toEqual([act, SHOWS_MARKER.test(act)]);
      }
});

test('the same requests succeed for the tenant itself, so they were refused for whose it is', async () => {
  for (const { members, watch } of tenants)
    for (const act of actsOn(watch.spare)) {
      const [credentials = {}] = credentialsOf(members[2] as Member);
      const { status, text } = await ask(credentials, act);
      expect([act.act, status < 300 ? 'done' : text]).toEqual([act.act, 'done']);
    }
});
