import type { Authentication } from '../headers/authentication.ts';
import type { MessageFacts } from '../message-facts.ts';
import { attachmentReasons } from './attachment-reasons.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type ItemWord, isMalicious, type MailAnswers } from './item-word.ts';
import { type JudgedLink, judgeLinks } from './link-reasons.ts';
import { authenticationReasons, otherReasons } from './other-reasons.ts';
import { type Reason, SEVERITIES, type Severity, type Sign } from './reason.ts';
import { senderReasons } from './sender-reasons.ts';

export const MAIL_VERDICTS = ['malicious', 'suspicious', 'clean', 'inconclusive'] as const;
export type MailVerdict = (typeof MAIL_VERDICTS)[number];
export const MAIL_ACTIONS = ['quarantine', 'review', 'warn', 'deliver'] as const;
export type MailAction = (typeof MAIL_ACTIONS)[number];
/** No item is called clean: without evidence against it, it is unknown. */
export const ITEM_VERDICTS = ['malicious', 'suspicious', 'unknown'] as const;
export type ItemVerdict = (typeof ITEM_VERDICTS)[number];

export type MailJudgement = {
  readonly verdict: MailVerdict;
  readonly action: MailAction;
  readonly score: number;
  readonly headline: string;
  /** Strongest first. */
  readonly reasons: readonly Reason[];
  readonly links: readonly (JudgedLink & { readonly verdict: ItemVerdict })[];
  readonly attachments: readonly { readonly verdict: ItemVerdict }[];
  readonly sender: ItemVerdict;
  readonly connecting: ItemVerdict;
  readonly coverage: Coverage;
};

const REASONS_MAX = 100;
/** Weak signs add up: from 1.5 points they are a warning (`low`), from 2.5 suspicious (`medium`). */
const COMBINATION = { low: 1.5, medium: 2.5 } as const;
const BASE: Readonly<Record<Severity, number>> = { high: 70, medium: 45, low: 20, info: 8 };

const isSign = (reason: Reason | Sign): reason is Sign => 'points' in reason;

/** The reason that weak signs make together; null below the threshold. Signs of one kind count once. */
function combinationOf(reasons: readonly (Reason | Sign)[]): Reason | null {
  const points = new Map<string, number>();
  for (const reason of reasons)
    if (isSign(reason) && reason.points > 0) {
      const kind = KIND[reason.code] ?? reason.code;
      points.set(kind, Math.max(reason.points, points.get(kind) ?? 0));
    }
  const total = [...points.values()].reduce((sum, each) => sum + each, 0);
  if (total < COMBINATION.low) return null;
  return {
    code: 'message.combination',
    severity: total >= COMBINATION.medium ? 'medium' : 'low',
    summary: 'Several weak signs occur together that are harmless alone.',
    evidence: [...points.keys()].map((code) => code.replaceAll(/[._]/g, ' ')).join(', '),
  };
}
/** Signs that count as one kind: both codes say that replies go to another address. */
const KIND: Readonly<Record<string, string>> = { 'headers.reply_to_freemail': 'headers.reply_to_elsewhere' };

const order = ({ severity }: Reason): number => SEVERITIES.indexOf(severity);

/** Removes repetitions: the same reason about fifty links is shown once. */
function arranged(reasons: readonly Reason[]): readonly Reason[] {
  const known = new Map<string, Reason>();
  for (const reason of reasons) {
    const key = `${reason.code} ${reason.evidence}`;
    if (!known.has(key)) known.set(key, reason);
  }
  return [...known.values()]
    .map(({ code, severity, summary, evidence }) => ({ code, severity, summary, evidence }))
    .sort((a, b) => order(a) - order(b))
    .slice(0, REASONS_MAX);
}

const verdictOfItem = (word: ItemWord | null, reasons: readonly Reason[]): ItemVerdict => {
  if (word !== null && isMalicious(word)) return 'malicious';
  return reasons.some(({ severity }) => severity === 'high' || severity === 'medium')
    ? 'suspicious'
    : 'unknown';
};

/** True if all conditions of contract 4.9 rule 2 hold. */
export function mayBeClean(
  facts: MessageFacts,
  answers: MailAnswers,
  authentication: Authentication,
): boolean {
  const isWhole =
    facts.cuts.length === 0 &&
    facts.unreadMessages === 0 &&
    facts.unreadLinks === 0 &&
    answers.hasThreatLists &&
    !answers.links.some(({ isShortener }) => isShortener);
  const knowsFiles = facts.attachments.every(
    (file, at) =>
      file.isMessage || file.detectedType === 'image' || answers.attachments[at]?.isKnownGood === true,
  );
  const isAligned = authentication.status === 'trusted' && authentication.dmarc === 'pass';
  const author = facts.from?.email?.domain.value ?? null;
  // Authentication of another domain than the one shown to the reader proves nothing about the sender.
  const isOfAuthor = authentication.headerFrom === null || authentication.headerFrom === author;
  return (
    isWhole &&
    knowsFiles &&
    isAligned &&
    isOfAuthor &&
    facts.fromCount === 1 &&
    answers.sender?.isEstablished === true &&
    !answers.sender.isFree
  );
}

function conclude(
  isBad: boolean,
  strongest: Severity | null,
  isClean: boolean,
): readonly [MailVerdict, MailAction] {
  if (isBad) return ['malicious', 'quarantine'];
  if (strongest === 'high') return ['suspicious', 'review'];
  if (strongest === 'medium') return ['suspicious', 'warn'];
  if (strongest === 'low') return ['inconclusive', 'warn'];
  return isClean ? ['clean', 'deliver'] : ['inconclusive', 'deliver'];
}

/** 90 and more only when malicious, 40 to 89 when suspicious, at most 39 otherwise (decisions 3.11). */
function scoreOf(verdict: MailVerdict, reasons: readonly Reason[]): number {
  const strongest = reasons[0]?.severity ?? null;
  if (verdict === 'clean') return 0;
  const more = reasons.filter(({ severity }) => severity !== 'info').length;
  if (verdict === 'malicious') return Math.min(100, 95 + more);
  const score = (strongest === null ? 5 : BASE[strongest]) + 3 * Math.max(0, more - 1);
  return Math.min(verdict === 'suspicious' ? 89 : 39, score);
}

const HEADLINES: Readonly<Record<MailVerdict, string>> = {
  malicious: 'The message holds something that reliable threat lists know.',
  suspicious: 'The message shows signs of deception.',
  clean: 'Nothing speaks against the message, and its sender is established and authenticated.',
  inconclusive: 'Nothing decisive was found, which does not make the message safe.',
};

/** Judges a message by contract 4.9. The shape of a message alone never makes it malicious (contract 4.9 rule 1). */
export function judgeMessage(
  facts: MessageFacts,
  answers: MailAnswers,
  authentication: Authentication,
): MailJudgement {
  const links = judgeLinks(facts, answers);
  const files = facts.attachments.map((file, at) => attachmentReasons(file, answers.attachments[at] ?? null));
  const ofSender = senderReasons(facts, answers);
  const found = [
    ...files.flat(),
    ...links.flatMap(({ reasons }) => reasons),
    ...ofSender,
    ...otherReasons(facts, answers),
    ...authenticationReasons(authentication, facts),
  ];
  const combination = combinationOf(found);
  const reasons = arranged(combination === null ? found : [...found, combination]);
  const decisive = [answers.sender, ...answers.links, ...answers.attachments];
  const isBad = decisive.some((word) => word !== null && isMalicious(word));
  const strongest = reasons[0]?.severity ?? null;
  const [verdict, action] = conclude(isBad, strongest, mayBeClean(facts, answers, authentication));
  const first = reasons.find(({ severity }) => severity !== 'info');
  return {
    verdict,
    action,
    score: scoreOf(verdict, reasons),
    headline:
      verdict === 'suspicious' || verdict === 'malicious'
        ? `${HEADLINES[verdict]} ${first?.summary ?? ''}`.trim()
        : HEADLINES[verdict],
    reasons,
    links: links.map((link, at) => ({
      ...link,
      verdict: verdictOfItem(answers.links[at] ?? null, link.reasons),
    })),
    attachments: files.map((of, at) => ({ verdict: verdictOfItem(answers.attachments[at] ?? null, of) })),
    sender: verdictOfItem(
      answers.sender,
      ofSender.filter(({ code }) => code.startsWith('sender.') || code.startsWith('headers.display')),
    ),
    connecting: answers.connecting === null ? 'unknown' : ipVerdict(answers.connecting.word),
    coverage: coverageOf(facts, answers, authentication),
  };
}

const ipVerdict = ({ level }: ItemWord): ItemVerdict =>
  level === 'high' || level === 'critical' || level === 'medium' ? 'suspicious' : 'unknown';
