import { type LockEntry, type LockFile, nameAt, registryPackages, resolveFrom } from './lock-file.ts';

/** A bill of materials in CycloneDX 1.6 (JSON): every package of the lock file, its hash, licence and dependencies. */
export type Sbom = {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: {
    readonly timestamp: string;
    readonly tools: { readonly components: readonly Component[] };
    readonly component: Component;
  };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

type Component = {
  readonly type: 'application' | 'library';
  readonly 'bom-ref'?: string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly scope?: 'required' | 'optional' | 'excluded';
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly expression: string }[];
  readonly purl?: string;
};

/** CycloneDX names of hash algorithms by their names in subresource integrity. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};

export function makeSbom(
  lock: LockFile,
  about: { readonly version: string; readonly timestamp: string; readonly uuid: string },
): Sbom {
  const members = workspacesOf(lock);
  const root = application('assay', about.version);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${about.uuid}`,
    version: 1,
    metadata: {
      timestamp: about.timestamp,
      tools: {
        components: [{ type: 'application', name: 'assay-release', version: about.version }],
      },
      component: root,
    },
    components: [
      ...members.map(([, entry]) => application(entry.name ?? '', about.version)),
      ...registryPackages(lock).map(([path, entry]) => library(path, entry)),
    ],
    dependencies: ['', ...members.map(([path]) => path), ...registryPackages(lock).map(([path]) => path)].map(
      (path) => ({ ref: refOf(lock, path), dependsOn: dependenciesOf(lock, path) }),
    ),
  };
}

const workspacesOf = (lock: LockFile) =>
  Object.entries(lock.packages).filter(([path]) => path !== '' && !path.includes('node_modules/'));

const application = (fullName: string, version: string): Component => ({
  type: 'application',
  'bom-ref': fullName,
  ...namesOf(fullName),
  version,
  licenses: [{ expression: 'Apache-2.0' }],
});

function library(path: string, entry: LockEntry): Component {
  const name = nameAt(path);
  const version = entry.version ?? '';
  return {
    type: 'library',
    'bom-ref': path,
    ...namesOf(name),
    version,
    scope: scopeOf(entry),
    ...(entry.integrity !== undefined && { hashes: hashesOf(entry.integrity) }),
    ...(entry.license !== undefined && { licenses: [{ expression: entry.license }] }),
    purl: `pkg:npm/${name.replace(/^@/, '%40')}@${version}`,
  };
}

/** CycloneDX scope. `excluded`: only to build and to test. `optional`: for another platform, or for speed. */
function scopeOf({ dev, optional, devOptional }: LockEntry): NonNullable<Component['scope']> {
  if (dev === true) return 'excluded';
  return optional === true || devOptional === true ? 'optional' : 'required';
}

function namesOf(fullName: string): { readonly group?: string; readonly name: string } {
  const [group = '', name] = fullName.split('/');
  return name === undefined ? { name: fullName } : { group, name };
}

/** Converts an integrity field (`sha512-…` in base64, several separated by spaces) to hexadecimal digests. */
const hashesOf = (integrity: string) =>
  integrity.split(' ').map((each) => {
    const [name = '', digest = ''] = each.split(/-(.*)/s);
    const alg = ALGORITHMS[name];
    if (alg === undefined) throw new Error(`package-lock.json has an integrity of an unknown kind: ${name}.`);
    return { alg, content: Buffer.from(digest, 'base64').toString('hex') };
  });

const refOf = (lock: LockFile, path: string): string =>
  path.includes('node_modules/') ? path : (lock.packages[path]?.name ?? path);

function dependenciesOf(lock: LockFile, path: string): readonly string[] {
  const { dependencies, devDependencies, optionalDependencies } = lock.packages[path] ?? {};
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const found = names.flatMap((name) => resolveFrom(lock, path, name) ?? []);
  const members = path === '' ? workspacesOf(lock).map(([member]) => member) : [];
  return [...new Set([...members, ...found].map((each) => refOf(lock, each)))].sort();
}
