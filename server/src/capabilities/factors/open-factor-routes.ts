import type { OpenSessionDeps } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Factors } from './factors.ts';
import { createFactorThrottle, type FactorThrottle, type FactorThrottleDeps } from './throttle.ts';

/** What the routes of second factors work with. Only `factors` reaches across accounts. */
export type FactorRoutesDeps = {
  readonly clock: Clock;
  readonly factors: Factors;
  readonly throttle: FactorThrottle;
  readonly session: OpenSessionDeps;
};

export const openFactorRoutes = (
  options: Omit<FactorRoutesDeps, 'throttle'> & FactorThrottleDeps,
): FactorRoutesDeps => ({
  clock: options.clock,
  factors: options.factors,
  session: options.session,
  throttle: createFactorThrottle(options),
});
