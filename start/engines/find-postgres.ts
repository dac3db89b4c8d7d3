import { userInfo } from 'node:os';
import { newPassword, type Owner } from '../connections.ts';
import { StartError } from '../start-error.ts';
import { examinePostgres, POSTGRES_VERSION_MIN } from './postgres-server.ts';

/** A login that `npm start` proposes where the usual one needs a password. */
const PROPOSED_LOGIN = 'assay_owner';
/** SQLSTATEs of a login that is not let in: a wrong password, an unknown login, a rule of pg_hba.conf. */
const REFUSED: ReadonlySet<string> = new Set(['28P01', '28000']);

export type FoundPostgres =
  | { readonly owner: string }
  /** Nothing answers at the default address. */
  | { readonly owner: null }
  /** The server lets no login in that needs no choice of the operator: the owner to use once it was created. */
  | { readonly owner: string; readonly command: string };

/** Finds the server and checks that its login may do what a start needs. Each problem is a sentence that says what to do. */
export async function findPostgres(owner: Owner): Promise<FoundPostgres> {
  const { url } = owner;
  const setting = owner.from === 'default' ? null : owner.setting;
  const candidates = setting === null ? [url, asUserOfSystem(url)] : [url];
  for (const candidate of candidates)
    try {
      const facts = await examinePostgres(candidate);
      refuseUnfit(candidate, setting, facts);
      return { owner: candidate };
    } catch (error) {
      if (error instanceof StartError) throw error;
      if (!isRefusal(error)) return absent(candidate, setting, error);
    }
  const isProposed = owner.from === 'earlier start' && new URL(url).username === PROPOSED_LOGIN;
  if (setting !== null && !isProposed)
    throw new StartError(
      `PostgreSQL on ${new URL(url).host} refuses the login '${userOf(url)}': the password is missing or wrong, or pg_hba.conf does not let it in. Correct ${setting}.`,
    );
  return propose(isProposed ? url : proposedOwner(url));
}

/** The driver itself refuses to answer a question for a password that it has not got. */
const isRefusal = (error: unknown): boolean =>
  REFUSED.has(String((error as { code?: unknown }).code)) ||
  /password must be/.test((error as Error).message);

/** PostgreSQL of Homebrew has a superuser with the name of the person, and none called postgres. */
function asUserOfSystem(url: string): string {
  const own = new URL(url);
  own.username = userInfo().username;
  own.password = '';
  return own.href;
}

function refuseUnfit(
  url: string,
  setting: string | null,
  { version, mayCreate }: { readonly version: number; readonly mayCreate: boolean },
): void {
  const named = setting ?? 'DATABASE_URL';
  if (version < POSTGRES_VERSION_MIN)
    throw new StartError(
      `PostgreSQL on ${new URL(url).host} is version ${Math.floor(version / 10_000)}; Assay needs 15 or newer. Install a newer one (https://www.postgresql.org/download/), or name another server in ${named}.`,
    );
  if (!mayCreate)
    throw new StartError(
      `The PostgreSQL login '${userOf(url)}' may not create databases and roles, which npm start has to do. Allow it with: alter role ${userOf(url)} createdb createrole. Or name a login that may in MIGRATE_DATABASE_URL.`,
    );
}

function absent(url: string, setting: string | null, error: unknown): FoundPostgres {
  if (setting === null) return { owner: null };
  throw new StartError(
    `PostgreSQL does not answer on ${new URL(url).host} (${reasonOf(error)}). Start it, or correct ${setting}.`,
  );
}

export function reasonOf(error: unknown): string {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: readonly Error[] };
  return message || errors?.[0]?.message || code || 'no answer';
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username);

function proposedOwner(url: string): string {
  const owner = new URL(url);
  owner.username = PROPOSED_LOGIN;
  owner.password = newPassword();
  return owner.href;
}

function propose(owner: string): FoundPostgres {
  const { password } = new URL(owner);
  // Two statements: where an earlier start proposed the login, the first one fails and the second sets the password.
  const statements = [
    `create role ${PROPOSED_LOGIN} login createdb createrole`,
    `alter role ${PROPOSED_LOGIN} password '${password}'`,
  ];
  const asPostgres =
    process.platform === 'darwin'
      ? 'psql postgres'
      : process.getuid?.() === 0
        ? 'runuser -u postgres -- psql'
        : 'sudo -u postgres psql';
  return { owner, command: `${asPostgres} ${statements.map((sql) => `-c "${sql}"`).join(' ')}` };
}
