import { isMalicious, type NameWord } from '../mail/index.ts';
import type { GateFacts } from './read-content.ts';

export const GATE_VERDICTS = ['allow', 'warn', 'block'] as const;
export type GateVerdict = (typeof GATE_VERDICTS)[number];
export const LINK_VERDICTS = ['clean', 'suspicious', 'malicious', 'unknown'] as const;
export type LinkVerdict = (typeof LINK_VERDICTS)[number];

export type GateJudgement = {
  readonly verdict: GateVerdict;
  readonly links: readonly LinkVerdict[];
  readonly sanitized: string | null;
};

/** No injection family reaches it alone; the strongest (0.6) does with a second one of at least 0.4. */
const BLOCKED_SCORE = 0.75;
const WARNED_SCORE = 0.3;
const REMOVED = '[removed]';
const LINK_REMOVED = '[link removed]';

/**
 * `clean` needs a name that the dataset knows as established and that no threat list names. One threat listing is
 * enough against it (trap 16a); a link that the dataset does not know is `unknown`.
 */
export function judgeLink(word: NameWord, isLoaded: boolean): LinkVerdict {
  if (word.isAllowed) return 'clean';
  if (isMalicious(word) || word.level === 'high' || word.level === 'critical') return 'malicious';
  if (word.sources > 0 || word.imitates !== null) return 'suspicious';
  return isLoaded && word.isEstablished ? 'clean' : 'unknown';
}

/** `allow` means only that this scan found no objection; a text that could not be read completely gets a warning. */
export function judgeContent(
  content: string,
  facts: GateFacts,
  words: readonly NameWord[],
  isLoaded: boolean,
): GateJudgement {
  const links = words.map((word) => judgeLink(word, isLoaded));
  const { score } = facts.injection;
  const isBlocked = links.includes('malicious') || score >= BLOCKED_SCORE;
  // Without loaded threat lists no link was really looked up (trap 16a).
  const isUnjudged = facts.isLinksCut || facts.unreadLinks > 0 || (links.length > 0 && !isLoaded);
  const isWarned = links.includes('suspicious') || score >= WARNED_SCORE || isUnjudged;
  const verdict = isBlocked ? 'block' : isWarned ? 'warn' : 'allow';
  return { verdict, links, sanitized: sanitize(content, facts, links) };
}

/** The content without the injection sentences and malicious links; null if there is nothing to remove. */
function sanitize(
  content: string,
  { injection, links }: GateFacts,
  verdicts: readonly LinkVerdict[],
): string | null {
  const bad = links.filter((_, at) => verdicts[at] === 'malicious');
  if (injection.spans.length === 0 && bad.length === 0) return null;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of injection.spans) {
    if (start >= from) parts.push(content.slice(from, start), REMOVED);
    from = Math.max(from, end);
  }
  parts.push(content.slice(from));
  return withoutLinks(
    parts.join(''),
    bad.flatMap((link) => link.raws),
  );
}

const START_CHARS = 4;

/** Removes all links in one pass: 200 passes over a mebibyte would block the event loop. */
function withoutLinks(text: string, raws: readonly string[]): string {
  const longestFirst = raws.toSorted((one, other) => other.length - one.length);
  const byStart = Map.groupBy(longestFirst, (raw) => raw.slice(0, START_CHARS));
  const firsts = new Set(longestFirst.map((raw) => raw.charCodeAt(0)));
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!firsts.has(text.charCodeAt(at))) continue;
    const raw = byStart.get(text.slice(at, at + START_CHARS))?.find((one) => text.startsWith(one, at));
    if (raw === undefined) continue;
    parts.push(text.slice(from, at), LINK_REMOVED);
    from = at + raw.length;
    at = from - 1;
  }
  parts.push(text.slice(from));
  return parts.join('');
}
