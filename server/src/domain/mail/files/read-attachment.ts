import { MAIL_LIMITS } from '../limits.ts';
import {
  extensionOf,
  isDisguisedProgram,
  isDoubleExtension,
  isProgramName,
  isRiskyName,
  isTypeMismatch,
} from './file-names.ts';
import { type DetectedType, detectType, PROGRAMS } from './file-type.ts';
import { isSmuggling, readPdf } from './markup-files.ts';
import { isOoxml, readOle, readOoxml } from './office.ts';
import { type Inflate, listZip } from './zip-listing.ts';

export const ATTACHMENT_FLAGS = [
  'risky_extension',
  'double_extension',
  'type_mismatch',
  'disguised_program',
  'macro_project',
  'remote_template',
  'archive',
  'encrypted',
  'html_smuggling',
  'pdf_action',
] as const;
export type AttachmentFlag = (typeof ATTACHMENT_FLAGS)[number];

export type Digests = {
  readonly sha256?: string | undefined;
  readonly sha1?: string | undefined;
  readonly md5?: string | undefined;
};

/** The operations on bytes that depend on the platform: hashing and unpacking. */
export type FileTools = {
  readonly digest: (bytes: Uint8Array) => Digests;
  readonly inflate: Inflate;
};

export type FileFacts = {
  readonly detectedType: DetectedType | null;
  readonly digests: Digests;
  readonly flags: readonly AttachmentFlag[];
  readonly isProgram: boolean;
  /** Names of archive entries that run when they are opened. */
  readonly riskyEntries: readonly string[];
  /** Web addresses inside the file. */
  readonly targets: readonly string[];
  /** Parts of the file that were not read, by the names that coverage uses. */
  readonly unread: readonly ('archive_contents' | 'pdf_streams' | 'file_type')[];
};

const RISKY_ENTRIES_MAX = 10;
const ARCHIVES: ReadonlySet<DetectedType> = new Set(['zip', 'rar', '7z']);

type Found = {
  type: DetectedType;
  flags: Set<AttachmentFlag>;
  riskyEntries: string[];
  targets: readonly string[];
  unread: FileFacts['unread'][number][];
};

function readZipFile(bytes: Uint8Array, found: Found, inflate: Inflate): void {
  const listing = listZip(bytes);
  if (isOoxml(listing)) {
    found.type = 'ooxml';
    const { hasMacros, hasRemoteTemplate, targets } = readOoxml(bytes, listing, inflate);
    if (hasMacros) found.flags.add('macro_project');
    if (hasRemoteTemplate) found.flags.add('remote_template');
    found.targets = targets;
    return;
  }
  found.flags.add('archive');
  found.unread.push('archive_contents');
  if (listing.entries.some(({ isEncrypted }) => isEncrypted)) found.flags.add('encrypted');
  for (const { name } of listing.entries)
    if (found.riskyEntries.length < RISKY_ENTRIES_MAX && (isProgramName(name) || isDoubleExtension(name)))
      found.riskyEntries.push(name.slice(-100));
}

function readByType(bytes: Uint8Array, found: Found, inflate: Inflate): void {
  if (found.type === 'zip') readZipFile(bytes, found, inflate);
  else if (ARCHIVES.has(found.type)) {
    found.flags.add('archive');
    found.unread.push('archive_contents');
  } else if (found.type === 'ole') {
    const { hasMacros, isEncrypted } = readOle(bytes);
    if (hasMacros) found.flags.add('macro_project');
    if (isEncrypted) found.flags.add('encrypted');
  } else if (found.type === 'pdf') {
    const { hasAction, isEncrypted, hasStreams, targets } = readPdf(bytes);
    if (hasAction) found.flags.add('pdf_action');
    if (isEncrypted) found.flags.add('encrypted');
    if (hasStreams) found.unread.push('pdf_streams');
    found.targets = targets;
  } else if (found.type === 'html') {
    if (isSmuggling(bytes)) found.flags.add('html_smuggling');
  } else if (found.type === 'unknown') found.unread.push('file_type');
}

function addNameFlags(flags: Set<AttachmentFlag>, filename: string | null): void {
  if (filename === null) return;
  if (isRiskyName(filename)) flags.add('risky_extension');
  if (isDoubleExtension(filename)) flags.add('double_extension');
}

/** Reads one file by its bytes. Nothing is run, written or fetched. */
export function readFile(bytes: Uint8Array, filename: string | null, tools: FileTools): FileFacts {
  const found: Found = {
    type: detectType(bytes),
    flags: new Set(),
    riskyEntries: [],
    targets: [],
    unread: [],
  };
  readByType(bytes, found, tools.inflate);
  addNameFlags(found.flags, filename);
  const isProgram = PROGRAMS.has(found.type) && !(found.type === 'script' && extensionOf(filename) === 'txt');
  if (isTypeMismatch(filename, found.type)) found.flags.add('type_mismatch');
  if (isDisguisedProgram(filename, found.type, isProgram)) found.flags.add('disguised_program');
  return {
    detectedType: found.type,
    digests: tools.digest(bytes),
    flags: ATTACHMENT_FLAGS.filter((flag) => found.flags.has(flag)),
    isProgram,
    riskyEntries: found.riskyEntries,
    targets: found.targets.slice(0, MAIL_LIMITS.linksMax),
    unread: found.unread,
  };
}

/** In the structured form a caller names a file without sending it, so only its name can be judged. */
export function nameFile(filename: string | null, digests: Digests): FileFacts {
  const flags = new Set<AttachmentFlag>();
  addNameFlags(flags, filename);
  return {
    detectedType: null,
    digests,
    flags: ATTACHMENT_FLAGS.filter((flag) => flags.has(flag)),
    isProgram: false,
    riskyEntries: [],
    targets: [],
    unread: [],
  };
}
