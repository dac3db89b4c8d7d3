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

function defaultOf(schema: z.ZodType): string | null {
  const def = schema.def as { type: string; defaultValue?: unknown };
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
  return `# Written by \`npm run docs\` from the configuration schema; do not edit. Every variable has a default that works
# on a laptop; uncomment what differs. NAME_FILE may hold the path of a file with the value instead.

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

The npm scripts, \`npm start\` and the units of systemd read three places, and the first that has a setting wins: the environment,
\`.env\` in the root of the project (\`.env.example\` lists all settings), and \`assay.env\` in the data folder, where \`npm start\`
writes the secrets that it generates. A place that sets \`DATABASE_URL\` hides the other two connection strings of later places,
so that those of two databases are never mixed. Only \`npm run migrate\` and \`npm start\` use \`MIGRATE_DATABASE_URL\`. Containers
read the environment alone ([compose](compose.md)).

Any variable may come from a file: set \`NAME_FILE\` to a path, and the trimmed content of that file is the value of
\`NAME\` (for example \`SECRET_KEY_FILE=/run/secrets/secret_key\`). A variable set directly wins over its file.

The development values of \`SECRET_KEY\` and \`KEY_PEPPER\` are refused when \`ASSAY_ENV=production\`.

| Variable | Default | Meaning |
| --- | --- | --- |
${rows.map((row) => `${row}\n`).join('')}`;
}
