import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mergeSettings, type SettingsPlaces, type Values } from '../server/launch/settings-files.ts';
import { singleHostUrls } from '../server/src/platform/postgres-hosts.ts';
import { StartError } from './start-error.ts';

export const DEFAULT_POSTGRES = 'postgres://postgres:postgres@127.0.0.1:5432/assay';
export const DEFAULT_REDIS = 'redis://127.0.0.1:6379';
const DATABASE = 'assay';
const SECRET_BYTES = 32;
const PASSWORD_BYTES = 24;
const LOGIN_CHARS_MAX = 63;

/** The login that owns the tables, and where it comes from. */
export type Owner =
  | { readonly url: string; readonly from: 'operator' | 'earlier start'; readonly setting: string }
  | { readonly url: string; readonly from: 'default' };

const OWNER_SETTINGS = ['MIGRATE_DATABASE_URL', 'DATABASE_URL'] as const;

/**
 * The login that creates the database, its tables and the logins of the service: MIGRATE_DATABASE_URL or else
 * DATABASE_URL of the operator, then the one that an earlier start used, then the usual server of this machine.
 */
export function findOwner({ environment, written, generated, generatedFile }: SettingsPlaces): Owner {
  const given = mergeSettings([environment, written]);
  for (const setting of OWNER_SETTINGS) {
    const url = settingOf(given, setting);
    if (url !== undefined) return { url: withDatabase(url, setting), from: 'operator', setting };
  }
  const used = generated.MIGRATE_DATABASE_URL;
  if (used !== undefined && used !== '')
    return { url: used, from: 'earlier start', setting: `MIGRATE_DATABASE_URL in ${generatedFile}` };
  return { url: DEFAULT_POSTGRES, from: 'default' };
}

/** The value of a setting or of the file that NAME_FILE names. */
function settingOf(given: Values, name: string): string | undefined {
  const file = given[`${name}_FILE`];
  if (given[name] !== undefined || file === undefined) return given[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartError(
      `${name}_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

function withDatabase(text: string, setting: string): string {
  if (singleHostUrls(text).length > 1)
    throw new StartError(
      `${setting} names several hosts, and npm start sets up one server. Use npm run migrate, npm run api and npm run worker (docs/operating/failover.md).`,
    );
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new StartError(
      `${setting} is not a connection string such as postgres://USER:PASSWORD@127.0.0.1:5432/assay.`,
    );
  if (url.pathname === '' || url.pathname === '/') url.pathname = `/${DATABASE}`;
  return url.href;
}

/** The connection strings of the service, with the login of the owner where the logins of the service were generated. */
export type Connections = {
  readonly DATABASE_URL: string;
  readonly SYSTEM_DATABASE_URL: string | undefined;
  readonly MIGRATE_DATABASE_URL: string | undefined;
};

/** Those that the operator set beside MIGRATE_DATABASE_URL, else logins of their own on the server of the owner. */
export function serviceConnections(owner: string, places: SettingsPlaces): Connections {
  const { environment, written, generated } = places;
  const given = mergeSettings([environment, written]);
  const chosen = settingOf(given, 'DATABASE_URL');
  if (chosen !== undefined && settingOf(given, 'MIGRATE_DATABASE_URL') !== undefined)
    return {
      DATABASE_URL: chosen,
      SYSTEM_DATABASE_URL: settingOf(given, 'SYSTEM_DATABASE_URL'),
      MIGRATE_DATABASE_URL: undefined,
    };
  return {
    DATABASE_URL: loginUrl(owner, 'app', generated.DATABASE_URL),
    SYSTEM_DATABASE_URL: loginUrl(owner, 'system', generated.SYSTEM_DATABASE_URL),
    MIGRATE_DATABASE_URL: owner,
  };
}

/** Logins belong to the whole server, so those of another database than `assay` have its name. */
function loginUrl(owner: string, role: 'app' | 'system', before: string | undefined): string {
  const url = new URL(owner);
  const database = decodeURIComponent(url.pathname.slice(1));
  const suffix = `_${role}_login`;
  const prefix = database
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .replace(/^(?=\d)/, '_');
  url.username = `${prefix.slice(0, LOGIN_CHARS_MAX - suffix.length)}${suffix}`;
  url.password = URL.parse(before ?? '')?.password || newPassword();
  return url.href;
}

export const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('hex');
const newSecret = (): string => `1:${randomBytes(SECRET_BYTES).toString('hex')}`;

/**
 * The content of `assay.env`: what was generated and no place before it has. A Redis that the environment of this start
 * names is in it too, so that the next start and commands in another terminal find it.
 */
export function valuesToKeep(places: SettingsPlaces, connections: Connections): Values {
  const { environment, written, generated } = places;
  const given = mergeSettings([environment, written]);
  const secret = (name: 'SECRET_KEY' | 'KEY_PEPPER') =>
    generated[name] ?? (settingOf(given, name) === undefined ? newSecret() : undefined);
  const isGenerated = connections.MIGRATE_DATABASE_URL !== undefined;
  return {
    SECRET_KEY: secret('SECRET_KEY'),
    KEY_PEPPER: secret('KEY_PEPPER'),
    ...(isGenerated ? connections : {}),
    REDIS_URL: settingOf(environment, 'REDIS_URL') || generated.REDIS_URL,
  };
}

/** The Redis of the operator, else the one that an earlier start used; undefined for the usual one of this machine. */
export const redisOf = ({ environment, written, generated }: SettingsPlaces): string | undefined =>
  settingOf(mergeSettings([environment, written]), 'REDIS_URL') ?? (generated.REDIS_URL || undefined);
