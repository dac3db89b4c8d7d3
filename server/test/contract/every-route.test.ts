import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeRoutes } from '#app/build-app.ts';
import { describeOperatorRoutes } from '#app/build-operators.ts';
import type { Route } from '#platform/http/route.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { CONTRACT_ROUTES, EXTENSIONS, NOT_YET } from './every-route-list.ts';

type Wanted = {
  readonly act: string;
  readonly surface: string;
  readonly auth: string;
  readonly plans: readonly string[];
  readonly meters: readonly string[];
  readonly needs: readonly string[];
};

/** Names of parameters do not matter: `/x/:id` and `/x/:name` are one address. */
const addressOf = (act: string): string => act.replaceAll(/:\w+/g, ':');

const readLines = (text: string): readonly Wanted[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [method, path, surface = '', auth = '', plans = '', meters = '', ...needs] = line
        .trim()
        .split(/\s+/);
      return {
        act: `${method} ${path}`,
        surface,
        auth,
        plans: plans.split('|'),
        meters: meters.split('|'),
        needs,
      };
    });

type Mounted = { readonly route: Route; readonly surface: string };

const MOUNTED: readonly Mounted[] = [
  ...describeRoutes().map((route) => ({ route, surface: route.policy.surface })),
  ...describeOperatorRoutes().map((route) => ({ route, surface: 'operators' })),
];
const actOf = ({ route }: Mounted): string => addressOf(`${route.method} ${route.path}`);
const contract = Object.values(CONTRACT_ROUTES).flatMap(readLines);
const extensions = readLines(EXTENSIONS);
const isBuilt = ({ act }: Wanted): boolean => !NOT_YET.includes(act);

const find = ({ act, surface }: Wanted): Mounted | undefined =>
  MOUNTED.find((mounted) => actOf(mounted) === addressOf(act) && mounted.surface === surface);

/** Null when the route exists with the auth, plan, meter and needs of the contract; otherwise what differs. */
function problemOf(wanted: Wanted): string | null {
  const found = find(wanted);
  if (found === undefined) return `${wanted.act} is not mounted (${wanted.surface})`;
  const { policy } = found.route;
  const needs = [
    ...(policy.organization === true ? ['organization'] : []),
    ...(policy.licence === true ? ['licence'] : []),
    ...(policy.head === 'handled' && wanted.needs.includes('head') ? ['head'] : []),
  ];
  const isAsWanted =
    policy.auth === wanted.auth &&
    wanted.plans.includes(policy.plan) &&
    wanted.meters.includes(policy.meter) &&
    needs.join() === wanted.needs.join();
  if (isAsWanted) return null;
  return `${wanted.act}: ${policy.auth} ${policy.plan} ${policy.meter} ${needs.join()} instead of ${wanted.auth} ${wanted.plans.join('|')} ${wanted.meters.join('|')} ${wanted.needs.join()}`;
}

let shared: SharedService;
beforeAll(async () => {
  shared = await sharedService('every-route');
});
afterAll(() => shared?.stop());

test('every route of the contract is mounted with its auth, plan and meter', () => {
  expect(contract.length).toBeGreaterThan(170);
  expect(contract.filter(isBuilt).flatMap((wanted) => problemOf(wanted) ?? [])).toEqual([]);
});

test('every promised extension is mounted, and marked as one', () => {
  const built = extensions.filter(isBuilt);
  expect(built.flatMap((wanted) => problemOf(wanted) ?? [])).toEqual([]);
  expect(built.filter((wanted) => find(wanted)?.route.policy.extension !== true)).toEqual([]);
});

test('what is mounted is in the contract, or marked as an extension', () => {
  const known = new Set(contract.map(({ act, surface }) => `${addressOf(act)} ${surface}`));
  const unknown = MOUNTED.filter(
    (mounted) =>
      mounted.route.policy.extension !== true && !known.has(`${actOf(mounted)} ${mounted.surface}`),
  );
  expect(unknown.map(actOf)).toEqual([]);
});

test('a route that is built is not in the list of those to come', () => {
  const listed = new Map([...contract, ...extensions].map((wanted) => [wanted.act, wanted]));
  for (const act of NOT_YET) {
    const wanted = listed.get(act);
    expect(wanted, act).toBeDefined();
    expect(wanted === undefined ? undefined : find(wanted), act).toBeUndefined();
  }
});

test('operators have no address on the public listener: 404 for everyone, also where a parameter would match', async () => {
  const asCustomer = { 'x-api-key': shared.account.credential };
  const paths = [
    ...describeOperatorRoutes()
      .map(({ path }) => path.replace(/:\w+/, 'x'))
      // Each listener describes itself at this address.
      .filter((path) => path !== '/openapi.json'),
    '/admin',
    '/emails',
  ];
  for (const path of new Set(paths))
    for (const base of ['', '/api'])
      for (const headers of [{}, asCustomer, { authorization: 'Bearer op_x' }]) {
        const answer = await fetch(`${shared.service.url}${base}${path}`, {
          headers: { ...shared.fromHere, ...headers },
        });
        expect([answer.status, ((await answer.json()) as { error: string }).error], `${base}${path}`).toEqual(
          [404, 'Not Found'],
        );
      }
  for (const method of ['POST', 'HEAD', 'OPTIONS', 'DELETE'])
    expect((await fetch(`${shared.service.url}/cve/dashboard`, { method, headers: asCustomer })).status).toBe(
      404,
    );
  const beside = await fetch(`${shared.service.url}/cve/dashboards`, { headers: asCustomer });
  expect(beside.status).toBe(400);
});
