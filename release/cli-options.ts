import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isVersion } from './version.ts';

export type ReleaseOptions = {
  readonly version: string;
  readonly dryRun: boolean;
  readonly outDir: string;
};

export const HELP = `npm run release -- X.Y.Z [options]

Makes the release X.Y.Z from a clean working tree: runs npm run check, dates the changelog, sets the versions of the
packages, builds the SDK tarball, the image (where Docker runs) and a bill of materials, commits and tags. Nothing is
pushed or published.

  --dry-run   show the steps and what stands in their way; change nothing
  --out DIR   where the files go; default: release/out/X.Y.Z
  --help      this text`;

/** A mistake or a precondition that the person at the keyboard can mend: printed as its sentence, without a stack. */
export class ReleaseError extends Error {}

/** Reads the arguments; null when the help was asked for. */
export function readOptions(args: readonly string[]): ReleaseOptions | null {
  const { values, positionals } = parsed(args);
  if (values.help === true) return null;
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0) throw new ReleaseError(`Name one version.\n\n${HELP}`);
  if (!isVersion(version))
    throw new ReleaseError(`'${version}' is not a version. Write it as X.Y.Z, for example 0.2.0.`);
  return {
    version,
    dryRun: values['dry-run'] === true,
    outDir: values.out ?? join('release/out', version),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean' },
        out: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new ReleaseError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
}
