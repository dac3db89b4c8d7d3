import type { z } from 'zod';

export type Variable = {
  readonly name: string;
  readonly description: string;
  /** As written in the environment; null without a default. */
  readonly defaultText: string | null;
  readonly allowed: readonly string[];
};

export function variablesOf(environment: z.ZodObject): Variable[] {
  return Object.entries(environment.shape).map(([name, field]) => {
    const schema = field as z.ZodType;
    const description = schema.description;
    if (description === undefined) throw new Error(`${name} needs a .describe() text.`);
    return { name, description, defaultText: defaultOf(schema), allowed: allowedBy(schema) };
  });
}

/** Looks below transforms, because their input is what an environment holds. */
function defaultOf(schema: z.ZodType): string | null {
  const def = schema.def as { type: string; defaultValue?: unknown; in?: z.ZodType };
  if (def.in !== undefined) return defaultOf(def.in);
  if (def.type !== 'default') return null;
  return Array.isArray(def.defaultValue) ? def.defaultValue.join(',') : String(def.defaultValue);
}

/** The allowed values of an enumeration, also below defaults and transforms. */
function allowedBy(schema: z.ZodType): readonly string[] {
  const def = schema.def as {
    innerType?: z.ZodType;
    in?: z.ZodType;
    entries?: Readonly<Record<string, string>>;
  };
  if (def.entries !== undefined) return Object.values(def.entries);
  const inner = def.innerType ?? def.in;
  return inner === undefined ? [] : allowedBy(inner);
}

export function renderEnvExample(variables: readonly Variable[]): string {
  const blocks = variables.map(
    ({ name, description, defaultText, allowed }) =>
      `# ${description}${allowed.length > 0 ? ` One of: ${allowed.join(', ')}.` : ''}\n# ${name}=${defaultText ?? ''}\n`,
  );
  return `# The settings of Assay with their defaults. Written by \`npm run docs\` from the configuration schema; do not edit.
#
# Copy the lines that you change to .env (Docker Compose, npm start) or to /etc/assay/assay.env (systemd). For Docker
# Compose, sh deploy/prepare-env.sh writes the first lines of .env; docs/operating/compose.md lists the settings that
# compose.yaml fixes.
#
# An empty value means the default. Put a value with spaces, #, $ or quotes in single quotes. NAME_FILE may hold the path
# of a file with the value of NAME.

${blocks.join('\n')}`;
}

export function renderConfiguration(variables: readonly Variable[]): string {
  const rows = variables.map(
    ({ name, description, defaultText, allowed }) =>
      `| \`${name}\` | ${defaultText === null || defaultText === '' ? '' : `\`${defaultText}\``} | ${description}${
        allowed.length > 0 ? ` One of ${allowed.map((word) => `\`${word}\``).join(', ')}.` : ''
      } |`,
  );
  return `# Configuration

Every environment variable the service reads. Written by \`npm run docs\` from the schema that also checks them at the
start; do not edit. A wrong value stops the start, and all problems are listed at once. An empty variable counts as
absent.

| Started with | Reads | Settings that it does not take from there |
| --- | --- | --- |
| \`npm start\`, \`npm run api\` and the other npm scripts | the environment, \`.env\` in the root of the project, \`assay.env\` in the data folder | none |
| \`docker compose\` | \`.env\` beside \`compose.yaml\`, and the shell, which wins | [those that compose.yaml fixes](compose.md#settings); the log names them at the start |
| systemd | \`/etc/assay/assay.env\`; the worker also \`/etc/assay/worker.env\`; then the same files | none |

The npm scripts, \`npm start\` and the units of systemd take each setting from the first place that has it: the environment,
\`.env\` (\`.env.example\` lists all settings), then \`assay.env\`, where \`npm start\` writes the secrets that it generates. A
place that sets \`DATABASE_URL\` hides the other two connection strings of later places, so that those of two databases are
never mixed. Only \`npm run migrate\` and \`npm start\` use \`MIGRATE_DATABASE_URL\`.

In all of these files, put a value with spaces, \`#\`, \`$\` or quotes in single quotes: \`MAIL_FROM='Assay <no-reply@example.com>'\`.

Any variable may come from a file: set \`NAME_FILE\` to a path, and the trimmed content of that file is the value of
\`NAME\` (for example \`SECRET_KEY_FILE=/run/secrets/secret_key\`). A variable set directly wins over its file. A file that
cannot be read stops the start. With Docker Compose this works for optional credentials only ([compose](compose.md#settings)).

The first line in the log of the API, of the worker and of a replicator run alone names the version and each setting
that differs from its default; \`migrate\` prints the same. Secrets are shown as \`set\`, URLs without user, password and
query. A setting that has no effect is a warning with the reason.

The development values of \`SECRET_KEY\` and \`KEY_PEPPER\` are refused when \`ASSAY_ENV=production\`.

| Variable | Default | Meaning |
| --- | --- | --- |
${rows.map((row) => `${row}\n`).join('')}`;
}
