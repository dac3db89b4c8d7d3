import type { Route } from './route.ts';

/** The statuses of refusals and failures that a description can name. */
const FAILURE_STATUSES = [400, 401, 403, 404, 408, 409, 413, 415, 416, 422, 429, 431, 500, 503] as const;
export type FailureStatus = (typeof FAILURE_STATUSES)[number];

/** Failures that the parser of HTTP, the load shedding or a defect can answer on any route. */
const ALWAYS: readonly FailureStatus[] = [408, 431, 500, 503];

const isFailure = (status: number): status is FailureStatus =>
  (FAILURE_STATUSES as readonly number[]).includes(status);

/** The failures that a route can answer with: those that follow from its policy and schemas, and those it names itself. */
export function failureStatusesOf(route: Route): readonly FailureStatus[] {
  const { policy } = route;
  const readsBody = route.method !== 'GET';
  const takesInput = (route.query ?? route.params) !== undefined || readsBody;
  // An operator's route without an accepted token answers as an unknown address.
  const isHidden = policy.auth === 'operator';
  const isGuarded = !isHidden && policy.auth !== 'public' && policy.auth !== 'lenient';
  const possible = new Set<number>([
    ...ALWAYS,
    ...(takesInput ? [400] : []),
    // 403 is possible even without plan and role: a key used outside its allow list, or a session from another site.
    ...(isGuarded ? [401, 403] : []),
    ...(isHidden || route.path.includes(':') || route.mayBeAbsent === true ? [404] : []),
    ...(policy.idempotent === true ? [409] : []),
    // The body of a route without a schema for it is read and bounded as well.
    ...(readsBody ? [413, 415] : []),
    // An address that sent too many wrong credentials is refused on every route that reads them.
    ...(isGuarded || policy.meter !== 'none' ? [429] : []),
    ...(route.ranges === true ? [416] : []),
    ...(policy.refundOn ?? []),
    ...Object.keys(route.otherStatuses ?? {}).map(Number),
  ]);
  return FAILURE_STATUSES.filter((status) => possible.has(status));
}

/** The statuses below 400 that a route can answer with, the usual one first. */
export function successStatusesOf(route: Route): readonly number[] {
  const named = Object.keys(route.otherStatuses ?? {})
    .map(Number)
    .filter((status) => !isFailure(status));
  return [
    ...new Set([
      route.status ?? 200,
      ...named,
      ...(route.ranges === true ? [206] : []),
      ...(route.conditional === true ? [304] : []),
    ]),
  ];
}

/** Reports whether the description of a route names this status. */
export const namesStatus = (route: Route, status: number): boolean =>
  successStatusesOf(route).includes(status) ||
  (failureStatusesOf(route) as readonly number[]).includes(status);
