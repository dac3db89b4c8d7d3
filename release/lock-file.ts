/** The fields of package-lock.json (lockfileVersion 3) that the release scripts read. */
export type LockEntry = {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
export type LockFile = { readonly packages: Readonly<Record<string, LockEntry>> };

const FOLDER = 'node_modules/';

/** Packages from a registry, by their path in the tree. */
export const registryPackages = (lock: LockFile): readonly (readonly [path: string, entry: LockEntry])[] =>
  Object.entries(lock.packages).filter(([path, entry]) => path.includes(FOLDER) && entry.link !== true);

/** `@scope/name` of a path such as `node_modules/a/node_modules/@scope/name`. */
export const nameAt = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);

/** The path that `name` resolves to for the package at `from`: the nearest node_modules upwards, as Node looks. */
export function resolveFrom(lock: LockFile, from: string, name: string): string | null {
  for (let base = from; ; base = parentOf(base)) {
    const path = `${base === '' ? '' : `${base}/`}${FOLDER}${name}`;
    const entry = lock.packages[path];
    if (entry !== undefined) return entry.link === true ? (entry.resolved ?? null) : path;
    if (base === '') return null;
  }
}

function parentOf(path: string): string {
  const at = path.lastIndexOf(`/${FOLDER}`);
  return at === -1 ? '' : path.slice(0, at);
}
