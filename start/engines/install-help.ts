export type EngineName = 'PostgreSQL' | 'Redis';

type Packaged = {
  readonly package: string;
  /** The name under which the system starts it. */
  readonly service: string;
};
const APT: Readonly<Record<EngineName, Packaged>> = {
  PostgreSQL: { package: 'postgresql', service: 'postgresql' },
  Redis: { package: 'redis-server', service: 'redis-server' },
};
const BREW: Readonly<Record<EngineName, Packaged>> = {
  PostgreSQL: { package: 'postgresql@17', service: 'postgresql@17' },
  Redis: { package: 'redis', service: 'redis' },
};

const aptInstall = (engines: readonly EngineName[], sudo = 'sudo '): string =>
  `${sudo}apt-get install -y ${engines.map((name) => APT[name].package).join(' ')}`;
const brewInstall = (engines: readonly EngineName[]): string =>
  `brew install ${engines.map((name) => BREW[name].package).join(' ')}`;

/** For the demonstration, which starts engines that are installed. */
export function installHelp(engine: EngineName): string {
  const wanted = engine === 'PostgreSQL' ? (['PostgreSQL', 'Redis'] as const) : (['Redis'] as const);
  const what = engine === 'PostgreSQL' ? 'PostgreSQL 15 or newer' : 'Redis 7 or newer (or Valkey)';
  return `${what} is neither running on 127.0.0.1:${engine === 'PostgreSQL' ? 5432 : 6379} nor installed.
  Debian, Ubuntu:  ${aptInstall(wanted)}
  macOS:           ${brewInstall(wanted)}
  Elsewhere:       set DATABASE_URL and REDIS_URL to servers of yours
  With Docker:     docker compose -f compose.yaml -f compose.demo.yaml up --build
Then run this again.`;
}

export type MissingEngine = { readonly name: EngineName; readonly isInstalled: boolean };

/** For `npm start`, which uses running engines: the commands that install and start those that do not answer. */
export function startHelp(
  missing: readonly MissingEngine[],
  system: { readonly platform: NodeJS.Platform; readonly isRoot: boolean },
): string {
  const names = missing.map(({ name }) => name);
  const absent = missing.flatMap(({ name, isInstalled }) => (isInstalled ? [] : [name]));
  const isMac = system.platform === 'darwin';
  const sudo = system.isRoot ? '' : 'sudo ';
  const install = isMac ? brewInstall(absent) : aptInstall(absent, sudo);
  const starts = names.map((name) =>
    isMac ? `brew services start ${BREW[name].service}` : `${sudo}service ${APT[name].service} start`,
  );
  const commands = [...(absent.length === 0 ? [] : [install]), starts.join(' && ')];
  const silent = names.map((name) => `${name} on 127.0.0.1:${name === 'PostgreSQL' ? 5432 : 6379}`);
  return `${silent.join(' and ')} ${names.length === 1 ? 'does' : 'do'} not answer. ${absent.length === 0 ? 'Start' : 'Install and start'} ${names.length === 1 ? 'it' : 'them'}, then run npm start again:

  ${commands.join('\n  ')}

On another system install PostgreSQL 15 or newer and Redis 7 or newer (or Valkey). To use servers elsewhere, set
DATABASE_URL and REDIS_URL in a file named .env in this folder.`;
}
