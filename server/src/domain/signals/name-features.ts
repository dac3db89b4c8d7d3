import type { NameParts } from './name-parts.ts';
import { finish, pieceHash } from './piece-hash.ts';

/** The number of buckets of the table: features share one only by chance, and training weighs what they share. */
export const BUCKETS = 1 << 20;
const MASK = BUCKETS - 1;

const SEED = { piece: 1, word: 2, suffix: 3 } as const;
const SHAPES_FROM = 0x5eed_0000;
const PIECE_MIN = 4;
const PIECE_MAX = 5;
const WORD_MIN = 3;
const BOUNDARY = 0x5e;
const DIGIT = 0x30;

/** One feature: its bucket, and the characters of the text it lies on; `from` is -1 for suffix and shape. */
export type OnFeature = (bucket: number, from: number, to: number) => void;

/** Visits every feature of a name: pieces of four and five characters, whole words, suffix and shape. */
export function eachFeature(parts: NameParts, onFeature: OnFeature): void {
  eachPiece(parts.text, onFeature);
  eachWord(parts.text, onFeature);
  onFeature(pieceHash(SEED.suffix, parts.suffix) & MASK, -1, -1);
  eachShape(parts.text, (shape, band) =>
    onFeature(finish(Math.imul(shape, 31) + band + SHAPES_FROM) & MASK, -1, -1),
  );
}

/** Every digit is the same character: `pay12` and `pay34` are one campaign. */
const codeAt = (text: string, at: number): number => {
  if (at < 0 || at >= text.length) return BOUNDARY;
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39 ? DIGIT : code;
};

function eachPiece(text: string, onFeature: OnFeature): void {
  for (let start = -1; start < text.length; start += 1) {
    let hash = 0x811c9dc5 ^ SEED.piece;
    for (let length = 1; length <= PIECE_MAX && start + length <= text.length + 1; length += 1) {
      hash = Math.imul(hash ^ codeAt(text, start + length - 1), 0x01000193);
      if (length < PIECE_MIN) continue;
      onFeature(finish(hash) & MASK, Math.max(0, start), Math.min(text.length, start + length));
    }
  }
}

const isLetter = (code: number): boolean => code > 0x39 && code !== 0x5f;

function eachWord(text: string, onFeature: OnFeature): void {
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && isLetter(text.charCodeAt(at))) continue;
    if (at - start >= WORD_MIN) onFeature(pieceHash(SEED.word, text, start, at) & MASK, start, at);
    start = at + 1;
  }
}

/**
 * Bands of digits, hyphens, changes between letters and digits, vowels, consonants in a row, and entropy: a name of
 * random characters stands out. Its length is left out: popular names are short, and honest small sites have long ones.
 */
function eachShape(text: string, onShape: (shape: number, band: number) => void): void {
  COUNTS.fill(0);
  let [digits, hyphens, changes, vowels, letters, run, longest] = [0, 0, 0, 0, 0, 0, 0];
  let before: number = KIND.other;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) & 0x7f;
    COUNTS[code] = (COUNTS[code] as number) + 1;
    const kind = KINDS[code] as number;
    if (kind === KIND.digit) digits += 1;
    else if (kind !== KIND.other) letters += 1;
    else if (code === HYPHEN) hyphens += 1;
    if (kind === KIND.vowel) vowels += 1;
    run = kind === KIND.consonant ? run + 1 : 0;
    longest = Math.max(longest, run);
    const isChange = (kind === KIND.digit) !== (before === KIND.digit);
    if (isChange && kind !== KIND.other && before !== KIND.other) changes += 1;
    before = kind;
  }
  onShape(1, Math.min(8, digits));
  onShape(2, Math.min(5, hyphens));
  onShape(3, Math.min(6, changes));
  onShape(4, letters === 0 ? NO_LETTERS : Math.floor((8 * vowels) / letters));
  onShape(5, Math.min(8, longest));
  onShape(6, Math.floor(2 * entropyOf(text)));
}

/** One reused table, so that scoring a name allocates nothing. */
const COUNTS = new Uint8Array(128);
const NO_LETTERS = 15;
const HYPHEN = 0x2d;
const KIND = { other: 0, digit: 1, vowel: 2, consonant: 3 } as const;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x30 && code <= 0x39) return KIND.digit;
  if (code < 0x61 || code > 0x7a) return KIND.other;
  return 'aeiouy'.includes(String.fromCharCode(code)) ? KIND.vowel : KIND.consonant;
});

/** In bits. Each character adds its share, so that only the text is read again and not the whole table. */
function entropyOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1)
    bits -= Math.log2((COUNTS[text.charCodeAt(at) & 0x7f] as number) / text.length);
  return bits / text.length;
}
