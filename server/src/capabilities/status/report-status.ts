import type { Clock } from '#platform/clock.ts';
import { keepValue } from '#platform/kept-value.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type ProbeFigures, selectFigures, selectShares } from './canary/store.ts';
import type { CanaryProbe, EvidenceDay, Health, PlatformStatus } from './contract.ts';
import { listNotices, noticeOf } from './notices.ts';

/** What the public status page is made of beside the health of the engines. Other capabilities hand in their parts. */
export type StatusPageDeps = {
  readonly postgres: Postgres;
  readonly freshness: () => Promise<NonNullable<PlatformStatus['freshness']>>;
  /** The public roots of evidence, the newest day first. Null: this service keeps no evidence. */
  readonly evidenceRoots: (() => Promise<readonly EvidenceDay[]>) | null;
};

const FRESH_MS = 10_000;
/** An older page is better than none while PostgreSQL is away. */
const STALE_MS = DAY_MS;
const SILENT_MS = 300_000;
const SHARE_MS = 30 * DAY_MS;

type Parts = Omit<PlatformStatus, 'generatedAt' | 'status' | 'services'>;

/** Reads each part separately: a part that fails is null, and the rest of the page is still served. */
export function createStatusPage(
  deps: StatusPageDeps & { readonly clock: Clock },
  health: () => Promise<Health>,
): () => Promise<PlatformStatus> {
  const { clock, postgres, evidenceRoots } = deps;
  const kept = <T>(load: () => Promise<T>) =>
    keepValue({ clock, freshMs: FRESH_MS, staleMs: STALE_MS, load });
  const freshness = kept(deps.freshness);
  const notices = kept(async () => (await listNotices({ postgres, clock })).map(noticeOf));
  const canary = kept(() => readCanary(postgres, clock.now()));
  const roots = evidenceRoots === null ? null : kept(async () => [...(await evidenceRoots())]);
  return async () => {
    const [now, ...parts] = await Promise.all([
      health(),
      orNull(freshness),
      orNull(notices),
      orNull(canary),
      roots === null ? undefined : orNull(roots),
    ]);
    const [fresh, told, sung, evidence] = parts;
    const read: Parts = { freshness: fresh, notices: told, canary: sung };
    return {
      generatedAt: new Date(clock.now()).toISOString(),
      status: now.status,
      services: now.services,
      ...read,
      ...(evidence !== undefined && { evidenceRoots: evidence }),
    };
  };
}

const orNull = async <T>(read: () => Promise<T>): Promise<T | null> => {
  try {
    return await read();
  } catch {
    return null;
  }
};

async function readCanary({ db }: Postgres, nowMs: number): Promise<CanaryProbe[]> {
  const figures = await selectFigures(db, nowMs - DAY_MS);
  const shares = await selectShares(db, nowMs - SHARE_MS);
  return figures.map((each) => {
    const days = shares.find(({ probe }) => probe === each.probe);
    return probeOf(each, days, nowMs);
  });
}

/** The state of a probe by its newest result. */
export function probeOf(
  { probe, lastAtMs, hasPassed, p50Ms, p99Ms, samples }: ProbeFigures,
  days: { readonly runs: number; readonly passed: number } | undefined,
  nowMs: number,
): CanaryProbe {
  const isSilent = nowMs - lastAtMs > SILENT_MS;
  return {
    id: probe,
    status: isSilent ? 'silent' : hasPassed ? 'passing' : 'failing',
    lastAt: new Date(lastAtMs).toISOString(),
    p50Ms,
    p99Ms,
    samples,
    share30d:
      days === undefined || days.runs === 0
        ? null
        : Math.floor((days.passed / days.runs) * 100_000) / 100_000,
  };
}
