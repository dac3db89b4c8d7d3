import type { FastifyInstance } from 'fastify';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { NO_SIGNAL_BOOK } from '#capabilities/signals/index.ts';
import { keepStandings, type StandingDeps } from '#capabilities/standing/index.ts';
import { openTaxii, rebuildCollections, recordCollections, taxiiRoutes } from '#capabilities/taxii/index.ts';
import { keepCollections } from '#capabilities/taxii/keep-collections.ts';
import type { Pull } from '#capabilities/taxii/serve-page.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Route } from '#platform/http/route.ts';
import { connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { PATIENT } from './database.ts';
import { CALLER, recordedGates, testApp } from './http-app.ts';
import { type ListedCorpus, openListedCorpus } from './listed-corpus.ts';
import { publicationsOf } from './publications.ts';

export const TAXII = 'application/taxii+json;version=2.1';
export const STIX = 'application/stix+json;version=2.1';

export type TaxiiObject = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly created: string;
  readonly modified: string;
  readonly valid_until?: string;
};
export type TaxiiPage = {
  readonly objects: readonly TaxiiObject[];
  readonly more: boolean;
  readonly next?: string;
  readonly headers: Readonly<Record<string, unknown>>;
};

export type TaxiiRig = ListedCorpus & {
  readonly judge: StandingDeps;
  readonly postgres: Postgres;
  readonly app: FastifyInstance;
  readonly pulls: readonly Pull[];
  caller: Principal;
  /** Judges standings and brings the collections up to date, as the worker does. */
  readonly keep: () => ReturnType<typeof keepCollections>;
  readonly rebuild: () => ReturnType<typeof keepCollections>;
  readonly page: (path: string, accept?: string) => Promise<TaxiiPage>;
  /** The objects of all pages, without identities; each page has the given limit. */
  readonly walk: (path: string, options?: WalkOptions) => Promise<readonly TaxiiObject[]>;
};
export type WalkOptions = {
  readonly accept?: string;
  readonly limit?: () => number;
  readonly query?: string;
  readonly between?: () => Promise<unknown>;
};

export const SHARED_ROOT = '/taxii/api-root/collections';

/** The shared collections over a corpus of the test, with routes of the same process. */
export async function openTaxiiRig(
  startMs: number,
  options: {
    readonly order?: 'accept' | 'newest';
    readonly audience?: 'public' | 'internal';
    /** Objects that are written in one transaction. */
    readonly rowsPerBatch?: number;
    readonly routes?: (postgres: Postgres, clock: ListedCorpus['clock']) => readonly Route[];
  } = {},
): Promise<TaxiiRig> {
  const listed = await openListedCorpus(startMs);
  const { clock, system } = listed;
  const judge: StandingDeps = {
    corpus: listed.corpus,
    enrichment: { book: () => EMPTY_BOOK },
    signals: { book: () => NO_SIGNAL_BOOK },
    clock,
    refresh: () => listed.built.replica.refresh(),
  };
  const postgres = connectPostgres(
    { DATABASE_URL: listed.databaseUrl, POSTGRES_POOL_MAX: 4 },
    'assay_app',
    PATIENT,
  );
  const pulls: Pull[] = [];
  const taxii = openTaxii({
    clock,
    postgres,
    secrets: createSecrets(`1:${'a'.repeat(64)}`),
    order: options.order ?? 'accept',
    notePull: (pull) => pulls.push(pull),
    publications: publicationsOf({ postgres, system }, clock),
  });
  const rig = { caller: CALLER };
  const app = testApp([...taxiiRoutes(taxii), ...(options.routes?.(postgres, clock) ?? [])], {
    gates: recordedGates({ identify: () => rig.caller }).gates,
  });
  let runs = 0;
  const follow = () => {
    runs += 1;
    return {
      run: `run-${runs}`,
      transaction: system.transaction,
      rowsPerBatch: options.rowsPerBatch ?? 5_000,
    };
  };
  const deps = { judge, audience: options.audience ?? ('public' as const) };
  const sync = async (how: typeof keepCollections) => {
    await keepStandings(judge, follow());
    return recordCollections({ clock, transaction: system.transaction }, () => how(deps, follow()));
  };
  const page = async (path: string, accept = TAXII): Promise<TaxiiPage> => {
    const answer = await app.inject({ url: path, headers: { accept } });
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`);
    return { ...answer.json(), headers: answer.headers };
  };
  return Object.assign(rig, listed, {
    judge,
    postgres,
    app,
    pulls,
    keep: () => sync(keepCollections),
    rebuild: () => sync(rebuildCollections),
    page,
    walk: (path: string, walking: WalkOptions = {}) => walkAll(page, path, walking),
    close: async () => {
      await app.close();
      await postgres.close();
      await listed.close();
    },
  });
}

const PAGES_MAX = 10_000;

async function walkAll(
  page: TaxiiRig['page'],
  path: string,
  { accept = TAXII, limit = () => 1_001, query = '', between }: WalkOptions,
): Promise<readonly TaxiiObject[]> {
  const objects: TaxiiObject[] = [];
  let next = '';
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const got = await page(`${path}?limit=${limit()}${query}${next}`, accept);
    objects.push(...got.objects.filter(({ type }) => type !== 'identity'));
    if (!got.more) return objects;
    next = `&next=${encodeURIComponent(got.next ?? '')}`;
    await between?.();
  }
  throw new Error(`A walk of ${path} did not end after ${PAGES_MAX} pages.`);
}
