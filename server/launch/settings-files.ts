import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';

export type Values = Readonly<Record<string, string | undefined>>;

/** The file in the data folder with the secrets that `npm start` generated. */
export const GENERATED_FILE = 'assay.env';

/** Connection strings that belong to one DATABASE_URL: they never come from a later place than that. */
const OF_ONE_DATABASE: ReadonlySet<string> = new Set(['SYSTEM_DATABASE_URL', 'MIGRATE_DATABASE_URL']);

export type SettingsPlaces = {
  readonly environment: Values;
  /** The settings that an operator wrote to `.env` in the root of the project. */
  readonly written: Values;
  readonly generated: Values;
  readonly generatedFile: string;
};

/** Reads the three places of settings. `root` is the project's folder, `cwd` the folder that DATA_DIR is relative to. */
export function readSettingsPlaces(
  environment: Values,
  { root, cwd }: { readonly root: string; readonly cwd: string },
): SettingsPlaces {
  const known = namesOfSettings(join(root, '.env.example'));
  const all = readValues(join(root, '.env'));
  // Docker Compose uses the same file; its own variables, such as the owner's password, must not reach the service.
  const written = Object.fromEntries(
    Object.entries(all).filter(([name]) => known === null || known.has(settingOf(name)) || known.has(name)),
  );
  const dataDir = environment.DATA_DIR || written.DATA_DIR || './data';
  const generatedFile = resolve(cwd, dataDir, GENERATED_FILE);
  return { environment, written, generated: readValues(generatedFile), generatedFile };
}

/**
 * Merges places of settings: an earlier place wins, and an empty value counts as unset. NAME and NAME_FILE are one
 * setting, and a place that has DATABASE_URL hides the other two connection strings of later places.
 */
export function mergeSettings(places: readonly Values[]): Record<string, string> {
  const merged: Record<string, string> = {};
  const has = (setting: string) => merged[setting] !== undefined || merged[`${setting}_FILE`] !== undefined;
  for (const place of places) {
    const added = Object.entries(place).filter(([name, value]) => {
      const setting = settingOf(name);
      return (
        value !== undefined &&
        value !== '' &&
        !has(setting) &&
        !(OF_ONE_DATABASE.has(setting) && has('DATABASE_URL'))
      );
    });
    Object.assign(merged, Object.fromEntries(added));
  }
  return merged;
}

const settingOf = (name: string): string => name.replace(/_FILE$/, '');

function readValues(file: string): Values {
  const text = readText(file);
  return text === null ? {} : parseEnv(text);
}

/** The names in `.env.example`, which is generated from the schema of the settings; null where that file is missing. */
function namesOfSettings(file: string): ReadonlySet<string> | null {
  const text = readText(file);
  return text === null
    ? null
    : new Set([...text.matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name));
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Error(
      `The settings in ${file} cannot be read (${code}). Let the user of this process read it, or remove it.`,
    );
  }
}
