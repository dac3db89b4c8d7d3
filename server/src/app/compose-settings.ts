import { SENSITIVE_SETTINGS, type Setting } from '#platform/sensitive-settings.ts';

const ENGINES = 'The connection string is built from a password in .env';
const CONTAINER =
  'The container listens on its own address. Use API_BIND for the address and port on the host.';
const METRICS =
  'Metrics are served inside the private network only, where the health check of the worker reads them.';

/** Settings with the same value in every deployment of compose.yaml. */
const FIXED: Readonly<Partial<Record<Setting, string>>> = {
  DATABASE_URL: `${ENGINES}: APP_PASSWORD.`,
  SYSTEM_DATABASE_URL: `${ENGINES}: SYSTEM_PASSWORD.`,
  MIGRATE_DATABASE_URL: `${ENGINES}: POSTGRES_PASSWORD.`,
  REDIS_URL: `${ENGINES}: REDIS_PASSWORD.`,
  REDIS_PREFIX: 'This Redis belongs to the deployment, and its user may use the keys of assay: only.',
  DATA_DIR: 'The data folder is a volume, mounted at /data.',
  HTTP_HOST: CONTAINER,
  HTTP_PORT: CONTAINER,
  METRICS_HOST: METRICS,
  METRICS_PORT: METRICS,
  WEB_DIR: 'The dashboard is part of the image.',
};

/** Settings that compose.demo.yaml fixes in addition. */
const DEMO_FIXED: Readonly<Partial<Record<Setting, string>>> = {
  DEMO: 'The data of the demonstration is invented, and the dashboard always says so.',
  FEEDS_ENABLED: 'The publisher of the sample lists ends with the seeding, so nothing can be fetched again.',
};

/** Settings without which compose does not start; deploy/prepare-env.sh writes them. */
const REQUIRED: ReadonlySet<string> = new Set<Setting>(['SECRET_KEY', 'KEY_PEPPER']);

/** Defaults of the compose file where the default of the schema is made for a laptop. */
const DEFAULTS: Readonly<Partial<Record<Setting, string>>> = {
  ASSAY_ENV: 'production',
  ADMIN_HOST: '0.0.0.0',
};

/** One person tries everything in the demonstration, where the public limits protect against strangers. */
const DEMO_DEFAULTS: typeof DEFAULTS = {
  LIVE_PROVIDERS: 'none',
  PUBLIC_PER_MINUTE: '100000',
  ANON_PER_HOUR: '100000',
  ANON_PER_MONTH: '1000000',
  AUTH_FAILURES_PER_MINUTE: '1000',
};

/** What a compose file fixes, with the reasons, and the defaults that it has of its own. */
export type ComposeFile = {
  readonly fixed: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, string>>;
};
export const COMPOSE: ComposeFile = { fixed: FIXED, defaults: DEFAULTS };
export const DEMO_COMPOSE: ComposeFile = {
  fixed: { ...FIXED, ...DEMO_FIXED },
  defaults: { ...DEFAULTS, ...DEMO_DEFAULTS },
};

/** A file with the value is passed on for optional credentials only, because each file has to be mounted as well. */
const hasFile = (name: string): boolean =>
  !REQUIRED.has(name) && (SENSITIVE_SETTINGS[name as Setting] === 'secret' || name === 'SMTP_URL');

/** The sentence about a name in UNUSED_SETTINGS. */
export function reasonOf(name: string): string {
  const setting = name.replace(/_FILE$/, '');
  const fixed = DEMO_COMPOSE.fixed[name] ?? DEMO_COMPOSE.fixed[setting];
  if (fixed !== undefined) return fixed;
  return REQUIRED.has(setting)
    ? `The compose file needs ${setting} itself, which deploy/prepare-env.sh writes.`
    : `The compose file passes on files of secrets only. Set ${setting} itself.`;
}

/** The rows of the table of fixed settings in docs/operating/compose.md. */
export function renderFixedSettings(): string[] {
  const rows = [
    ...Object.entries(FIXED),
    ...Object.entries(DEMO_FIXED).map(([name, reason]) => [name, `With compose.demo.yaml only. ${reason}`]),
  ];
  return [
    '',
    '| Setting | Why `.env` does not change it |',
    '| --- | --- |',
    ...rows.map(([name, reason]) => `| \`${name}\` | ${reason} |`),
    '',
  ];
}

/** The lines of the environment that pass each setting of `.env` on. */
export function renderPassedSettings(names: readonly string[], { fixed, defaults }: ComposeFile): string[] {
  return names.flatMap((name) => {
    if (name in fixed) return [];
    if (REQUIRED.has(name))
      return [`${name}: "\${${name}:?run deploy/prepare-env.sh, which writes ${name} to .env}"`];
    const line = `${name}: "\${${name}:-${defaults[name] ?? ''}}"`;
    return hasFile(name) ? [line, `${name}_FILE: "\${${name}_FILE:-}"`] : [line];
  });
}

const WIDTH = 108;

/** The variable with the names of settings that `.env` sets and the compose file does not use. */
export function renderUnusedSettings(names: readonly string[], { fixed }: ComposeFile): string[] {
  const watched = names.flatMap((name) => [
    ...(name in fixed ? [name] : []),
    ...(hasFile(name) && !(name in fixed) ? [] : [`${name}_FILE`]),
  ]);
  const lines = ['UNUSED_SETTINGS: >-'];
  let line = ' ';
  for (const name of watched) {
    const word = ` \${${name}:+${name}}`;
    if (line.length + word.length > WIDTH && line.trim() !== '') {
      lines.push(line);
      line = ' ';
    }
    line += word;
  }
  return [...lines, line];
}
