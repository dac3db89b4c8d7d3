/** Rules of vulnerabilities: what sources say about a CVE, how it is merged, and which component it affects. */
export { type Cpe, cpeText, formatCpe, formatCpeUri, parseCpe } from './cpe.ts';
export {
  appendChanges,
  CHANGES_MAX,
  type ChangingFields,
  type CveChange,
  changesBetween,
} from './cve-changes.ts';
export { parseCveId } from './cve-id.ts';
export {
  BYTES_MAX as INVENTORY_BYTES_MAX,
  INVENTORY_FORMATS,
  type Inventory,
  type InventoryComponent,
  type InventoryFormat,
  type SkippedEntry,
  type SkipReason,
  type VexStatement,
} from './inventory/inventory.ts';
export { type InventoryReading, readInventory } from './inventory/read-inventory.ts';
export { kevProducts, kevStatements } from './kev-products/kev-products.ts';
export {
  type ComponentKeys,
  type CveMatch,
  componentKeys,
  isRejected,
  type MatchComponent,
  type MatchContext,
  matchCve,
} from './match-cve.ts';
export { type CveRecord, type KevOfRecord, type MergeContext, mergeCve } from './merge-cve.ts';
export { productNames } from './named-products.ts';
export { packageKey, packageName } from './package-names.ts';
export {
  cpeNames,
  type LinkVote,
  linkVotes,
  NO_LINKS,
  nameKey,
  type ProductLinks,
  type ProductName,
  productKey,
  productOfCpe,
  settleLinks,
  statedNames,
} from './product-names.ts';
export { type Purl, packageOfPurl, parsePurl } from './purl.ts';
export { readCveRecord } from './read-cve-record.ts';
export { readEpss } from './read-epss.ts';
export { readExploitDb, readMetasploit, readNucleiIndex, readNucleiTemplate } from './read-exploits.ts';
export { readAttackMapping, readKev } from './read-kev.ts';
export { readNvd, readNvdOverride } from './read-nvd.ts';
export { readOsv, readOsvRecord } from './read-osv.ts';
export * from './told.ts';
export type { Opinion, UnknownReason } from './verdict.ts';
