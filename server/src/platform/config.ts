import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { ACCOUNTS_ENVIRONMENT } from './config-accounts.ts';
import { LINKS_ENVIRONMENT } from './config-links.ts';
import { LIVE_ENVIRONMENT } from './config-live.ts';
import { MAIL_ENVIRONMENT, mailProblems } from './config-mail.ts';
import { billingProblems, OPERATORS_ENVIRONMENT } from './config-operators.ts';
import { OUTBOUND_ENVIRONMENT } from './config-outbound.ts';
import { OUTWARD_ENVIRONMENT } from './config-outward.ts';
import { WEBHOOK_ENVIRONMENT } from './config-webhooks.ts';
import { isPostgresUrl } from './postgres-hosts.ts';
import { DAY_MS, HOUR_MS } from './time-units.ts';

/** Values for development that production refuses (foundation rule 11). */
export const DEVELOPMENT_SECRETS = {
  SECRET_KEY: '1:development-only-secret-key-do-not-use-in-production',
  KEY_PEPPER: '1:development-only-pepper-do-not-use-in-production',
  DATABASE_URL: 'postgres://postgres:postgres@127.0.0.1:5432/assay',
} as const;

const port = z.coerce.number().int().min(0).max(65_535);
const positive = (max: number) => z.coerce.number().int().min(1).max(max);
const postgresUrl = z
  .string()
  .max(4_096)
  .refine(
    isPostgresUrl,
    'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, with at most eight hosts: HOST1:5432,HOST2:5432',
  );
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
/** The key that a publisher gives to registered users. Without it the sources that need it are not fetched. */
const publisherKey = (publisher: string) =>
  z
    .string()
    .max(512)
    .regex(/^[\x21-\x7e]+$/, 'expected printable characters without spaces')
    .optional()
    .describe(`Key of ${publisher}, for the sources of the catalogue that ask for one.`);
/** URLs of reference data; empty until the operator names a publisher whose terms were accepted. */
const referenceUrls = (what: string) =>
  z
    .string()
    .max(8_192)
    .default('')
    .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
    .refine(
      (urls) => urls.length <= 4 && urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? '')),
      'expected at most four http or https URLs, comma-separated',
    )
    .describe(what);
const versionedSecret = z
  .string()
  .max(4_096)
  .regex(
    /^\d+:[^\s,]{32,}(,\d+:[^\s,]{32,})*$/,
    'expected VERSION:SECRET, newest first, comma-separated, each secret at least 32 characters',
  );
const cidrList = z
  .string()
  .max(4_096)
  .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
  .refine((list) => list.every(isCidr), 'expected a comma-separated list of CIDRs such as 10.0.0.0/8');

/** All environment variables of the service. No other module reads process.env. */
export const Environment = z.object({
  ASSAY_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('Production refuses development secrets and requires HTTPS.'),
  DATABASE_URL: postgresUrl
    .default(DEVELOPMENT_SECRETS.DATABASE_URL)
    .describe(
      'PostgreSQL connection string of the service. Its login must not be able to become more than assay_app (and assay_system, unless SYSTEM_DATABASE_URL is set). Several hosts, separated by commas: the one that accepts writes is used (docs/operating/failover.md).',
    ),
  SYSTEM_DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'The same database with the login that works across accounts (role assay_system). Default: DATABASE_URL.',
    ),
  MIGRATE_DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'The same database with the login that owns the tables and may create roles. Only "npm run migrate" reads it; with it, migrate makes the logins of the other two with their passwords.',
    ),
  ALLOW_POWERFUL_LOGIN: flag
    .default(false)
    .describe(
      'Start over a PostgreSQL login that could bypass row-level security. For development and tests; refused in production.',
    ),
  REDIS_URL: z
    .string()
    .max(2_048)
    .regex(/^rediss?(\+cluster)?:\/\/\S+$/)
    .default('redis://127.0.0.1:6379')
    .describe(
      'Redis or Valkey. A cluster: redis+cluster://host1:port1,host2:port2 (any subset of its nodes will do).',
    ),
  REDIS_PREFIX: z
    .string()
    .regex(/^[a-z0-9:_-]{1,64}$/)
    .default('assay')
    .describe('Put before every Redis key, so that deployments can share one server.'),
  REDIS_TIMEOUT_MS: positive(10_000)
    .default(50)
    .describe('How long a request waits for Redis before it goes on without.'),
  DATA_DIR: z
    .string()
    .max(1_024)
    .default('./data')
    .describe(
      'Folder of this node. Its replica and caches are built again when deleted; its breached password data (passwords) exists nowhere else and needs a backup.',
    ),
  HTTP_HOST: z.string().max(255).default('127.0.0.1').describe('Address the API listens on.'),
  HTTP_PORT: port.default(8080).describe('Port the API listens on; 0 picks a free one.'),
  HTTP_PROCESSES: positive(256)
    .optional()
    .describe(
      'API listener processes sharing the port. Default: 2 on Linux with two or more cores, so that callers are answered while one of them starts again; else 1.',
    ),
  SHED_DELAY_FACTOR: positive(100)
    .default(1)
    .describe(
      'Multiplies the event-loop delays at which requests are shed. Raise it where other programs use the same cores.',
    ),
  POSTGRES_WAIT_FACTOR: positive(100)
    .default(1)
    .describe(
      'Multiplies how long a request waits for PostgreSQL (400 ms for a connection, 600 ms for a statement). Raise it where other programs use the same cores.',
    ),
  METRICS_HOST: z.string().max(255).default('127.0.0.1').describe('Address of the Prometheus endpoint.'),
  METRICS_PORT: port
    .default(9464)
    .describe(
      'Port of the Prometheus endpoint of the API, never the public one; the worker takes the next, a replicator run alone the one after.',
    ),
  PUBLIC_API_URL: z.url().default('http://127.0.0.1:8080').describe('Where callers reach the API.'),
  PUBLIC_WEB_URL: z.url().default('http://127.0.0.1:8080').describe('Where browsers reach the dashboard.'),
  WEB_DIR: z
    .string()
    .max(1_024)
    .optional()
    .describe('Folder of the built dashboard (npm run build). Default: web/dist of this repository.'),
  DEMO: flag
    .default(false)
    .describe('Makes the dashboard say that its data is invented. For demonstrations only.'),
  ...OUTWARD_ENVIRONMENT,
  SECRET_KEY: versionedSecret
    .default(DEVELOPMENT_SECRETS.SECRET_KEY)
    .describe(
      'VERSION:SECRET, newest first. Sessions, cursors and stored secrets derive their keys from it.',
    ),
  KEY_PEPPER: versionedSecret
    .default(DEVELOPMENT_SECRETS.KEY_PEPPER)
    .describe('VERSION:SECRET, newest first. API secrets are stored as an HMAC under it.'),
  TRUSTED_PROXIES: cidrList
    .default([])
    .describe('CIDRs whose X-Forwarded-For and X-Forwarded-Proto are trusted. Empty: none.'),
  REQUIRE_HTTPS: flag
    .optional()
    .describe('Refuse plain HTTP reported by a trusted proxy. Default: true in production, else false.'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Log threshold.'),
  POSTGRES_POOL_MAX: positive(1_000).default(8).describe('PostgreSQL connections per process and role.'),
  KEY_STALE_MAX_MS: positive(DAY_MS)
    .default(900_000)
    .describe('After this long without PostgreSQL a node answers 503 to API keys.'),
  REPLICA_STALE_MS: positive(HOUR_MS)
    .default(5_000)
    .describe(
      'After this long without contact of the replicator with PostgreSQL a node asks PostgreSQL about each key, and says so in /readyz, /health and X-Replica-Age.',
    ),
  METER_SHARES: positive(100_000)
    .optional()
    .describe(
      'Divides limits while Redis is unreachable. Default: API processes seen in the last heartbeat.',
    ),
  METER_GRACE_MS: positive(HOUR_MS)
    .default(60_000)
    .describe('How long metered routes answer from local counters while Redis is unreachable.'),
  PUBLIC_PER_MINUTE: positive(1_000_000)
    .default(120)
    .describe('Abuse guard of public routes, per client address, route and minute.'),
  ANON_PER_HOUR: positive(1_000_000)
    .default(10)
    .describe('Calls of a metered route without credentials, per client address, route and hour.'),
  ANON_PER_MONTH: positive(1_000_000)
    .default(50)
    .describe('Calls of a metered route without credentials, per client address, route and calendar month.'),
  UPGRADE_PROMO_CODE: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional()
    .describe('Shown to FREE accounts whose scans are used up. Default: none.'),
  ...LINKS_ENVIRONMENT,
  AUTH_FAILURES_PER_MINUTE: positive(1_000_000)
    .default(100)
    .describe('Wrong credentials tolerated per client address and minute before 429.'),
  ...ACCOUNTS_ENVIRONMENT,
  SHUTDOWN_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(0)
    .describe(
      'How long /readyz answers 503 before the listener closes; at least one load-balancer interval.',
    ),
  FEEDS_ENABLED: flag
    .default(true)
    .describe('Whether the worker fetches the sources of the catalogue. False: lists come by import only.'),
  FEEDS_CONCURRENCY: positive(64)
    .default(2)
    .describe('Sources fetched and merged at once, over all workers.'),
  DISTRIBUTION: z
    .enum(['public', 'internal'])
    .default('public')
    .describe(
      'Who the shared lists are for. public: entries are judged on sources that may be passed on. internal: on all sources.',
    ),
  TAXII_ORDER: z
    .enum(['accept', 'newest'])
    .default('accept')
    .describe(
      'Order of TAXII objects. accept: ascending by date added for clients that accept application/taxii+json, newest first for others. newest: newest first for all.',
    ),
  LIST_MEMORY_MB: positive(1_048_576)
    .default(256)
    .describe(
      'Memory of each listener for shared lists: half for the files, half for other formats of them. What does not fit is read from disk. An address database up to this size is kept in memory beside them while it is downloaded.',
    ),
  REFERENCE_GEO_URL: referenceUrls(
    'Where the worker fetches the MaxMind DB of countries or cities once a day. Empty: it is loaded by hand.',
  ),
  REFERENCE_ASN_URL: referenceUrls(
    'The same for the table of networks; for one in two files (IPv4, IPv6) both URLs, comma-separated.',
  ),
  REFERENCE_ATTACK_URL: referenceUrls('The same for the STIX bundle of enterprise ATT&CK.'),
  REFERENCE_HOSTS_FILE: z
    .string()
    .max(1_024)
    .optional()
    .describe(
      'File of at least 100,000 hosts that your users visit, one per line (plain or gzip), read every night by the worker to learn how right each list is (docs/operating/weights.md). Default: the counts that come with the release.',
    ),
  ABUSE_CH_AUTH_KEY: publisherKey('abuse.ch (ThreatFox, URLhaus, MalwareBazaar)'),
  ABUSEIPDB_KEY: publisherKey('AbuseIPDB'),
  PHISHTANK_KEY: publisherKey('PhishTank'),
  MALSHARE_KEY: publisherKey('MalShare'),
  NVD_API_KEY: publisherKey('NVD, which answers ten times as often with one'),
  CLOUDFLARE_RADAR_TOKEN: publisherKey('Cloudflare Radar'),
  ...MAIL_ENVIRONMENT,
  ...WEBHOOK_ENVIRONMENT,
  ...OUTBOUND_ENVIRONMENT,
  ...OPERATORS_ENVIRONMENT,
  ...LIVE_ENVIRONMENT,
  CLOCK_OFFSET_MS: z.coerce
    .number()
    .int()
    .default(0)
    .describe('Shifts the clock of every process. Honoured only when ASSAY_ENV=test.'),
});

export type Config = Readonly<Omit<z.output<typeof Environment>, 'REQUIRE_HTTPS' | 'HTTP_PROCESSES'>> & {
  readonly REQUIRE_HTTPS: boolean;
  readonly HTTP_PROCESSES: number;
};

/** The listeners of a node without HTTP_PROCESSES. Only Linux balances a shared port. */
export const defaultListeners = (cores: number, platform: NodeJS.Platform): number =>
  platform === 'linux' && cores >= 2 ? 2 : 1;

export class ConfigError extends Error {}

/** Settings that have an effect only when ASSAY_ENV=test, with their values everywhere else. */
export const TEST_ONLY_SETTINGS = {
  CLOCK_OFFSET_MS: 0,
  MAIL_CA_FILE: undefined,
  WEBHOOK_ALLOW: [] as string[],
  WEBHOOK_CA_FILE: undefined,
} as const;

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const parsed = Environment.safeParse(givenSettings(env));
  if (!parsed.success) throw new ConfigError(`Configuration is wrong:\n${z.prettifyError(parsed.error)}`);
  const config = parsed.data;
  const production = config.ASSAY_ENV === 'production';
  const problems = [
    ...(production ? productionProblems(config) : []),
    ...mailProblems(config),
    ...billingProblems(config),
  ];
  if (problems.length > 0)
    throw new ConfigError(`Configuration is wrong:\n${problems.map((problem) => `✖ ${problem}`).join('\n')}`);
  return Object.freeze({
    ...config,
    ...(config.ASSAY_ENV === 'test' ? {} : TEST_ONLY_SETTINGS),
    REQUIRE_HTTPS: config.REQUIRE_HTTPS ?? production,
    HTTP_PROCESSES: config.HTTP_PROCESSES ?? defaultListeners(availableParallelism(), process.platform),
  });
}

function productionProblems(config: z.output<typeof Environment>): readonly string[] {
  const weak = Object.entries(DEVELOPMENT_SECRETS).flatMap(([name, value]) =>
    config[name as keyof typeof DEVELOPMENT_SECRETS] === value ? [name] : [],
  );
  return [
    ...weak.map((name) =>
      name === 'DATABASE_URL'
        ? 'DATABASE_URL still has its development value; set the login and the password of the service'
        : `${name} still has its development value; set your own, e.g. 1:$(openssl rand -hex 32)`,
    ),
    ...(config.ALLOW_POWERFUL_LOGIN ? ['ALLOW_POWERFUL_LOGIN is for development and tests only'] : []),
  ];
}

/**
 * The settings that the environment holds, as texts. `NAME_FILE` holds the path of a file with the value of NAME; an
 * empty variable counts as absent.
 */
export function givenSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(Environment.shape)) {
    const direct = env[name];
    const file = env[`${name}_FILE`];
    if (direct !== undefined && direct !== '') values[name] = direct;
    else if (file !== undefined && file !== '') values[name] = readSettingFile(name, file);
  }
  return values;
}

function readSettingFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(
      `Configuration is wrong:\n✖ ${name}_FILE names ${file}, which cannot be read (${(error as { code?: string }).code}). Give this user permission to read it, or set ${name} itself.`,
    );
  }
}

/** The names that a compose file writes to UNUSED_SETTINGS: settings of .env that it does not pass on. */
export const unusedSettings = (
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] => (env.UNUSED_SETTINGS ?? '').split(/\s+/).filter((name) => name !== '');

function isCidr(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
