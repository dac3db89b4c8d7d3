import type { HealthSeen } from '../service/health.ts';

/** The sentence of the strip on every screen while the service is degraded; null while it is not. */
export function strippedDown(health: HealthSeen): string | null {
  if (health === 'unreachable') return 'The service does not answer. What is on the page was kept.';
  if (health.status === 'operational') return null;
  const { database, redis } = health.services;
  if (database === 'down')
    return 'The database is away: verdicts come from the local copy, saving and sign-in do not work.';
  if (redis === 'down')
    return 'The counter store is away: limits are counted on this node and may refuse sooner.';
  return 'A part of the service is away or late; some answers may be incomplete.';
}
