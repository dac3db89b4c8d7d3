import { distinctProducts, type ProductName } from '../product-names.ts';
import type { ToldAffected, ToldCve } from '../told.ts';
import { kevKey, readKevNames } from './read-kev-names.ts';

/**
 * The products that a KEV entry names, as CPE names and as the catalog writes them. Empty for entries that name none, such as
 * "Multiple Products". An entry that the table does not have yet keeps the catalog's names.
 */
export function kevProducts(vendor: string, product: string): readonly ProductName[] {
  TABLE ??= readKevNames();
  const named = TABLE.get(kevKey(vendor, product));
  if (named?.length === 0 || /^multiple\b/i.test(product.trim())) return [];
  return distinctProducts([...(named ?? []), { vendor: vendor.trim(), product: product.trim() }]);
}

let TABLE: ReadonlyMap<string, readonly ProductName[]> | undefined;

/**
 * Products of the KEV entry of a CVE, which says nothing of versions. They count only where no other source states versions
 * for the CVE (decisions O64); `rows` must be all rows of the CVE.
 */
export function kevStatements(rows: readonly ToldCve[]): readonly ProductName[] {
  const kev = rows.find(({ source }) => source === 'kev')?.kev ?? null;
  if (kev?.vendor == null || kev.product === null || rows.some(statesVersions)) return [];
  return kevProducts(kev.vendor, kev.product);
}

const statesVersions = ({ packages, configurations, affected }: ToldCve): boolean =>
  packages.length > 0 || configurations.length > 0 || affected.some(namesVersions);

const NOTHING = /^(?:n\/?a|-|unspecified|unknown|not specified|none|see .*|various|multiple)$/i;

/** Old records have an entry for form's sake: vendor, product and version are "n/a". */
const namesVersions = ({ vendor, product, versions, cpes, defaultStatus }: ToldAffected): boolean =>
  cpes.length > 0 ||
  (vendor !== null &&
    product !== null &&
    !NOTHING.test(product) &&
    (versions.some(({ version, lessThan, lessThanOrEqual }) =>
      NOTHING.test(version) ? (lessThan ?? lessThanOrEqual) !== null : version !== '',
    ) ||
      (versions.length === 0 && defaultStatus === 'affected')));
