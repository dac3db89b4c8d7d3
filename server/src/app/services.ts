import { type Access, callerOf, type SessionRoutesDeps } from '#capabilities/access/index.ts';
import { type AccountsDeps, openAccounts } from '#capabilities/accounts/index.ts';
import type { AnalyticsDeps } from '#capabilities/analytics/index.ts';
import type { AssistantDeps } from '#capabilities/assistant/index.ts';
import { type BillingDeps, openBilling } from '#capabilities/billing/index.ts';
import type { BlocklistsDeps } from '#capabilities/blocklists/index.ts';
import type { BulkDeps } from '#capabilities/bulk/index.ts';
import { readEvidenceRoots } from '#capabilities/cases/index.ts';
import {
  type CheckDeps,
  checkAsOf,
  createCheck,
  judgePast,
  type StreamMarkDeps,
} from '#capabilities/check/index.ts';
import {
  type ContactsDeps,
  createContactSummaries,
  isDisposableDomain,
} from '#capabilities/contacts/index.ts';
import { type ContextPagesDeps, createFamilyWords } from '#capabilities/context-pages/index.ts';
import { openCorpus } from '#capabilities/corpus/index.ts';
import type { CveDeps } from '#capabilities/cve/index.ts';
import { describeDatasets } from '#capabilities/datasets/index.ts';
import { type FactorRoutesDeps, openFactorRoutes } from '#capabilities/factors/index.ts';
import { countFreshness, type FeedsDeps, keepDataHealth } from '#capabilities/feeds/index.ts';
import { type FormsDeps, openSubscribers } from '#capabilities/forms/index.ts';
import type { HistoryDeps } from '#capabilities/history/index.ts';
import { type Assessor, createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import type { Letters } from '#capabilities/letters/index.ts';
import type { LookupsDeps } from '#capabilities/lookups/index.ts';
import type { MailDeps, ScanUsage } from '#capabilities/mail/index.ts';
import { createMeterGates, type Meter } from '#capabilities/metering/index.ts';
import type { MmdbDeps } from '#capabilities/mmdb/index.ts';
import { countWatched, isWatched } from '#capabilities/monitoring/index.ts';
import { createCountListed, type NetworkDeps } from '#capabilities/network/index.ts';
import type { OnboardingDeps } from '#capabilities/onboarding/index.ts';
import { countToday, openOwnWords } from '#capabilities/org-indicators/index.ts';
import type { OrganizationRoutesDeps } from '#capabilities/organizations/index.ts';
import { type PasswordsDeps, reportCorpora } from '#capabilities/passwords/index.ts';
import type { Publications } from '#capabilities/publications/index.ts';
import { createClaimedDomains, type RansomwareDeps } from '#capabilities/ransomware/index.ts';
import type { ReportsDeps } from '#capabilities/reports/index.ts';
import type { SearchDeps } from '#capabilities/search/index.ts';
import { openSsoRoutes, type SsoRoutesDeps } from '#capabilities/sso/index.ts';
import { type StatusRoutesDeps, tellContactAge } from '#capabilities/status/index.ts';
import { createStorageGate, tellStorage } from '#capabilities/storage/index.ts';
import { STREAM_POLICY, type StreamDeps } from '#capabilities/stream/index.ts';
import { openTaxii, type TaxiiDeps } from '#capabilities/taxii/index.ts';
import type { MeterMonth, RequestCounts, UsageDeps } from '#capabilities/usage/index.ts';
import { readWeightsState } from '#capabilities/weights/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { forbidden } from '#platform/errors.ts';
import type { Gates } from '#platform/http/gates.ts';
import type { Principal } from '#platform/http/principal.ts';
import { createReadiness, type Readiness } from '#platform/http/readiness.ts';
import type { Log } from '#platform/log.ts';
import { pingPostgres } from '#platform/postgres.ts';
import { createReplicaContact } from '#platform/replica/contact.ts';
import { createSecrets } from '#platform/secrets.ts';
import { type AccountServices, accountDeps } from './account-deps.ts';
import { namedDatasets } from './all-datasets.ts';
import { assistantDeps } from './assistant-deps.ts';
import { openBillingProvider } from './open-billing.ts';
import { type OpenParts, openParts } from './open-parts.ts';
import { publicationData } from './publication-data.ts';
import { ransomwareDeps } from './ransomware-deps.ts';
import { weightsData } from './weights-data.ts';

/** The parts of a listener. Routes take only the parts they name. */
export type Services = AccountServices & {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly readiness: Readiness;
  readonly gates: Gates;
  readonly access: Access;
  readonly session: SessionRoutesDeps;
  readonly accounts: AccountsDeps;
  readonly factors: FactorRoutesDeps;
  readonly organizations: OrganizationRoutesDeps;
  readonly sso: SsoRoutesDeps;
  readonly check: CheckDeps & StreamMarkDeps;
  readonly bulk: BulkDeps;
  readonly network: NetworkDeps;
  readonly lookups: LookupsDeps;
  readonly ransomware: RansomwareDeps;
  readonly contacts: ContactsDeps;
  readonly search: SearchDeps;
  readonly mail: MailDeps;
  readonly letters: Letters;
  readonly forms: FormsDeps;
  readonly assistant: AssistantDeps;
  readonly history: HistoryDeps;
  readonly contextPages: ContextPagesDeps;
  readonly feeds: FeedsDeps;
  readonly cve: CveDeps;
  readonly passwords: PasswordsDeps;
  readonly analytics: AnalyticsDeps;
  readonly reports: ReportsDeps;
  readonly blocklists: BlocklistsDeps;
  readonly mmdb: MmdbDeps['mmdb'];
  readonly publications: Publications;
  readonly stream: StreamDeps;
  readonly taxii: TaxiiDeps;
  readonly usage: UsageDeps;
  readonly billing: BillingDeps;
  readonly onboarding: OnboardingDeps;
  readonly counts: RequestCounts;
  readonly meter: Meter;
  readonly status: StatusRoutesDeps;
  /** Closes everything in reverse order. */
  readonly close: () => Promise<void>;
};

/** The composition root: creates the dependencies of every capability once. */
export async function createServices(config: Config, log: Log, clock: Clock): Promise<Services> {
  const parts = await openParts(config, log, clock);
  const { postgres, access, meter, guard, enrichment, signals, weights, live } = parts;
  const readiness = createReadiness();
  const contact = createReplicaContact(
    [parts.keys, parts.listings, parts.organizations],
    clock,
    config.REPLICA_STALE_MS,
  );
  const corpus = openCorpus(parts.listings);
  const own = openOwnWords(parts.organizations);
  const judging = { corpus, misses: createMissCache(clock), clock, enrichment, signals, weights, own };
  const assess = createAssessor(judging);
  const replay = { postgres, clock, enrichment, signals, weights };
  const { providers } = live;
  const claimed = createClaimedDomains({ clock, postgres });
  const check: Services['check'] = {
    ...judging,
    claimsOn: claimed.on,
    secrets: createSecrets(config.SECRET_KEY),
    assess,
    passwords: parts.passwords,
    asOf: (...asked) => checkAsOf(replay, ...asked),
    past: (indicator, days) => judgePast(replay, indicator, days),
    live: live.contexts,
    liveBudgetMs: config.LIVE_BUDGET_MS,
    observations: providers.observations,
  };
  const onCorpus = { assess, corpus, clock, providers };
  const contacts = { ...onCorpus, check: createCheck(check).check };
  const search = { postgres, assess };
  const ransomware = ransomwareDeps(parts, corpus, clock);
  const session = sessionDeps(parts);
  const feeds = feedsDeps(parts, clock, config.DEMO);
  return {
    config,
    log,
    clock,
    readiness,
    access,
    session,
    ...peopleDeps(config, parts, { clock, session, assess }),
    ...organizationsDeps(config, parts, { clock, log, session }),
    meter,
    gates: tellContactAge(contact, {
      identify: access.identify,
      idempotent: access.idempotent,
      admitStored: createStorageGate(access),
      ...createMeterGates({ meter, guard, config, clock }),
    }),
    check,
    history: { ...replay, isWatched: (...asked) => isWatched({ postgres }, ...asked) },
    ...pagesDeps(parts, { corpus, assess, clock }),
    lookups: { providers, clock, reachesIntelOwl: live.reachesIntelOwl },
    ransomware,
    contacts,
    search,
    mail: { ...onCorpus, threads: parts.mail, scansOf: (asker) => scansOf(meter, asker) },
    assistant: assistantDeps({ config, log, outbound: live.services, contacts, search, ransomware }),
    bulk: { clock, assess, contacts: createContactSummaries({ corpus, clock }), callerOf },
    feeds,
    cve: { clock, postgres, facts: parts.cveFacts },
    passwords: { passwords: parts.passwords },
    analytics: { clock, postgres },
    reports: { clock, postgres: access.postgres },
    ...publishedOf(parts),
    ...accountDeps(parts, { config, log, clock, own, corpus }),
    stream: streamDeps(access, parts.streams),
    taxii: taxiiDeps(config, clock, parts),
    ...usageDeps(parts, { clock, log, config }),
    counts: parts.counts,
    status: statusDeps(parts, { clock, readiness, contact, feeds }),
    close: parts.close,
  };
}

/** What the worker builds and every listener serves. */
const publishedOf = ({
  blocklists,
  mmdb,
  publications,
}: OpenParts): Pick<Services, 'blocklists' | 'mmdb' | 'publications'> => ({ blocklists, mmdb, publications });

/** The freshness report shows the data sets of every capability. */
const feedsDeps = (
  { postgres, access, publications }: OpenParts,
  clock: Clock,
  isDemo: boolean,
): FeedsDeps => ({
  clock,
  postgres: access.postgres,
  otherData: async () => [
    ...(await publications.list()).map(publicationData),
    ...(await reportCorpora(postgres, clock)),
    ...(await describeDatasets({ postgres }, namedDatasets(isDemo))),
    ...weightsData(await readWeightsState(postgres.db), clock.now()),
  ],
});

/** Dependencies of accounts, second factors, letters, and the public forms. */
const peopleDeps = (
  config: Config,
  { postgres, system, access, people, factors: kept, letters, guard, passwords }: OpenParts,
  { assess, clock, session }: Pick<AccountsDeps, 'clock' | 'session'> & { readonly assess: Assessor },
): Pick<Services, 'accounts' | 'factors' | 'letters' | 'forms'> => {
  const factors = openFactorRoutes({ config, clock, session, guard, factors: kept });
  const accounts = openAccounts({
    config,
    clock,
    session,
    people,
    factors: kept,
    factorThrottle: factors.throttle,
    guard,
    passwords,
    sessions: access.sessions,
    canSendLetters: letters.canSendLetters,
    isDisposable: (domain) => isDisposableDomain(assess, domain),
  });
  const secrets = createSecrets(config.SECRET_KEY);
  const publicWebUrl = config.PUBLIC_WEB_URL;
  const subscribers = openSubscribers({ system, clock, letters, secrets, publicWebUrl });
  const forms = { clock, postgres, letters, secrets, subscribers, config };
  return { accounts, factors, letters, forms };
};

const sessionDeps = ({ access, meter, sso }: OpenParts): SessionRoutesDeps => ({
  ...access,
  usageOf: (accountId) => monthOf(meter, accountId),
  admitOwnSignIn: sso.admitOwnSignIn,
});

const pagesDeps = (
  { postgres, live, enrichment, weights }: OpenParts,
  own: Pick<NetworkDeps & ContextPagesDeps, 'corpus' | 'assess'> & { readonly clock: Clock },
): Pick<Services, 'network' | 'contextPages'> => {
  const pages = { ...own, enrichment };
  const { addresses, observations } = live.providers;
  return {
    network: {
      ...pages,
      countListed: createCountListed({ clock: own.clock, postgres }),
      addresses,
      observations,
    },
    contextPages: { ...pages, weights, postgres, wordsOf: createFamilyWords({ clock: own.clock, postgres }) },
  };
};

/** Dependencies of organizations: members and single sign-on. */
const organizationsDeps = (
  config: Config,
  { postgres, teams, letters, guard, sso }: OpenParts,
  own: Pick<SsoRoutesDeps, 'clock' | 'log' | 'session'>,
): Pick<Services, 'organizations' | 'sso'> => ({
  organizations: {
    ...own,
    config,
    postgres,
    guard,
    organizations: teams,
    canSendLetters: letters.canSendLetters,
  },
  sso: openSsoRoutes({
    ...own,
    config,
    guard,
    sso: sso.sso,
    secrets: createSecrets(config.SECRET_KEY),
    publicWebUrl: config.PUBLIC_WEB_URL,
  }),
});

const statusDeps = (
  { postgres, redis, keys, listings, organizations }: OpenParts,
  own: Pick<StatusRoutesDeps, 'clock' | 'readiness' | 'contact'> & { readonly feeds: FeedsDeps },
): StatusRoutesDeps => ({
  ...own,
  page: {
    postgres,
    freshness: () => countFreshness(own.feeds),
    evidenceRoots: () => readEvidenceRoots(postgres),
  },
  data: keepDataHealth(own.feeds),
  database: () => pingPostgres(postgres),
  redis: async () => redis.status().isUp,
  replica: async () => keys.isOpen && listings.isOpen && organizations.isOpen,
});

const usageDeps = (
  { postgres, system, meter, live }: OpenParts,
  { clock, log, config }: Pick<Services, 'clock' | 'log' | 'config'>,
): Pick<Services, 'usage' | 'billing' | 'onboarding'> => ({
  usage: { clock, postgres, monthOf: (principal) => meterMonthOf(meter, principal) },
  billing: {
    provider: openBillingProvider(config, clock, live.services),
    ...openBilling({ clock, log, postgres, system }),
    monthOf: (principal) => meterMonthOf(meter, principal),
    indicatorsToday: (accountId) => countToday({ postgres, clock }, accountId),
    watchedItems: (accountId) => countWatched({ postgres }, accountId),
    storageOf: (accountId, limits) => tellStorage({ postgres }, accountId, limits),
  },
  onboarding: {
    clock,
    postgres,
    accountOf: (principal) => ({
      isOrganization: principal.organizationId !== null,
      indicatorsPerDay: callerOf(principal)?.limits.orgIndicatorsPerDay ?? 0,
    }),
  },
});

const streamsOf = (principal: Principal): number => callerOf(principal)?.limits.streams ?? 0;

/** An open stream ends when its caller may hold fewer streams than at its opening; the caller may open a new one. */
const streamDeps = ({ identify }: Access, streams: StreamDeps['streams']): StreamDeps => ({
  streams,
  limitOf: streamsOf,
  confirm: async (request, opened) => {
    const now = await identify(request, STREAM_POLICY);
    if (now.accountId !== opened.accountId || streamsOf(now) < streamsOf(opened))
      throw forbidden('This stream belongs to another plan or account now.');
  },
});

const taxiiDeps = (
  config: Config,
  clock: Clock,
  { postgres, blocklists, publications }: OpenParts,
): TaxiiDeps =>
  openTaxii({
    clock,
    postgres,
    publications,
    secrets: createSecrets(config.SECRET_KEY),
    order: config.TAXII_ORDER,
    notePull: (pull) => blocklists.pulls.note({ ...pull, kind: 'taxii', variant: 'full' }),
  });

async function monthOf(meter: Meter, accountId: string): Promise<{ checks: number; resetsAtMs: number }> {
  const { checks, period } = await meter.usageOf(accountId);
  return { checks, resetsAtMs: period.endMs };
}

async function scansOf(meter: Meter, principal: Principal): Promise<ScanUsage> {
  const { scans, period } = await meter.usageOf(principal.accountId);
  const caller = callerOf(principal);
  return {
    used: scans,
    limit: caller?.limits.scansPerMonth ?? 0,
    startsAtMs: period.startMs,
    resetsAtMs: period.endMs,
    isSuspended: caller?.status === 'suspended',
  };
}

async function meterMonthOf(meter: Meter, principal: Principal): Promise<MeterMonth> {
  const { checks, scans, period } = await meter.usageOf(principal.accountId);
  const limits = callerOf(principal)?.limits;
  return {
    checks: { used: checks, limit: limits?.checksPerMonth ?? 0 },
    scans: { used: scans, limit: limits?.scansPerMonth ?? 0 },
    resetsAtMs: period.endMs,
  };
}
