import { kevStatements } from './kev-products/kev-products.ts';
import { cpeNames, distinctProducts, type ProductName, statedNames } from './product-names.ts';
import type { ToldCve } from './told.ts';

/**
 * Names under which a CVE is found: those of vulnerable CPEs, those that a CNA or an ADP states, and without versions in any of
 * them those of the KEV catalog. Never from prose. `rows` must be all rows of the CVE.
 */
export const productNames = (rows: readonly ToldCve[]): readonly ProductName[] =>
  distinctProducts([...rows.flatMap(cpeNames), ...rows.flatMap(statedNames), ...kevStatements(rows)]);
