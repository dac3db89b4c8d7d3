import type { HealthSeen } from '../service/health.ts';

/** The sentence of the strip on every screen while the service is degraded; null while it is not. */
export function strippedDown(health: HealthSeen): string | null {
  if (health === 'unreachable') return 'The service does not answer. What is on the page was kept.';
  if (health.status === 'operational') return null;
  const { database, redis } = health.services;
  if (database === 'down')
    return 'The database is away: verdicts still come from the local copy, saving and sign-in do not work.';
  if (redis === 'down')
    return 'The counter store is away: verdicts still come, limits are counted locally and may refuse sooner.';
  const late = (health.data?.late ?? []).map((id) => PUBLISHED[id] ?? id);
  if (late.length > 0 && health.services.api === 'operational')
    return `Not up to date for download: ${late.join(', ')}. Checks are not affected.`;
  return 'A part of the service is away; answers may be incomplete.';
}

const PUBLISHED: Readonly<Record<string, string>> = {
  blocklists: 'blocklists',
  taxii: 'TAXII collections',
  mmdb: 'the address database',
};
