import { ReleaseError } from './cli-options.ts';

const UNRELEASED = '## [Unreleased]';

/**
 * The changelog with what was unreleased under the version and its date, and an empty "Unreleased" above. A changelog in
 * which the version already has a date and nothing is unreleased is returned as it is.
 */
export function dateChangelog(text: string, version: string, date: string): string {
  const at = text.indexOf(`${UNRELEASED}\n`);
  if (at === -1) throw new ReleaseError(`CHANGELOG.md has no line '${UNRELEASED}'.`);
  const head = text.slice(0, at);
  const rest = text.slice(at + UNRELEASED.length + 1);
  const next = rest.search(/^## \[/m);
  const unreleased = (next === -1 ? rest : rest.slice(0, next)).trim();
  const older = next === -1 ? '' : rest.slice(next);
  const isDated = older.includes(`## [${version}] - `);
  if (unreleased === '' && isDated) return text;
  if (unreleased === '') throw new ReleaseError('CHANGELOG.md has nothing under "Unreleased" to release.');
  if (isDated)
    throw new ReleaseError(`CHANGELOG.md already has a section ${version}, and more under "Unreleased".`);
  const section = `## [${version}] - ${date}\n\n${unreleased}\n`;
  return `${head}${UNRELEASED}\n\n${section}${older === '' ? '' : `\n${older}`}`;
}
