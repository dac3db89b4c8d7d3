import {
  everyFacet,
  type FacetName,
  type LiveContext,
  type LiveContexts,
  missing,
} from '#capabilities/providers/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { NOBODY_ASKED } from './check-context.ts';

type Landed = { -readonly [F in FacetName]?: LiveContext[F] };

export type FacetBoard = {
  /** Resolves when all named facets have arrived, after `timeMaxMs`, or when the signal aborts. */
  readonly wait: (facets: readonly FacetName[], timeMaxMs: number) => Promise<void>;
  /** The facets so far; the others are `missing: deadline`. */
  readonly now: () => LiveContext;
};

/** Starts all applicable lookups at once. With `live` null it starts none, and `wait` resolves at once. */
export function openBoard(
  live: LiveContexts | null,
  subject: Indicator,
  budgetMs: number,
  signal: AbortSignal,
): FacetBoard {
  if (live === null) return { wait: async () => undefined, now: () => NOBODY_ASKED };
  const landed: Landed = {};
  const waiting = new Set<() => void>();
  const look = () => {
    for (const wake of waiting) wake();
  };
  const whole = live.gather(subject, {
    level: 'full',
    budgetMs,
    signal,
    onFacet: (facet, outcome) => {
      Object.assign(landed, { [facet]: outcome });
      look();
    },
  });
  void whole.then((context) => {
    Object.assign(landed, { ...context, ...landed });
    look();
  });
  return {
    wait: (facets, timeMaxMs) =>
      new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          signal.removeEventListener('abort', finish);
          resolve();
        };
        const wake = () => {
          if (signal.aborted || facets.every((facet) => landed[facet] !== undefined)) finish();
        };
        const timer = setTimeout(finish, Math.max(0, timeMaxMs));
        signal.addEventListener('abort', finish);
        waiting.add(wake);
        wake();
      }),
    now: () => ({ ...TOO_LATE, ...landed }),
  };
}

const LATE = missing('deadline');
const TOO_LATE = everyFacet(LATE);
