import type { Clock } from '#platform/clock.ts';
import { keepValue } from '#platform/kept-value.ts';
import type { Db } from '#platform/postgres.ts';
import {
  describePublication,
  describePublications,
  type PublicationReport,
  type Scoring,
} from './describe-publications.ts';
import type { PublicationName } from './schedule.ts';
import { listPublications } from './store.ts';

/** Why a file is not there, and in how many seconds to ask again. */
export type Missing = { readonly message: string; readonly retryAfterS: number };

/** What the API processes know of the publications. */
export type Publications = {
  /** Those that should be there, for the freshness report and /health. */
  readonly list: () => Promise<readonly PublicationReport[]>;
  /** False before the first build ended. Once true it is remembered, so that it costs no statement. */
  readonly isPublished: (name: PublicationName) => Promise<boolean>;
  /** Why a file is not there, as a sentence, and when the next try begins. */
  readonly whyMissing: (name: PublicationName) => Promise<Missing>;
};

export type PublicationsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly scoring: () => Promise<Scoring>;
};

/** Many callers ask at once for a file that is not there; one of them reads the reason. */
const FRESH_MS = 1_000;
const RETRY_S_MIN = 5;
const JUST_BUILT: Missing = {
  message: 'It was built a moment ago, and this node opens it within ten seconds.',
  retryAfterS: RETRY_S_MIN,
};

export function openPublications({ db, clock, scoring }: PublicationsDeps): Publications {
  const published = new Set<PublicationName>();
  const read = keepValue({
    clock,
    freshMs: FRESH_MS,
    load: async () => ({ publications: await listPublications(db), scoring: await scoring() }),
  });
  return {
    list: async () => {
      const now = await read();
      return describePublications(now.publications, now.scoring, clock.now());
    },
    isPublished: async (name) => {
      if (published.has(name)) return true;
      const { publications } = await read();
      for (const each of publications) if (each.currentAtMs !== null) published.add(each.name);
      return published.has(name);
    },
    whyMissing: async (name) => {
      const { publications, scoring: scored } = await read();
      const found = publications.find((each) => each.name === name);
      if (found === undefined) return JUST_BUILT;
      const { message, nextTryMs } = describePublication(found, scored, clock.now());
      if (message === null) return JUST_BUILT;
      const retryAfterS = Math.max(RETRY_S_MIN, Math.ceil((nextTryMs - clock.now()) / 1_000));
      return { message, retryAfterS };
    },
  };
}
