import { usePreferences } from '../frame/preferences.ts';
import { absoluteTime, relativeTime } from '../words/time.ts';
import { useNow } from './use-now.ts';

export function Moment({ at, form = 'relative' }: { at: string; form?: 'relative' | 'absolute' | 'date' }) {
  const { clock } = usePreferences();
  const nowMs = useNow(30_000);
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return <span>{at}</span>;
  const exact = absoluteTime(atMs, clock);
  return (
    <time dateTime={at} title={exact}>
      {FORMS[form](atMs, nowMs, exact)}
    </time>
  );
}

const FORMS: Readonly<
  Record<'relative' | 'absolute' | 'date', (atMs: number, nowMs: number, exact: string) => string>
> = {
  relative: (atMs, nowMs) => relativeTime(atMs, nowMs),
  absolute: (_atMs, _nowMs, exact) => exact,
  // Registries and certificates use UTC dates.
  date: (atMs) => new Date(atMs).toISOString().slice(0, 10),
};
