export type InjectionFacts = {
  /** 0 to 1, for the whole text including hidden text. */
  readonly score: number;
  readonly families: readonly string[];
  /** 0 to 1, of the hidden text alone. */
  readonly hiddenScore: number;
};

/**
 * Families of prompt injection: sentences that address a program that reads the text instead of its human reader. These
 * are heuristics: a text that only quotes such a sentence, like this documentation, scores as well.
 */
const FAMILIES: Readonly<Record<string, { readonly weight: number; readonly patterns: readonly RegExp[] }>> =
  {
    instruction_override: {
      weight: 0.6,
      patterns: [
        /\b(?:ignore|disregard|forget|override)\s(?:all\s|any\s|the\s|your\s|my\s){0,3}(?:previous|prior|above|earlier|preceding|system)\s(?:\w{1,20}\s)?(?:instructions?|prompts?|rules|messages?|context)\b/gi,
        /\b(?:new|updated|real)\s(?:system\s)?instructions?\s?:/gi,
        /\bignoriere\s(?:alle\s)?(?:vorherigen|bisherigen)\s(?:anweisungen|instruktionen)\b/gi,
        /\bignorez?\s(?:toutes\s)?les\sinstructions\spr[eé]c[eé]dentes\b/gi,
        /\bignora\s(?:todas\s)?las\sinstrucciones\santeriores\b/gi,
      ],
    },
    role_play: {
      weight: 0.4,
      patterns: [
        /\byou\sare\snow\s(?:an?\s|the\s|in\s){0,2}(?:\w{1,20}\s){0,3}(?:assistant|ai|model|mode|agent|developer|admin)\b/gi,
        /\b(?:act|respond|behave)\sas\s(?:if\syou\s(?:are|were)\s)?(?:an?\s|the\s)?(?:unrestricted|jailbroken|developer|system|dan)\b/gi,
        /(?:^|\n)\s{0,9}(?:#{1,3}\s)?(?:system|assistant)\s?(?:prompt|message)?\s?:/gi,
        /<\|?(?:im_start|system|endoftext)\|?>|\[\/?INST\]/gi,
      ],
    },
    tool_abuse: {
      weight: 0.4,
      patterns: [
        /\b(?:call|invoke|execute|run)\s(?:the\s|your\s)?(?:\w{1,30}\s)?(?:tool|function|plugin)\b[^.]{0,60}\b(?:send|delete|forward|transfer|fetch)\b/gi,
        /\b(?:ai|assistant|model|agent|llm)\b[^.]{0,60}\b(?:must|should|shall)\s(?:now\s)?(?:forward|delete|reply|click|open|approve|mark)\b/gi,
      ],
    },
    data_exfiltration: {
      weight: 0.5,
      patterns: [
        /\b(?:reveal|print|repeat|output|leak|send)\s(?:me\s|us\s)?(?:your|the)\s(?:system\s|initial\s|hidden\s){1,2}(?:prompt|instructions?|message)\b/gi,
        /\b(?:forward|send|append|include|encode)\s(?:all\s|the\s|every\s){0,2}(?:user'?s\s)?(?:mails?|e-?mails?|messages|inbox|conversation|contacts|api\skeys?|credentials|passwords)\s(?:\w{1,20}\s){0,3}(?:to|into|in)\s(?:the\s)?(?:https?:|url|link|address|image)/gi,
        /!\[[^\]]{0,80}\]\(https?:[^)]{0,200}(?:\{|%7b|<)/gi,
      ],
    },
    encoding: {
      weight: 0.2,
      patterns: [
        /\b(?:decode|decrypt)\s(?:the\s|this\s)?(?:following\s)?(?:base64|rot13|hex)\b[^.]{0,60}\b(?:follow|execute|obey|instructions?)\b/gi,
      ],
    },
  };

const CHARS_MAX = 1024 * 1024;
const HIDDEN_WEIGHT = 0.3;
const SPANS_PER_PATTERN_MAX = 20;

export type InjectionSpan = { readonly start: number; readonly end: number; readonly family: string };
export type FoundInjection = {
  readonly score: number;
  readonly families: readonly string[];
  /** Positions of the sentences in the given text. */
  readonly spans: readonly InjectionSpan[];
};

type Plain = {
  readonly text: string;
  /** For each character of `text` its position in the given text. */
  readonly from: Uint32Array;
};

const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || (code >= 0x2000 && code <= 0x200a);

/** Removes invisible characters and replaces each run of white space with one space. */
function plainOf(text: string): Plain {
  const length = Math.min(text.length, CHARS_MAX);
  const from = new Uint32Array(length + 1);
  const parts: string[] = [];
  let [kept, runFrom, isAfterSpace] = [0, 0, false];
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    const isBlank = isSpace(code);
    const isDropped = isBlank
      ? isAfterSpace
      : code >= 0x80 && IGNORED.test(text.slice(at, at + (isHigh(code) ? 2 : 1)));
    if (isDropped || (isBlank && code !== 32)) {
      parts.push(text.slice(runFrom, at));
      runFrom = at + 1;
      if (!isDropped) parts.push(' ');
      // The low half of a surrogate pair is dropped together with its high half.
      if (isDropped && isHigh(code)) {
        at += 1;
        runFrom = at + 1;
      }
    }
    if (!isDropped) {
      from[kept] = at;
      kept += 1;
      isAfterSpace = isBlank;
    }
  }
  parts.push(text.slice(runFrom, length));
  from[kept] = length;
  return { text: parts.join(''), from };
}

const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

/** Every sentence of every family, with its place. */
export function findInjection(text: string): FoundInjection {
  const plain = plainOf(text);
  const spans = Object.entries(FAMILIES).flatMap(([family, { patterns }]) =>
    patterns.flatMap((pattern) => spansOf(plain, pattern, family)),
  );
  spans.sort((one, other) => one.start - other.start || one.end - other.end);
  const families = Object.keys(FAMILIES).filter((name) => spans.some(({ family }) => family === name));
  return { ...scoreOf(families), spans };
}

function spansOf({ text, from }: Plain, pattern: RegExp, family: string): InjectionSpan[] {
  const spans: InjectionSpan[] = [];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    const end = (from[index + found.length - 1] ?? 0) + 1;
    spans.push({ start: from[index] ?? 0, end, family });
    if (spans.length >= SPANS_PER_PATTERN_MAX) break;
  }
  return spans;
}

/** Weights of families combine like independent witnesses, so they raise the score together and never above 1. */
export function scoreOf(families: readonly string[]): Pick<FoundInjection, 'score' | 'families'> {
  const doubt = families.reduce((left, name) => left * (1 - (FAMILIES[name]?.weight ?? 0)), 1);
  return { score: rounded(1 - doubt), families };
}

export function readInjection(visible: string, hidden: string): InjectionFacts {
  const inHidden = findInjection(hidden);
  const all = findInjection(`${visible}\n${hidden}`);
  const isHidden = inHidden.score > 0;
  const score = isHidden ? 1 - (1 - all.score) * (1 - HIDDEN_WEIGHT) : all.score;
  return {
    score: rounded(score),
    families: isHidden ? [...all.families, 'hidden_text'] : all.families,
    hiddenScore: inHidden.score,
  };
}

const rounded = (score: number): number => Math.round(score * 100) / 100;
