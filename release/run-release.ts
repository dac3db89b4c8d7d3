import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildArtifacts } from './build-artifacts.ts';
import { dateChangelog } from './changelog.ts';
import { ReleaseError, type ReleaseOptions } from './cli-options.ts';
import { ROOT, read, show, succeeds } from './commands.ts';
import { MANIFESTS, setLockVersion, setManifestVersion } from './package-versions.ts';
import { findObstacles } from './preconditions.ts';

const CHANGELOG = 'CHANGELOG.md';
const LOCK = 'package-lock.json';
const WRITTEN = [CHANGELOG, LOCK, ...MANIFESTS];

type Say = (line: string) => void;

export async function runRelease({ version, dryRun, outDir }: ReleaseOptions, say: Say): Promise<void> {
  const obstacles = await findObstacles(version);
  const changelog = readChangelog(version, new Date().toISOString().slice(0, 10));
  if (changelog instanceof ReleaseError) obstacles.push(changelog.message);
  const edits = readEdits(version, changelog);
  if (dryRun) {
    for (const line of describe(version, outDir, edits)) say(line);
    for (const obstacle of obstacles) say(`In the way: ${obstacle}`);
    return;
  }
  if (obstacles.length > 0) throw new ReleaseError(obstacles.join('\n'));
  say('Running npm run check');
  await show('npm', ['run', 'check']);
  for (const { file, after } of edits) writeFileSync(join(ROOT, file), after);
  try {
    await buildArtifacts({ version, outDir, say });
  } catch (error) {
    await read('git', ['restore', '--', ...WRITTEN]);
    say('Nothing was committed; the changelog and the manifests are as they were.');
    throw error;
  }
  await commitAndTag(version, edits, say);
  say(`Release ${version} is made and not published. Push it: git push --follow-tags`);
}

type Edit = { readonly file: string; readonly after: string };

const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function readChangelog(version: string, date: string): string | ReleaseError {
  try {
    return dateChangelog(text(CHANGELOG), version, date);
  } catch (error) {
    if (error instanceof ReleaseError) return error;
    throw error;
  }
}

/** The files that have to change, with their new text. */
function readEdits(version: string, changelog: string | ReleaseError): readonly Edit[] {
  return [
    ...(typeof changelog === 'string' ? [{ file: CHANGELOG, after: changelog }] : []),
    ...MANIFESTS.map((file) => ({ file, after: setManifestVersion(text(file), version) })),
    { file: LOCK, after: setLockVersion(text(LOCK), version) },
  ].filter(({ file, after }) => after !== text(file));
}

function describe(version: string, outDir: string, edits: readonly Edit[]): readonly string[] {
  const files = edits.map(({ file }) => file).join(', ');
  return [
    `Release ${version}, dry run: nothing is changed.`,
    '1. npm run check',
    files === '' ? '2. no file has to change' : `2. date the changelog and set the versions: ${files}`,
    `3. build into ${outDir}: SDK tarball, image (where Docker runs), bill of materials, SHA256SUMS`,
    files === '' ? '4. no commit is needed' : `4. git commit: Release ${version}`,
    `5. git tag v${version}`,
  ];
}

async function commitAndTag(version: string, edits: readonly Edit[], say: Say): Promise<void> {
  if (edits.length > 0) {
    await read('git', ['add', '--', ...edits.map(({ file }) => file)]);
    await read('git', ['commit', '--quiet', '--message', `Release ${version}`]);
  }
  // An annotated tag carries its own date and author, and `git push --follow-tags` takes it along.
  await read('git', ['tag', '--annotate', `v${version}`, '--message', `Assay ${version}`]);
  const isTagged = await succeeds('git', ['describe', '--exact-match', '--match', `v${version}`]);
  if (!isTagged) throw new ReleaseError(`The tag v${version} does not stand on the newest commit.`);
  say(`Committed and tagged v${version}`);
}
