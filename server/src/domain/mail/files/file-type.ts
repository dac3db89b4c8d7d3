export const DETECTED_TYPES = [
  'pe',
  'elf',
  'macho',
  'script',
  'ooxml',
  'ole',
  'pdf',
  'zip',
  'rar',
  '7z',
  'html',
  'image',
  'text',
  'eml',
  'unknown',
] as const;
export type DetectedType = (typeof DETECTED_TYPES)[number];

type Magic = {
  readonly type: DetectedType;
  readonly bytes: readonly (number | null)[];
  readonly at?: number;
};
const ascii = (text: string): readonly number[] => Array.from(text, (char) => char.charCodeAt(0));

const MAGIC: readonly Magic[] = [
  { type: 'elf', bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { type: 'macho', bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { type: 'macho', bytes: [0xce, 0xfa, 0xed, 0xfe] },
  { type: 'macho', bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { type: 'ole', bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
  { type: 'zip', bytes: [0x50, 0x4b, 3, 4] },
  { type: 'zip', bytes: [0x50, 0x4b, 5, 6] },
  { type: 'rar', bytes: ascii('Rar!') },
  { type: '7z', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { type: 'image', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image', bytes: ascii('GIF87a') },
  { type: 'image', bytes: ascii('GIF89a') },
  { type: 'image', bytes: [...ascii('RIFF'), null, null, null, null, ...ascii('WEBP')] },
  { type: 'image', bytes: [0, 0, 1, 0] },
  { type: 'image', bytes: [0x49, 0x49, 0x2a, 0] },
  { type: 'image', bytes: [0x4d, 0x4d, 0, 0x2a] },
  { type: 'image', bytes: ascii('ftypheic'), at: 4 },
  { type: 'image', bytes: ascii('ftypavif'), at: 4 },
];

const startsWith = (bytes: Uint8Array, { bytes: magic, at = 0 }: Magic): boolean =>
  bytes.length >= at + magic.length &&
  magic.every((byte, index) => byte === null || bytes[at + index] === byte);

const latin = new TextDecoder('latin1');
export const latinText = (bytes: Uint8Array, from: number, length: number): string =>
  latin.decode(bytes.subarray(from, from + length));

const HEAD_BYTES = 4_096;
const PDF_WITHIN = 1_024;

/** The type of a file by its bytes; its name and its declared type are not looked at. */
export function detectType(bytes: Uint8Array): DetectedType {
  if (isPe(bytes)) return 'pe';
  const magic = MAGIC.find((each) => startsWith(bytes, each));
  if (magic !== undefined) return magic.type;
  const head = latinText(bytes, 0, HEAD_BYTES);
  // PDF readers accept the header anywhere in the first kilobyte.
  if (head.slice(0, PDF_WITHIN).includes('%PDF-')) return 'pdf';
  return typeOfText(bytes, head);
}

/** `MZ` alone begins many texts, so the offset of the PE header must lead to its signature. */
function isPe(bytes: Uint8Array): boolean {
  if (bytes.length < 64 || bytes[0] !== 0x4d || bytes[1] !== 0x5a) return false;
  const at = (bytes[60] ?? 0) | ((bytes[61] ?? 0) << 8) | ((bytes[62] ?? 0) << 16) | ((bytes[63] ?? 0) << 24);
  // A 16-bit program has no PE header, but it has a zero byte in the first 64, which a text has not.
  if (at > 0 && at < bytes.length - 4) return bytes[at] === 0x50 && bytes[at + 1] === 0x45;
  return bytes.subarray(2, 64).includes(0);
}

const SCRIPT =
  /^#!|\b(?:WScript\.|CreateObject\s?\(|powershell(?:\.exe)?\s+-|cmd(?:\.exe)?\s\/c|ActiveXObject|On Error Resume Next|@echo off|Invoke-Expression|IEX\s?\(|mshta|rundll32)/i;
const HTML = /<(?:!doctype\s+html|html|head|body|script|svg|table|div|meta)[\s>]/i;
const MESSAGE = /^(?:From|Received|Return-Path|Message-ID|Date|Subject|Delivered-To|MIME-Version|To):\s/im;

function typeOfText(bytes: Uint8Array, head: string): DetectedType {
  if (bytes.length === 0) return 'text';
  const sample = bytes.subarray(0, HEAD_BYTES);
  const isWide = sample[0] === 0xff && sample[1] === 0xfe;
  const text = isWide ? head.replaceAll('\0', '') : head;
  if (!isWide && sample.includes(0)) return 'unknown';
  if (/^[A-Za-z-]{2,40}:\s/.test(text) && MESSAGE.test(text.slice(0, 2_000))) return 'eml';
  if (HTML.test(text)) return 'html';
  if (SCRIPT.test(text)) return 'script';
  const controls = sample.reduce((count, byte) => count + (byte < 9 || (byte > 13 && byte < 32) ? 1 : 0), 0);
  return controls * 50 > sample.length && !isWide ? 'unknown' : 'text';
}

export const PROGRAMS: ReadonlySet<DetectedType> = new Set(['pe', 'elf', 'macho', 'script']);
