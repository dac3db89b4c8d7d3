import { type Email, isBogon } from '../../indicator/index.ts';
import { BRAND_TABLE, ownsBrand } from '../../lookalike/index.ts';
import { type LinkFact, organizationOf } from '../body/links.ts';
import type { MessageFacts } from '../message-facts.ts';
import { imitationOf, isWeakImitation } from './imitation.ts';
import { isMalicious, type MailAnswers, type NameWord } from './item-word.ts';
import { inert, inertValue, type Reason, type Sign } from './reason.ts';
import { listedReason } from './sender-reasons.ts';

export const LINK_FLAGS = [
  'anchor_mismatch',
  'punycode',
  'ip_host',
  'credentials',
  'shortener',
  'brand_lookalike',
  'newly_registered',
] as const;
export type LinkFlag = (typeof LINK_FLAGS)[number];
export type JudgedLink = {
  readonly flags: readonly LinkFlag[];
  readonly reasons: readonly (Reason | Sign)[];
};

/** A name like `64-120-94-221.hosting.example`, which hosting companies give to addresses without a site. */
const NAMED_AFTER_ADDRESS = /(?:^|[.-])(?:\d{1,3}[.-]){3}\d{1,3}(?:[.-]|$)/;

const isOfAddress = ({ host }: LinkFact): boolean =>
  host.kind === 'ip' ? !isBogon(host) : NAMED_AFTER_ADDRESS.test(host.value);

const isClicked = ({ way }: LinkFact): boolean => way !== 'load';

/** True if both domains belong to one owner by the table of brands. */
const isSameOwner = (one: string, other: string): boolean =>
  BRAND_TABLE.some(({ domains }) => ownsBrand(one, domains[0] ?? '') && ownsBrand(other, domains[0] ?? ''));

type LinkCase = {
  readonly link: LinkFact;
  /** What the dataset says of the host that the link opens. */
  readonly word: NameWord;
  /** What the dataset says of the domain that the link shows; null where it shows none. */
  readonly shown: NameWord | null;
  readonly sender: Sender;
};
type Sender = { readonly email: Email | null; readonly word: NameWord | null };

/**
 * True if a mismatch is only tracking (decisions 3.11): the target is widely used, or an established sender (O16) shows
 * its own domain or links to its own click counter. A link to the sender's own domain that shows a popular domain of
 * somebody else is never tracking, because the text of the link is then the deception.
 */
function isTracked({ link, word, shown, sender }: LinkCase): boolean {
  const shownName = link.shownDomain ?? '';
  if (isSameOwner(shownName, link.host.value)) return true;
  const own = sender.email === null ? null : organizationOf(sender.email.domain);
  const isTrusted = sender.word !== null && (sender.word.isEstablished || sender.word.isAllowed);
  const isOfOwner =
    own !== null &&
    (shownName === own ||
      shownName.endsWith(`.${own}`) ||
      isSameOwner(shownName, sender.email?.domain.value ?? ''));
  const isPopular = shown !== null && (shown.isRanked || shown.isFree);
  if (organizationOf(link.host) === own) return isTrusted && (isOfOwner || !isPopular);
  return word.isEstablished || word.isRanked || (isTrusted && isOfOwner);
}

function mismatchReason(mismatch: LinkCase): Reason {
  const { link } = mismatch;
  const evidence = `shows ${inert(link.shownDomain ?? '')}, opens ${inertValue(link.host.value)}`;
  return isTracked(mismatch)
    ? {
        code: 'link.anchor_mismatch_tracked',
        severity: 'info',
        summary:
          'A link shows one domain and opens another that is widely used or belongs to the established sender.',
        evidence,
      }
    : {
        code: 'link.anchor_mismatch',
        severity: 'medium',
        summary: 'A link shows one domain and opens another.',
        evidence,
      };
}

function shapeReasons(of: LinkCase): readonly (Reason | Sign)[] {
  const { link, word, sender } = of;
  const reasons: (Reason | Sign)[] = [];
  const evidence = inertValue(link.host.value);
  if (link.isMismatch) reasons.push(mismatchReason(of));
  if (link.hasCredentials)
    reasons.push({
      code: 'link.credentials_in_url',
      severity: 'medium',
      summary: 'A link has a user name before its host, which looks like the host.',
      evidence,
    });
  if (link.isHomograph && !word.isRanked)
    reasons.push({
      code: 'link.homograph',
      severity: 'medium',
      summary: 'The host of a link is spelled with letters of another alphabet that look like Latin ones.',
      evidence,
    });
  if (isOfAddress(link))
    reasons.push({
      code: 'link.ip_host',
      severity: link.host.kind === 'ip' ? 'medium' : 'low',
      summary: 'A link opens a bare address, or a host that is only named after its address.',
      evidence,
    });
  if (word.isShortener)
    reasons.push({
      code: 'link.shortener',
      severity: 'info',
      points: 0.5,
      summary: 'A link is shortened, and where it leads was not looked up.',
      evidence,
    });
  else if (word.isPlatform && !isOfSender(link, sender.email))
    reasons.push({
      code: 'link.platform',
      severity: 'info',
      points: 0.5,
      summary: 'A link opens a page on a platform where anybody can publish.',
      evidence,
    });
  return reasons;
}

const isOfSender = (link: LinkFact, sender: Email | null): boolean =>
  sender !== null && organizationOf(link.host) === organizationOf(sender.domain);

/** The reasons of one link and the flags it is shown with. */
function judgeLink(of: LinkCase): JudgedLink {
  const { link, word } = of;
  const imitated = imitationOf(link.host.value, word);
  const flags: (LinkFlag | false)[] = [
    link.isMismatch && 'anchor_mismatch',
    link.isPunycode && 'punycode',
    isOfAddress(link) && 'ip_host',
    link.hasCredentials && 'credentials',
    word.isShortener && 'shortener',
    imitated !== null && 'brand_lookalike',
  ];
  const reasons: (Reason | Sign)[] = [];
  const listed = listedReason('link.listed', 'A link', link.url, word, isMalicious(word));
  if (listed !== null) reasons.push(listed);
  if (imitated !== null && isClicked(link))
    reasons.push({
      code: 'link.brand_lookalike',
      ...(isWeakImitation(imitated) ? { severity: 'info', points: 0.5 } : { severity: 'medium' }),
      summary: `A link opens a domain that resembles ${inertValue(imitated.of)} and does not belong to it.`,
      evidence: inertValue(link.host.value),
    });
  if (isClicked(link)) reasons.push(...shapeReasons(of));
  return { flags: flags.filter((flag) => flag !== false), reasons };
}

export function judgeLinks(facts: MessageFacts, answers: MailAnswers): readonly JudgedLink[] {
  const sender = { email: facts.from?.email ?? null, word: answers.sender };
  return facts.links.map((link, at) => {
    const word = answers.links[at];
    if (word === undefined) return { flags: [], reasons: [] };
    return judgeLink({ link, word, shown: answers.shown[at] ?? null, sender });
  });
}
