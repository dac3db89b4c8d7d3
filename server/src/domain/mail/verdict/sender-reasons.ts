import type { Email } from '../../indicator/index.ts';
import { type FoldedText, foldText, type Imitation, namedBrandIn, ownsBrand } from '../../lookalike/index.ts';
import { organizationOf } from '../body/links.ts';
import { cameFromInternet } from '../headers/received.ts';
import type { MessageFacts } from '../message-facts.ts';
import { imitationOf, isWeakImitation } from './imitation.ts';
import { isMalicious, type MailAnswers, type NameWord } from './item-word.ts';
import { inert, inertValue, type Reason, type Sign, severityOfLevel } from './reason.ts';

const INVISIBLE_MIN = 2;
const STYLED_MIN = 3;

const isDisguised = ({ invisible, styled, isMixed }: FoldedText): boolean =>
  invisible >= INVISIBLE_MIN || styled >= STYLED_MIN || isMixed;

const hostOf = (email: Email): string => email.domain.value;

/** True if the dataset's popularity ranks or the caller's own list vouch for the name (contract 4.9 rule 5). */
const isVouched = (word: NameWord | null): boolean => word !== null && (word.isEstablished || word.isAllowed);

export function listedReason(
  code: 'sender.listed' | 'reply_to.listed' | 'link.listed' | 'ip.listed',
  what: string,
  value: string,
  word: {
    readonly weight: number;
    readonly level: NameWord['level'];
    readonly sourceNames: readonly string[];
  },
  isDecisive: boolean,
): Reason | null {
  const severity = isDecisive ? 'high' : severityOfLevel(word.level);
  if (severity === null) return null;
  const names = word.sourceNames.slice(0, 3).join(', ');
  return {
    code,
    severity,
    summary: `${what} is on ${word.sourceNames.length === 1 ? 'a threat list' : 'threat lists'} (${names}).`,
    evidence: inertValue(value),
  };
}

/** Reasons about who the message says it is from. */
export function senderReasons(facts: MessageFacts, answers: MailAnswers): readonly (Reason | Sign)[] {
  const { from } = facts;
  const reasons: (Reason | Sign | null)[] = [
    ...nameReasons(facts, answers),
    ...addressReasons(facts, answers),
    ...replyReasons(facts, answers),
  ];
  if (facts.fromCount > 1)
    reasons.push({
      code: 'headers.several_from',
      severity: 'low',
      summary: 'The message names more than one author, and programs show different ones.',
      evidence: inert(from?.address ?? ''),
    });
  return reasons.filter((reason) => reason !== null);
}

function nameReasons({ from, subject }: MessageFacts, { sender }: MailAnswers): readonly Reason[] {
  const reasons: Reason[] = [];
  const shown = foldText(from?.name ?? '');
  const written = foldText(from?.address ?? '');
  const isHidden = isDisguised(shown) || written.styled > 0;
  if (isHidden)
    reasons.push({
      code: 'headers.disguised_text',
      severity: 'medium',
      summary:
        'The name of the sender is spelled with invisible, decorated or foreign letters that hide it from filters.',
      evidence: inert(written.styled > 0 ? written.plain : shown.plain),
    });
  else if (foldText(subject ?? '').invisible >= INVISIBLE_MIN)
    reasons.push({
      code: 'headers.disguised_text',
      severity: 'low',
      summary: 'The subject has invisible characters between its letters.',
      evidence: inert(foldText(subject ?? '').plain),
    });
  const brand = namedBrandIn(shown);
  const isOwn = brand !== null && from?.email != null && ownsBrand(hostOf(from.email), brand.brand);
  if (brand !== null && !isOwn && !isVouched(sender))
    reasons.push({
      code: 'headers.display_name_brand',
      severity: isHidden || sender === null || sender.isFree || sender.isPlatform ? 'high' : 'medium',
      summary: `The sender calls itself ${brand.name}, but its address does not belong to ${brand.name}.`,
      evidence: inert(`${shown.plain} <${from?.address ?? ''}>`),
    });
  return reasons;
}

const ADDRESS_IN_NAME = /[a-z0-9._+-]{1,64}@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6})/i;

function addressReasons(
  { from, received, links }: MessageFacts,
  { sender }: MailAnswers,
): readonly (Reason | Sign | null)[] {
  const reasons: (Reason | Sign | null)[] = [];
  const email = from?.email ?? null;
  const inName = ADDRESS_IN_NAME.exec(from?.name ?? '')?.[1]?.toLowerCase();
  if (inName !== undefined && email !== null && !isSameOrganization(inName, email))
    reasons.push({
      code: 'headers.display_name_address',
      severity: isVouched(sender) ? 'info' : 'medium',
      summary: 'The name of the sender is an address of another domain than the one that sent the message.',
      evidence: inert(`${from?.name ?? ''} <${email.value}>`),
    });
  if (email === null) {
    if (from?.address != null)
      reasons.push({
        code: 'sender.invalid_domain',
        severity: cameFromInternet(received) && links.some(({ way }) => way !== 'load') ? 'medium' : 'info',
        summary: 'The sender has an address to which no reply can be sent, because its domain cannot exist.',
        evidence: inert(from.address),
      });
    return reasons;
  }
  if (sender === null) return reasons;
  reasons.push(listedReason('sender.listed', 'The sender', email.value, sender, isMalicious(sender)));
  const imitated = imitationOf(hostOf(email), sender);
  if (imitated !== null) reasons.push(lookalikeReason(foldText(from?.name ?? ''), imitated, email));
  if (sender.isDisposable)
    reasons.push({
      code: 'sender.disposable',
      severity: 'medium',
      summary: 'The sender uses a throw-away mailbox.',
      evidence: inertValue(email.value),
    });
  if (sender.isPlatform && !sender.isFree)
    reasons.push({
      code: 'sender.platform',
      severity: 'info',
      points: 1,
      summary: 'The sender uses a name under a platform where anybody gets one.',
      evidence: inertValue(hostOf(email)),
    });
  return reasons;
}

function lookalikeReason(shown: FoldedText, imitated: Imitation, email: Email): Reason | Sign {
  const brand = namedBrandIn(shown);
  const isSame = brand !== null && ownsBrand(imitated.of, brand.brand);
  const isClose = imitated.technique === 'typosquat' || imitated.technique === 'homoglyph';
  const reason = {
    code: 'sender.brand_lookalike',
    summary: `The domain of the sender resembles ${inertValue(imitated.of)} and does not belong to it.`,
    evidence: inertValue(hostOf(email)),
  } as const;
  if (!isSame && isWeakImitation(imitated)) return { ...reason, severity: 'info', points: 0.5 };
  return { ...reason, severity: isSame || isClose ? 'high' : 'medium' };
}

function isSameOrganization(host: string, email: Email): boolean {
  const organization = organizationOf(email.domain);
  return host === organization || host.endsWith(`.${organization}`) || hostOf(email).endsWith(host);
}

function replyReasons(
  { from, replyTo, returnPath }: MessageFacts,
  answers: MailAnswers,
): readonly (Reason | Sign | null)[] {
  const email = from?.email ?? null;
  const reasons: (Reason | Sign | null)[] = [];
  for (const [at, { email: reply }] of replyTo.entries()) {
    const word = answers.replyTo[at] ?? null;
    if (reply === null || word === null) continue;
    reasons.push(listedReason('reply_to.listed', 'The address for replies', reply.value, word, false));
    const imitated = imitationOf(hostOf(reply), word);
    if (imitated !== null)
      reasons.push({
        code: 'reply_to.brand_lookalike',
        ...(isWeakImitation(imitated) ? { severity: 'info', points: 0.5 } : { severity: 'medium' }),
        summary: `Replies go to a domain that resembles ${inertValue(imitated.of)} and does not belong to it.`,
        evidence: inertValue(hostOf(reply)),
      });
    if (email !== null && organizationOf(email.domain) !== organizationOf(reply.domain))
      reasons.push({
        code: word.isFree ? 'headers.reply_to_freemail' : 'headers.reply_to_elsewhere',
        severity: 'info',
        points: 0.5,
        summary: word.isFree
          ? 'Replies go to a free mailbox and not to the domain of the sender.'
          : 'Replies go to another domain than that of the sender.',
        evidence: `${inertValue(email.value)}, ${inertValue(reply.value)}`,
      });
  }
  const bounce = returnPath?.email ?? null;
  if (bounce !== null && email !== null && organizationOf(bounce.domain) !== organizationOf(email.domain))
    reasons.push({
      code: 'headers.return_path_mismatch',
      severity: 'info',
      points: 0,
      summary: 'Bounces go to another domain than that of the sender, as with most mail services.',
      evidence: `${inertValue(hostOf(email))}, ${inertValue(hostOf(bounce))}`,
    });
  return reasons;
}
