import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Well-known vulnerabilities of the real data set: a vulnerable version, and where the record allows it a mended one. */
export type FamousCve = {
  readonly name: string;
  /** Empty for an advisory without a CVE id. */
  readonly cveId: string;
  readonly kind: string;
  /** The ecosystem of a package, the vendor of a product. */
  readonly space: string;
  readonly product: string;
  readonly vulnerable: string;
  readonly mended: string;
};

export const CVE_DATA = join(import.meta.dirname, '../../../../shared/data');

export const readFamous = (): readonly FamousCve[] =>
  readFileSync(join(CVE_DATA, 'cve/famous.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [name = '', cveId = '', kind = '', space = '', product = '', vulnerable = '', mended = ''] =
        line.split('\t');
      return { name, cveId, kind, space, product, vulnerable, mended };
    });

const PURL_TYPES: Readonly<Record<string, string>> = {
  Maven: 'maven',
  npm: 'npm',
  Packagist: 'composer',
  NuGet: 'nuget',
  RubyGems: 'gem',
  'crates.io': 'cargo',
  PyPI: 'pypi',
  Go: 'golang',
};

/** The body that adds this version of it as a component. A product without a vendor takes its own name for one. */
export function componentOf({ kind, space, product }: FamousCve, version: string): object {
  if (kind === 'product') return { vendor: space === '' ? product : space, product, version };
  const path = (space === 'Maven' ? product.replace(':', '/') : product).split('/').map(encodeURIComponent);
  return { purl: `pkg:${PURL_TYPES[space]}/${path.join('/')}@${encodeURIComponent(version)}` };
}
