/** What the worker publishes in the background. */
export const PUBLICATION_NAMES = ['blocklists', 'taxii', 'mmdb'] as const;
export type PublicationName = (typeof PUBLICATION_NAMES)[number];

type Schedule = { readonly everyMinutes: number; readonly atMinute: number };

/** The address database is built at other minutes than the blocklists, because both read the same tables. */
const SCHEDULES: Readonly<Record<PublicationName, Schedule>> = {
  blocklists: { everyMinutes: 10, atMinute: 0 },
  taxii: { everyMinutes: 5, atMinute: 0 },
  mmdb: { everyMinutes: 10, atMinute: 3 },
};

const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;

/** The cron pattern of a publication's builds. */
export function patternOf(name: PublicationName): string {
  const { everyMinutes, atMinute } = SCHEDULES[name];
  const minutes = Array.from(
    { length: MINUTES_AN_HOUR / everyMinutes },
    (_, index) => atMinute + index * everyMinutes,
  );
  return `${minutes.join(',')} * * * *`;
}

/** The next scheduled time after `nowMs`. */
export function nextScheduledMs(name: PublicationName, nowMs: number): number {
  const { everyMinutes, atMinute } = SCHEDULES[name];
  const [everyMs, atMs] = [everyMinutes * MINUTE_MS, atMinute * MINUTE_MS];
  return Math.floor((nowMs - atMs) / everyMs) * everyMs + everyMs + atMs;
}

/** A failed build is tried this often before it waits for its next scheduled time. */
export const ATTEMPTS_MAX = 5;

/** When the queue runs a job again after this attempt failed (e^attempt seconds); null after the last attempt. */
export const retryAtMs = (nowMs: number, attempt: number, attemptsMax: number): number | null =>
  attempt >= attemptsMax ? null : nowMs + Math.exp(Math.min(attempt, 10)) * 1_000;
