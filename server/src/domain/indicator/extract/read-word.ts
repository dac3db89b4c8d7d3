import type { Indicator, ParseResult } from '../indicator.ts';
import { knownHash } from '../parse-hash.ts';
import { reject } from '../rejections.ts';
import { meaningOf } from './file-names.ts';
import { readNumbers, type Surroundings } from './read-numbers.ts';
import type { Word } from './words.ts';

/** Receives what is found; `parse` is `parseIndicator` with a cache for this text. */
export type Findings = {
  readonly take: (raw: string, result: ParseResult) => void;
  readonly parse: (raw: string) => ParseResult;
};

/** Longer than a 253-character name whose dots are all in brackets and spaces. */
const WORD_MAX = 1_024;
const SHORTEST = 3;
const HEX = /^[0-9a-f]+$/i;
const HEX_LETTER = /[a-f]/i;
/** Digests of unsupported algorithms, and MD5, SHA-1 and SHA-256 with one digit lost or doubled. */
const WRONG_LENGTHS: ReadonlySet<number> = new Set([31, 33, 39, 41, 56, 63, 65, 96, 128]);
const NAME = /^[\p{L}\p{N}\p{M}\p{Cf}_.:-]+$/u;
const LETTER = /[\p{L}\p{M}]/u;
/** Inside a word, brackets and backslashes only occur in a defanged dot, colon or at sign. */
const TOUCHED = /[[\](){}<>\\]/;
const FIELD_EDGE = /^[\n\r\t,;|"']?$/;
const LINE_EDGE = /^[\n\r]?$/;
const NOT_ASCII = /[\u0080-\uffff]/;
/** Separators between values: `md5:…`, `user@192.0.2.1`, `192.0.2.1-192.0.2.9`, text of another script. */
const JOINTS = /[:@+\u0080-\uffff]+/;
const INNER_JOINTS = /[^0-9a-z.]+/i;

export function readWord(word: Word, findings: Findings): void {
  const text = trimmed(word.text);
  if (text.length < SHORTEST || text.length > WORD_MAX) return;
  if (readOne(text, word, findings)) return;
  if (word.isDefanged) {
    findings.take(text, findings.parse(text));
    return;
  }
  const parts = text.split(JOINTS);
  if (parts.length > 1) for (const part of parts) readPart(trimmed(part), word, findings);
  else readInside(text, findings);
}

function readOne(text: string, word: Word, findings: Findings): boolean {
  if (HEX.test(text) && text.length > 30) return readDigest(text, findings);
  if (TOUCHED.test(text)) return takeIf(text, findings, () => true);
  if (!/[.:]/.test(text)) return text.length <= 32;
  const numbers = readNumbers(text, word, findings.parse);
  if (numbers === 'nothing') return true;
  if (numbers !== null) {
    findings.take(numbers.raw, numbers.result);
    return true;
  }
  if (text.includes('@')) return takeIf(text, findings, ({ kind }) => kind === 'email');
  return isName(text) && readName(text, word, findings);
}

/** Labels of which the last has a letter: `evil.com`, not `libssl.so.1.1`. Two tests, each linear. */
const isName = (text: string): boolean =>
  NAME.test(text) && LETTER.test(text.slice(text.lastIndexOf('.') + 1).replace(/:\d+$/, ''));

function readPart(text: string, word: Word, findings: Findings): void {
  if (text.length < SHORTEST || readOne(text, { ...word, isDefanged: false }, findings)) return;
  readInside(text, findings);
}

function readDigest(text: string, findings: Findings): boolean {
  if (!HEX_LETTER.test(text)) return true;
  const hash = knownHash(text);
  if (hash !== null) findings.take(text, { ok: true, indicator: hash });
  else if (WRONG_LENGTHS.has(text.length)) {
    const parsed = findings.parse(text);
    findings.take(text, parsed.ok || text.length === 31 ? reject('otherHash') : parsed);
  }
  return true;
}

/** `evil.com`, `evil.com:8443`. False when the name may contain another indicator, such as a digest before `.exe`. */
function readName(text: string, word: Word, findings: Findings): boolean {
  const parsed = findings.parse(text);
  const isAlone = LINE_EDGE.test(word.before.slice(-1)) && LINE_EDGE.test(word.after.charAt(0));
  if (!parsed.ok || parsed.indicator.kind !== 'domain') {
    if (!isAlone || parsed.ok || NOT_ASCII.test(text) || hasDigest(text)) return false;
    findings.take(text, parsed);
    return true;
  }
  const name = text.replace(/:\d{1,5}$/, '');
  const meaning = meaningOf(name, parsed.indicator.registrable, {
    isField: FIELD_EDGE.test(word.before.slice(-1)) && FIELD_EDGE.test(word.after.charAt(0)),
    isPath: /[/\\]$/.test(word.before),
    isCalled: /^\((?!\d)/.test(word.after),
  });
  if (meaning === 'domain') findings.take(text, parsed);
  if (meaning === 'file') findings.take(text, reject('fileName'));
  return !hasDigest(text);
}

const hasDigest = (text: string): boolean =>
  text.length > 32 && text.split(INNER_JOINTS).some((part) => part.split('.').some(isDigest));
const isDigest = (part: string): boolean => HEX_LETTER.test(part) && knownHash(part) !== null;

/** Finds digests and addresses inside a longer name, as in malware archives and range lists, but never domains. */
function readInside(text: string, findings: Findings): void {
  for (const part of text.split(INNER_JOINTS)) {
    const numbers = readNumbers(part, NO_SURROUNDINGS, findings.parse);
    if (numbers !== null && numbers !== 'nothing' && numbers.result.ok)
      findings.take(numbers.raw, numbers.result);
    else for (const piece of part.split('.')) if (isDigest(piece)) readDigest(piece, findings);
  }
}

function takeIf(text: string, findings: Findings, accepts: (indicator: Indicator) => boolean): boolean {
  const parsed = findings.parse(text);
  if (!parsed.ok || !accepts(parsed.indicator)) return false;
  findings.take(text, parsed);
  return true;
}

const NO_SURROUNDINGS: Surroundings = { before: '', after: '', previous: '' };

function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isEdge(text, start, 1)) start += 1;
  while (end > start && isEdge(text, end - 1, -1)) end -= 1;
  return text.slice(start, end);
}

function isEdge(text: string, at: number, inwards: 1 | -1): boolean {
  const char = text.charAt(at);
  if (char === ':') return text.charAt(at + inwards) !== ':';
  return char === '.' || char === '-' || char === '@' || char === '+' || (char === '_' && inwards === -1);
}
