import type { ContactAssessor } from '#capabilities/contacts/index.ts';
import type { Assessor } from '#capabilities/judging/index.ts';
import { type DnsFacts, foundValue, type Outcome, type Providers } from '#capabilities/providers/index.ts';
import { type Domain, type Ip, isBogon, parseIndicator } from '#domain/indicator/index.ts';
import {
  type ContactFact,
  type ContactWord,
  connectingAddress,
  type MailAnswers,
  type MessageFacts,
  type NameWord,
  type SenderPosture,
} from '#domain/mail/index.ts';
import { readSpf } from '#domain/mail-posture/index.ts';
import type { ScanContext } from './contract.ts';
import { domainOf, lookUpAddress, lookUpFile, lookUpLink, wordOf } from './look-up.ts';

export type GatherDeps = {
  /** The assessor for the organization of the caller. */
  readonly assess: Assessor;
  readonly assessContact: ContactAssessor;
  readonly dns: Providers['dns'];
};

const DNS_MS = 2_000;

/** Looks up every value of a message in the replica, and the posture of the sender by DNS: the only packet that leaves. */
export async function gatherAnswers(
  deps: GatherDeps,
  facts: MessageFacts,
  context: ScanContext,
  signal: AbortSignal,
): Promise<MailAnswers> {
  const { assess } = deps;
  const sender = facts.from?.email ?? null;
  const asked = sender === null ? null : deps.dns.ask(sender.domain, { deadlineMs: DNS_MS, signal });
  const links = linkLookup(assess);
  const connecting = connectingOf(facts, context);
  const posture = asked === null ? null : await asked;
  return {
    sender: sender === null ? null : lookUpAddress(assess, sender),
    replyTo: facts.replyTo.map(({ email }) => (email === null ? null : lookUpAddress(assess, email))),
    links: facts.links.map(({ indicator, host }) => links(indicator, host)),
    shown: facts.links.map(({ isMismatch, shownDomain }) => {
      const domain = isMismatch && shownDomain !== null ? domainOf(shownDomain) : null;
      return domain === null ? null : links(null, domain);
    }),
    attachments: facts.attachments.map((file) => lookUpFile(assess, file)),
    contacts: facts.contacts.map((contact) => contactWord(deps, contact)),
    connecting: typeof connecting === 'string' ? null : { ip: connecting, word: wordOf(assess(connecting)) },
    connectingSkipped: typeof connecting === 'string' ? connecting : null,
    ...postureOf(posture),
    ...whatIsLoaded(assess),
  };
}

const ANY_NAME: Domain = { kind: 'domain', value: 'example.com', registrable: 'example.com' };

/** Looks up each link once per message, because a message names the same host many times. */
function linkLookup(
  assess: Assessor,
): (target: Parameters<typeof lookUpLink>[1], host: Domain | Ip) => NameWord {
  const known = new Map<string, NameWord>();
  return (target, host) => {
    const key = target?.value ?? host.value;
    const before = known.get(key);
    if (before !== undefined) return before;
    const word = lookUpLink(assess, target, host);
    known.set(key, word);
    return word;
  };
}

/** The address that connected to the mail server, or a sentence that says why none is known. */
function connectingOf(facts: MessageFacts, { connectingIp, trustedHops = 1 }: ScanContext): Ip | string {
  const given = connectingIp === undefined ? null : parseIndicator(connectingIp);
  const ip =
    given === null
      ? connectingAddress(facts.received, trustedHops)
      : given.ok && given.indicator.kind === 'ip'
        ? given.indicator
        : null;
  if (ip === null) return 'The trusted hops name no address that connected.';
  return isBogon(ip) ? 'The connecting address is private or reserved.' : ip;
}

function contactWord({ assess, assessContact }: GatherDeps, { kind, value }: ContactFact): ContactWord {
  if (kind === 'email') {
    const parsed = parseIndicator(value);
    if (!parsed.ok || parsed.indicator.kind !== 'email') return { verdict: 'unknown', sources: 0 };
    const { level, sources } = lookUpAddress(assess, parsed.indicator);
    const isBad = level === 'high' || level === 'critical';
    return { verdict: isBad ? 'malicious' : level === 'medium' ? 'suspicious' : 'unknown', sources };
  }
  const { judged, listings } = assessContact([{ kind, value }]);
  return { verdict: judged.verdict, sources: judged.verdict === 'unknown' ? 0 : listings.length };
}

const NOT_ASKED = 'No name server was asked about the sender.';

function postureOf(outcome: Outcome<DnsFacts> | null): Pick<MailAnswers, 'posture' | 'postureSkipped'> {
  if (outcome === null)
    return { posture: null, postureSkipped: 'The message has no readable sender address.' };
  if (outcome.state === 'absent') return { posture: NO_SUCH_DOMAIN, postureSkipped: null };
  const facts = foundValue(outcome);
  if (facts === null) return { posture: null, postureSkipped: NOT_ASKED };
  const { grade, hasSPF, hasDMARC, mxValid, dmarcPolicy, spf } = facts;
  const all = spf === null ? null : (readSpf([spf])?.all ?? null);
  return {
    posture: {
      grade,
      hasSpf: hasSPF,
      hasDmarc: hasDMARC,
      hasMx: mxValid,
      dmarcPolicy,
      spfAll: all === null ? null : `${all}all`,
      spoofable: dmarcPolicy === null || dmarcPolicy === 'none',
    },
    postureSkipped: null,
  };
}

const NO_SUCH_DOMAIN: SenderPosture = {
  grade: 'F',
  hasSpf: false,
  hasDmarc: false,
  hasMx: false,
  dmarcPolicy: null,
  spfAll: null,
  spoofable: true,
};

/** Whether a verdict can rest on anything: threat lists, and a list of popular names (C17). */
export function whatIsLoaded(assess: Assessor): Pick<MailAnswers, 'hasPopularNames' | 'hasThreatLists'> {
  const { registry } = assess(ANY_NAME);
  return {
    hasPopularNames: registry.sources.some(
      ({ guard, enabled, dataAtS }) => guard === 'popularity' && enabled && dataAtS > 0,
    ),
    hasThreatLists: registry.sources.some(
      ({ threatClass, enabled, dataAtS }) => threatClass === 'threat' && enabled && dataAtS > 0,
    ),
  };
}
