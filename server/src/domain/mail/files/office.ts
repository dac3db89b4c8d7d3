import { latinText } from './file-type.ts';
import { type Inflate, readZipEntry, type ZipListing } from './zip-listing.ts';

const OOXML_PARTS = /^(?:word|xl|ppt|visio)\/|^\[Content_Types\]\.xml$/;
const MACRO_PART = /(?:^|\/)vbaProject\.bin$|(?:^|\/)macrosheets\//i;
const RELATIONS = /\.rels$/i;
const RELATIONS_MAX = 40;
const EXTERNAL = /<Relationship\b[^<>]{0,2000}>/gi;
const TARGET = /\bTarget\s?=\s?["']([^"']{1,2000})["']/i;
/** Relations that an Office program loads without a click; hyperlinks need one. */
const LOADED = /\/(?:attachedTemplate|frame|subDocument|oleObject|externalLink|image)["']/i;

export const isOoxml = ({ entries }: ZipListing): boolean =>
  entries.some(({ name }) => name === '[Content_Types].xml') &&
  entries.some(({ name }) => OOXML_PARTS.test(name) && name !== '[Content_Types].xml');

export type OfficeFacts = {
  readonly hasMacros: boolean;
  readonly hasRemoteTemplate: boolean;
  /** Web addresses that the document links to or loads. */
  readonly targets: readonly string[];
};

/** Macros and external relations of an OOXML file, read from its directory and its small relation parts. */
export function readOoxml(bytes: Uint8Array, listing: ZipListing, inflate: Inflate): OfficeFacts {
  const targets = new Set<string>();
  let hasRemoteTemplate = false;
  const relations = listing.entries.filter(({ name }) => RELATIONS.test(name)).slice(0, RELATIONS_MAX);
  for (const entry of relations) {
    const text = readZipEntry(bytes, entry, inflate) ?? '';
    for (const [relation] of text.matchAll(EXTERNAL)) {
      if (!/TargetMode\s?=\s?["']External/i.test(relation)) continue;
      const target = TARGET.exec(relation)?.[1] ?? '';
      if (
        /^(?:https?|ftp|file|mhtml):/i.test(target) &&
        LOADED.test(relation) &&
        !/\/image["']/i.test(relation)
      )
        hasRemoteTemplate = true;
      if (/^https?:/i.test(target)) targets.add(target.replaceAll('&amp;', '&'));
    }
  }
  const hasMacros = listing.entries.some(({ name }) => MACRO_PART.test(name));
  return { hasMacros, hasRemoteTemplate, targets: [...targets] };
}

const SECTOR_BYTES = 512;
const DIRECTORY_SECTORS_MAX = 2_000;
const u32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)) >>>
  0;

/**
 * Reads the names in the directory of an OLE file. Sectors are read in file order and not along their chain, so that a
 * chain that loops costs nothing.
 */
export function readOle(bytes: Uint8Array): { readonly hasMacros: boolean; readonly isEncrypted: boolean } {
  const names = new Set<string>();
  const first = (u32(bytes, 48) + 1) * SECTOR_BYTES;
  const wanted = [
    first,
    ...Array.from({ length: DIRECTORY_SECTORS_MAX }, (_, at) => (at + 1) * SECTOR_BYTES),
  ];
  for (const at of wanted) {
    if (at + SECTOR_BYTES > bytes.length) continue;
    for (let entry = at; entry < at + SECTOR_BYTES; entry += 128) addName(names, bytes, entry);
  }
  const has = (name: string): boolean => names.has(name);
  return {
    hasMacros: has('_VBA_PROJECT') || has('VBA') || has('Macros') || has('_VBA_PROJECT_CUR'),
    isEncrypted: has('EncryptedPackage') || has('EncryptionInfo'),
  };
}

/** A directory entry has the length of its name in bytes 64 and 65, and its kind in byte 66. */
function addName(names: Set<string>, bytes: Uint8Array, entry: number): void {
  const length = (bytes[entry + 64] ?? 0) | ((bytes[entry + 65] ?? 0) << 8);
  const kind = bytes[entry + 66] ?? 0;
  if (length < 4 || length > 64 || length % 2 !== 0 || kind < 1 || kind > 5) return;
  names.add(latinText(bytes, entry, length - 2).replaceAll('\0', ''));
}
