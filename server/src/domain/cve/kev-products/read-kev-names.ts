import type { ProductName } from '../product-names.ts';
import { KEV_FAMILIES } from './kev-families.ts';
import { KEV_NAMES_1 } from './kev-names-1.ts';
import { KEV_NAMES_2 } from './kev-names-2.ts';
import { KEV_NAMES_3 } from './kev-names-3.ts';

/** The vendor and product of the KEV catalog as one key, without regard to capitals and blanks. */
export const kevKey = (vendor: string, product: string): string =>
  `${vendor}\n${product}`
    .toLowerCase()
    .replace(/[ \t_]+/g, ' ')
    .replace(/ ?\n ?/, '\n')
    .trim();

/**
 * Reads the table. `[Vendor = cpe_vendor]` begins the entries of a vendor; `Product = names` gives the CPE names of one of its
 * products. A name without a vendor is of the `cpe_vendor`, `@name` is a family, and `-` means that the entry names no product.
 */
export function readKevNames(): ReadonlyMap<string, readonly ProductName[]> {
  const table = new Map<string, readonly ProductName[]>();
  let [vendor, cpeVendor] = ['', ''];
  for (const line of [KEV_NAMES_1, KEV_NAMES_2, KEV_NAMES_3].join('\n').split('\n')) {
    const at = line.lastIndexOf(' = ');
    if (at === -1) continue;
    const names = line.slice(at + ' = '.length);
    if (line.startsWith('[')) [vendor, cpeVendor] = [line.slice(1, at), names.slice(0, -1)];
    else table.set(kevKey(vendor, line.slice(0, at)), names === '-' ? [] : readNames(names, cpeVendor));
  }
  return table;
}

const readNames = (names: string, cpeVendor: string): readonly ProductName[] =>
  names.split(' ').flatMap((name) => {
    if (!name.startsWith('@')) return [readName(name, cpeVendor)];
    const family = KEV_FAMILIES[name.slice(1)] ?? '';
    return family.split(/\s+/).map((member) => readName(member, cpeVendor));
  });

/** `vendor:product`, or the product alone. A product may contain colons of its own, as modules of Perl do. */
function readName(name: string, cpeVendor: string): ProductName {
  const at = name.search(/(?<!:):(?!:)/);
  return at === -1
    ? { vendor: cpeVendor, product: name }
    : { vendor: name.slice(0, at), product: name.slice(at + 1) };
}
