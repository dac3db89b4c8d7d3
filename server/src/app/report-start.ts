import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedSettings } from '#platform/changed-settings.ts';
import { type Config, givenSettings, TEST_ONLY_SETTINGS, unusedSettings } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { reasonOf } from './compose-settings.ts';

const MANIFEST = join(import.meta.dirname, '../../package.json');
const versionOfAssay = (): string =>
  (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version;

/** The first line of a process that an operator starts: its version and the settings that differ from their defaults. */
export function reportStart(config: Config, log: Log): void {
  const version = versionOfAssay();
  log.info({ version, settings: changedSettings() }, `Assay ${version} is starting`);
  for (const { name, reason } of ignoredSettings(config))
    log.warn({ setting: name }, `${name} has no effect. ${reason}`);
  // Written before a child process writes to the same output, and before a start that fails.
  log.flush();
}

/** The same as sentences, for a command that prints its steps. */
export function describeStart(config: Config): {
  readonly start: string;
  readonly warnings: readonly string[];
} {
  const changed = Object.entries(changedSettings()).map(([name, text]) => `${name}=${text}`);
  return {
    start: `Assay ${versionOfAssay()}. Settings that differ from their defaults: ${changed.length === 0 ? 'none' : changed.join(' ')}.`,
    warnings: ignoredSettings(config).map(({ name, reason }) => `Warning: ${name} has no effect. ${reason}`),
  };
}

/** Settings that the operator wrote and that do nothing, each with the reason. */
function ignoredSettings({
  ASSAY_ENV,
}: Config): readonly { readonly name: string; readonly reason: string }[] {
  const given = givenSettings();
  const testOnly =
    ASSAY_ENV === 'test' ? [] : Object.keys(TEST_ONLY_SETTINGS).filter((name) => name in given);
  return [
    ...unusedSettings().map((name) => ({ name, reason: reasonOf(name) })),
    ...testOnly.map((name) => ({ name, reason: 'It is for tests: ASSAY_ENV=test.' })),
  ];
}
