import { ReleaseError } from './cli-options.ts';

/** The manifests of this repository's packages, which all get the version of the release. */
export const MANIFESTS = [
  'package.json',
  'server/package.json',
  'sdk/package.json',
  'web/package.json',
] as const;

const OURS = /^@assay\//;

type Manifest = {
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};
type Lock = { version?: string; packages: Record<string, Manifest & { link?: boolean }> };

/** The text of a manifest with the new version, also where it depends on our other packages. */
export function setManifestVersion(text: string, version: string): string {
  const manifest = JSON.parse(text) as Manifest;
  setVersion(manifest, version);
  return written(manifest);
}

/** The text of the lock file with the new version: it repeats the manifests of the workspaces. */
export function setLockVersion(text: string, version: string): string {
  const lock = JSON.parse(text) as Lock;
  lock.version = version;
  for (const path of MANIFESTS.map((name) => name.replace(/\/?package\.json$/, ''))) {
    const entry = lock.packages[path];
    if (entry === undefined) throw new ReleaseError(`package-lock.json has no entry '${path}'.`);
    setVersion(entry, version);
  }
  return written(lock);
}

function setVersion(manifest: Manifest, version: string): void {
  manifest.version = version;
  for (const needed of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
    for (const name of Object.keys(needed)) if (OURS.test(name)) needed[name] = version;
}

const written = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
