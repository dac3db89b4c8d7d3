import { Link } from '../navigation/link.tsx';
import { type HealthSeen, useHealth } from '../service/health.ts';
import css from './strip.module.css';

export function DegradedStrip() {
  const health = useHealth();
  const text = health === undefined ? null : strippedDown(health);
  if (text === null) return null;
  return (
    <div className={css.strip} role="status">
      <b>Degraded.</b> {text} <Link to="/status/data">Data freshness</Link>
    </div>
  );
}

export function strippedDown(health: HealthSeen): string | null {
  if (health === 'unreachable') return 'The service does not answer. What is on the page was kept.';
  if (health.status === 'operational') return null;
  const { database, redis } = health.services;
  if (database === 'down')
    return 'The database is away: verdicts still come from the local copy, saving and sign-in do not work.';
  if (redis === 'down')
    return 'The counter store is away: verdicts still come, limits are counted locally and may refuse sooner.';
  return 'A part of the service is away; answers may be incomplete.';
}
