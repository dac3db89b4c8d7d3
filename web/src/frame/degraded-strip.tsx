import { Link } from '../navigation/link.tsx';
import { useHealth } from '../service/health.ts';
import css from './strip.module.css';
import { strippedDown } from './strip-words.ts';

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
