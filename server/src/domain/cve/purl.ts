import { ecosystemOfPurlType, packageName } from './package-names.ts';
import type { PackageName } from './told.ts';

/** A package URL (ECMA-427): `pkg:type/namespace/name@version?qualifiers#subpath`. */
export type Purl = {
  readonly type: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly version: string | null;
  readonly qualifiers: ReadonlyMap<string, string>;
};

const LENGTH_MAX = 1024;

export function parsePurl(text: string): Purl | null {
  const bare = text.trim();
  if (bare.length > LENGTH_MAX || !/^pkg:/i.test(bare)) return null;
  const body = bare.slice(4).replace(/^\/+/, '');
  const [beforeSubpath] = cutAt(body, body.indexOf('#'));
  const [withVersion, query] = cutAt(beforeSubpath, beforeSubpath.indexOf('?'));
  const slash = withVersion.indexOf('/');
  const type = withVersion.slice(0, slash).toLowerCase();
  if (slash < 1 || !/^[a-z][a-z0-9.+-]*$/.test(type)) return null;
  // An @ in an npm scope is written %40, so the last @ begins the version.
  const rest = withVersion.slice(slash + 1);
  const [path, version] = cutAt(rest, lastVersionSign(rest));
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  const name = parts.pop();
  if (name === undefined || name === null || parts.includes(null)) return null;
  return {
    type,
    namespace: parts.length === 0 ? null : parts.join('/'),
    name,
    version: version === '' ? null : decoded(version),
    qualifiers: new Map(query.split('&').flatMap(qualifier)),
  };
}

const cutAt = (text: string, at: number): readonly [string, string] =>
  at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];

/** An @ before the last slash belongs to a scope that was not encoded. */
function lastVersionSign(path: string): number {
  const at = path.lastIndexOf('@');
  return at <= 0 || path.indexOf('/', at) !== -1 ? -1 : at;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function qualifier(pair: string): readonly (readonly [string, string])[] {
  const [key, value] = cutAt(pair, pair.indexOf('='));
  const text = decoded(value);
  return key === '' || text === null || text === '' ? [] : [[key.toLowerCase(), text]];
}

/** The package of a purl in OSV's names; null for a type that no ecosystem of OSV covers. */
export function packageOfPurl(purl: Purl): PackageName | null {
  const ecosystem = ecosystemOfPurlType(purl.type);
  if (ecosystem === null) return distributionPackage(purl);
  const joint = purl.type === 'maven' ? ':' : '/';
  return packageName(
    ecosystem,
    purl.namespace === null ? purl.name : `${purl.namespace}${joint}${purl.name}`,
  );
}

/**
 * OSV writes a package of a distribution with the release: `Debian:12`, `Ubuntu:22.04`, `Alpine:v3.19`. Its advisories name
 * source packages, which a purl of a binary package has as the qualifier `upstream`.
 */
function distributionPackage({ type, namespace, name: binary, qualifiers }: Purl): PackageName | null {
  const name = qualifiers.get('upstream')?.split('@', 1)[0] || binary;
  const release = /^([a-z]+)-([0-9][0-9.]*)$/.exec(qualifiers.get('distro') ?? '');
  const vendor = namespace?.toLowerCase();
  if (release === null || (type !== 'deb' && type !== 'apk')) return null;
  const [, , number = ''] = release;
  if (vendor === 'debian') return { ecosystem: `Debian:${number.split('.')[0]}`, name };
  if (vendor === 'ubuntu') return { ecosystem: `Ubuntu:${number}`, name };
  if (vendor === 'alpine') return { ecosystem: `Alpine:v${number.split('.').slice(0, 2).join('.')}`, name };
  return null;
}
