import css from './freshness.module.css';
import type { Status } from './freshness-words.ts';

/** Status is told by shape and drawn in ink: freshness is no evidence, so it gets no evidence colour. */
export function StatusShape({ status }: { status: Status }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className={css.shape}>
      {status === 'fresh' && <circle cx="5" cy="5" r="4" fill="currentColor" />}
      {status === 'stale' && <path d="M5 1a4 4 0 0 1 0 8Z" fill="currentColor" stroke="none" />}
      {status === 'stale' && <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" />}
      {status === 'failing' && <path d="M1.5 1.5l7 7m0-7l-7 7" stroke="currentColor" strokeWidth="1.8" />}
      {status === 'missing' && (
        <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeDasharray="2 2" />
      )}
    </svg>
  );
}
