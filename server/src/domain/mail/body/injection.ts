export type InjectionFacts = {
  /** 0 to 1, of the whole text, hidden text included. */
  readonly score: number;
  readonly families: readonly string[];
  /** 0 to 1, of the hidden text alone. */
  readonly hiddenScore: number;
};

/**
 * Sentences that address a program that reads the mail instead of its reader. Heuristics: quoting such a sentence, as this
 * documentation does, scores as well.
 */
const FAMILIES: Readonly<Record<string, { readonly weight: number; readonly patterns: readonly RegExp[] }>> =
  {
    instruction_override: {
      weight: 0.6,
      patterns: [
        /\b(?:ignore|disregard|forget|override)\s(?:all\s|any\s|the\s|your\s|my\s){0,3}(?:previous|prior|above|earlier|preceding|system)\s(?:\w{1,20}\s)?(?:instructions?|prompts?|rules|messages?|context)\b/i,
        /\b(?:new|updated|real)\s(?:system\s)?instructions?\s?:/i,
        /\bignoriere\s(?:alle\s)?(?:vorherigen|bisherigen)\s(?:anweisungen|instruktionen)\b/i,
        /\bignorez?\s(?:toutes\s)?les\sinstructions\spr[eé]c[eé]dentes\b/i,
        /\bignora\s(?:todas\s)?las\sinstrucciones\santeriores\b/i,
      ],
    },
    role_play: {
      weight: 0.4,
      patterns: [
        /\byou\sare\snow\s(?:an?\s|the\s|in\s){0,2}(?:\w{1,20}\s){0,3}(?:assistant|ai|model|mode|agent|developer|admin)\b/i,
        /\b(?:act|respond|behave)\sas\s(?:if\syou\s(?:are|were)\s)?(?:an?\s|the\s)?(?:unrestricted|jailbroken|developer|system|dan)\b/i,
        /(?:^|\n)\s{0,9}(?:#{1,3}\s)?(?:system|assistant)\s?(?:prompt|message)?\s?:/i,
        /<\|?(?:im_start|system|endoftext)\|?>|\[\/?INST\]/i,
      ],
    },
    tool_abuse: {
      weight: 0.4,
      patterns: [
        /\b(?:call|invoke|execute|run)\s(?:the\s|your\s)?(?:\w{1,30}\s)?(?:tool|function|plugin)\b[^.]{0,60}\b(?:send|delete|forward|transfer|fetch)\b/i,
        /\b(?:ai|assistant|model|agent|llm)\b[^.]{0,60}\b(?:must|should|shall)\s(?:now\s)?(?:forward|delete|reply|click|open|approve|mark)\b/i,
      ],
    },
    data_exfiltration: {
      weight: 0.5,
      patterns: [
        /\b(?:reveal|print|repeat|output|leak|send)\s(?:me\s|us\s)?(?:your|the)\s(?:system\s|initial\s|hidden\s){1,2}(?:prompt|instructions?|message)\b/i,
        /\b(?:forward|send|append|include|encode)\s(?:all\s|the\s|every\s){0,2}(?:user'?s\s)?(?:mails?|e-?mails?|messages|inbox|conversation|contacts|api\skeys?|credentials|passwords)\s(?:\w{1,20}\s){0,3}(?:to|into|in)\s(?:the\s)?(?:https?:|url|link|address|image)/i,
        /!\[[^\]]{0,80}\]\(https?:[^)]{0,200}(?:\{|%7b|<)/i,
      ],
    },
    encoding: {
      weight: 0.2,
      patterns: [
        /\b(?:decode|decrypt)\s(?:the\s|this\s)?(?:following\s)?(?:base64|rot13|hex)\b[^.]{0,60}\b(?:follow|execute|obey|instructions?)\b/i,
      ],
    },
  };

const CHARS_MAX = 1024 * 1024;
const HIDDEN_WEIGHT = 0.3;

function scoreOf(text: string): { readonly score: number; readonly families: readonly string[] } {
  const plain = text
    .slice(0, CHARS_MAX)
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ');
  const families = Object.entries(FAMILIES).filter(([, { patterns }]) =>
    patterns.some((pattern) => pattern.test(plain)),
  );
  const doubt = families.reduce((left, [, { weight }]) => left * (1 - weight), 1);
  return { score: 1 - doubt, families: families.map(([name]) => name) };
}

export function readInjection(visible: string, hidden: string): InjectionFacts {
  const inHidden = scoreOf(hidden);
  const all = scoreOf(`${visible}\n${hidden}`);
  const isHidden = inHidden.score > 0;
  const score = isHidden ? 1 - (1 - all.score) * (1 - HIDDEN_WEIGHT) : all.score;
  return {
    score: rounded(score),
    families: isHidden ? [...all.families, 'hidden_text'] : all.families,
    hiddenScore: rounded(inHidden.score),
  };
}

const rounded = (score: number): number => Math.round(score * 100) / 100;
