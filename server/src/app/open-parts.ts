import { type Access, accessDataset, createAccess } from '#capabilities/access/index.ts';
import { openPeople, type People } from '#capabilities/accounts/index.ts';
import { type Blocklists, openBlocklists } from '#capabilities/blocklists/index.ts';
import { corpusDataset } from '#capabilities/corpus/index.ts';
import { type CveFacts, cveDataset, openCveFacts } from '#capabilities/cve/index.ts';
import { type Enrichment, openEnrichment } from '#capabilities/enrichment/index.ts';
import { type Factors, openFactors } from '#capabilities/factors/index.ts';
import { type Letters, openLetters } from '#capabilities/letters/index.ts';
import { openMail, type ScanThreads } from '#capabilities/mail/index.ts';
import { AddressGuard, type Meter, startMeter } from '#capabilities/metering/index.ts';
import { type Mmdb, openMmdb } from '#capabilities/mmdb/index.ts';
import { listAllowed, organizationsDataset } from '#capabilities/org-indicators/index.ts';
import { type Organizations, openOrganizations } from '#capabilities/organizations/index.ts';
import { openPasswords, type Passwords, reportUses } from '#capabilities/passwords/index.ts';
import type { FindCve } from '#capabilities/providers/index.ts';
import { openPublications, type Publications } from '#capabilities/publications/index.ts';
import { openSignalBooks, type Signals } from '#capabilities/signals/index.ts';
import { openStreams, type Streams } from '#capabilities/stream/index.ts';
import { RequestCounts } from '#capabilities/usage/index.ts';
import { openWeightBooks, type Weights } from '#capabilities/weights/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres, requestLimits } from '#platform/postgres.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import type { Dataset } from '#platform/replica/dataset.ts';
import { openReplica } from '#platform/replica/reader.ts';
import { createSecrets } from '#platform/secrets.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { openLate } from './late-replica.ts';
import { readScoring, withheldEntries } from './open-list-source.ts';
import { type Live, openLive } from './open-live.ts';
import { type OpenSso, openProviders } from './open-sso.ts';
import { watchRole } from './watch-role.ts';

const USAGE_FLUSH_MS = 60_000;

type LateReplica = ReturnType<typeof openLate>;

/** Everything that a process opens once and closes at its end: engines, and capabilities with open resources. */
export type OpenParts = {
  readonly postgres: Postgres;
  /** The pool that sees all accounts. Only code that names the account in every statement may use it. */
  readonly system: Postgres;
  readonly redis: Redis;
  readonly keys: LateReplica;
  readonly listings: LateReplica;
  readonly organizations: LateReplica;
  readonly cves: LateReplica;
  readonly cveFacts: CveFacts;
  readonly access: Access;
  readonly letters: Letters;
  readonly people: People;
  readonly factors: Factors;
  readonly teams: Organizations;
  readonly sso: OpenSso;
  readonly meter: Meter;
  readonly guard: AddressGuard;
  readonly counts: RequestCounts;
  readonly enrichment: Enrichment;
  readonly signals: Signals;
  readonly weights: Weights;
  readonly passwords: Passwords;
  readonly blocklists: Blocklists;
  readonly mmdb: Mmdb;
  readonly publications: Publications;
  readonly streams: Streams;
  readonly live: Live;
  readonly mail: ScanThreads;
  /** Closes everything in reverse order. */
  readonly close: () => Promise<void>;
};

export async function openParts(config: Config, log: Log, clock: Clock): Promise<OpenParts> {
  const postgres = connectPostgres(config, 'assay_app');
  const system = asSystem(config, requestLimits(config), false);
  const stopWatching = await Promise.all([postgres, system].map((each) => watchRole(each, config, log)));
  const redis = await connectRedis({ config, log, clock });
  const open = (dataset: Dataset) =>
    openLate(dataset.name, log, () => openReplica({ dataDir: config.DATA_DIR, dataset, log, clock }));
  const [keys, listings, organizations, cves] = [
    open(accessDataset),
    open(corpusDataset),
    open(organizationsDataset),
    open(cveDataset),
  ];
  const cveFacts = openCveFacts(cves);
  const meter = await startMeter({ redis, system, config, clock, log });
  const guard = new AddressGuard({ redis, config, clock, shares: () => meter.shares });
  const counts = new RequestCounts({ system, clock, log });
  const access = createAccess({ config, clock, postgres, system, replica: keys, guard });
  const artifacts = createArtifacts({ postgres, dataDir: config.DATA_DIR, log, clock });
  const enrichment = await openEnrichment({ postgres, artifacts, dataDir: config.DATA_DIR, log });
  const signals = await openSignalBooks({ postgres, artifacts, dataDir: config.DATA_DIR, log });
  const weights = await openWeightBooks({ postgres, artifacts, dataDir: config.DATA_DIR, log });
  const live = openLive({ config, log, clock, redis, postgres, findCve: findCveIn(cveFacts) });
  const passwords = openPasswords({ dataDir: config.DATA_DIR, log });
  const uses = reportUses({ postgres: system, clock, log, passwords });
  const shared = await openSharedFiles({ config, postgres, system, artifacts, clock, log });
  const streams = openStreams({ config, redis, system, log });
  const mail = openMail(config, log);
  const lastUses = keepLastUses(access, log);
  const persons = openPersons(config, clock, system);
  const sso = openProviders({ config, log, clock, system, letters: persons.letters });
  return {
    postgres,
    system,
    redis,
    keys,
    listings,
    organizations,
    cves,
    cveFacts,
    access,
    ...persons,
    sso,
    meter,
    guard,
    counts,
    enrichment,
    signals,
    weights,
    passwords,
    ...shared,
    streams,
    live,
    mail,
    close: async () => {
      streams.close();
      mail.close();
      for (const stop of stopWatching) stop();
      await uses.stop();
      const { blocklists, mmdb } = shared;
      await closeAll([live, sso, meter, counts, enrichment, signals, weights, passwords, blocklists, mmdb]);
      await lastUses.stop();
      await closeAll([keys, listings, organizations, cves]);
      redis.close();
      await closeAll([postgres, system]);
    },
  };
}

const closeAll = (parts: readonly { readonly close: () => unknown }[]): Promise<unknown> =>
  Promise.all(parts.map((part) => part.close()));

/** Finds a CVE in this node's catalogue; before the catalogue is there, answers go without severities. */
const findCveIn =
  (facts: CveFacts): FindCve =>
  (id) => {
    try {
      const known = facts.find(id);
      return known === undefined ? undefined : { ...known, description: known.summary };
    } catch {
      return undefined;
    }
  };

function openPersons(
  config: Config,
  clock: Clock,
  system: Postgres,
): Pick<OpenParts, 'letters' | 'people' | 'factors' | 'teams'> {
  const letters = openLetters({ config, clock });
  const parts = {
    system,
    clock,
    letters,
    publicWebUrl: config.PUBLIC_WEB_URL,
    defaultPlan: config.DEFAULT_PLAN,
  };
  return {
    letters,
    people: openPeople({ ...parts, pepper: createSecrets(config.KEY_PEPPER) }),
    factors: openFactors({ ...parts, secrets: createSecrets(config.SECRET_KEY) }),
    teams: openOrganizations({
      ...parts,
      invitationsPerDay: config.INVITATIONS_PER_DAY,
      organizationsPerPerson: config.ORGANIZATIONS_PER_PERSON,
      deletedKeptMs: config.DELETED_KEPT_DAYS * DAY_MS,
    }),
  };
}

type SharedListParts = Omit<
  Parameters<typeof openBlocklists>[0],
  'withheld' | 'allowed' | 'config' | 'publications'
> & {
  readonly config: Config;
};

const openSharedFiles = async (
  parts: SharedListParts,
): Promise<Pick<OpenParts, 'blocklists' | 'mmdb' | 'publications'>> => {
  const { config, postgres, system, clock } = parts;
  const publications = openPublications({ db: postgres.db, clock, scoring: () => readScoring(system.db) });
  const mmdb = await openMmdb({ ...parts, memoryMb: config.LIST_MEMORY_MB });
  const blocklists = await openBlocklists({
    ...parts,
    publications,
    withheld: (list, limit) => withheldEntries(postgres.db, list, { audience: config.DISTRIBUTION, limit }),
    allowed: (organizationId, kind) =>
      listAllowed({ postgres, clock }, organizationId, kind === 'addresses' ? 'ip' : 'domain'),
  });
  return { blocklists, mmdb, publications };
};

/** Writes when keys were last used, from time to time and at the end. */
function keepLastUses(access: Access, log: Log): { readonly stop: () => Promise<unknown> } {
  const timer = setInterval(() => {
    access
      .flushUsage()
      .catch((error: unknown) => log.warn({ err: error }, 'last use of keys not written yet'));
  }, USAGE_FLUSH_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return access.flushUsage().catch(() => 0);
    },
  };
}
