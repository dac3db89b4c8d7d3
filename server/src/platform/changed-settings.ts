import { isDeepStrictEqual } from 'node:util';
import { Environment, givenSettings } from './config.ts';
import { type Setting, showSetting } from './sensitive-settings.ts';

/** The settings that differ from their defaults, in the order of the schema, without credentials. */
export function changedSettings(
  given: Readonly<Record<string, string>> = givenSettings(),
): Record<string, string> {
  const defaults = Environment.parse({});
  const values = Environment.parse(given);
  const changed = (Object.keys(Environment.shape) as Setting[]).filter(
    (name) => !isDeepStrictEqual(values[name], defaults[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, showSetting(name, given[name] ?? '')]));
}
