import { type Domain, platformSuffix } from '#domain/indicator/index.ts';
import {
  COMMON_SELECTORS,
  type Dmarc,
  gradeMail,
  inheritDmarc,
  isDkimKey,
  readDmarc,
  readSpf,
  type Spf,
  takesMail,
} from '#domain/mail-posture/index.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { Dns, DnsAnswer } from '#platform/dns.ts';
import type { DnsFacts } from '../contract-names.ts';
import type { Ask } from '../provider.ts';
import { LIST_MAX, sortedAddresses, sortedNames } from './name-facts.ts';
import { isParkedAt } from './parking.ts';

const TEXT_MAX = 1_024;
/** Characters read of a TXT record; real policies have a few hundred. */
const READ_MAX = 4_096;
const NAME_MAX = 253;
const REDIRECTS_MAX = 3;
/** DKIM selectors are guesses, so they get part of the time and must not delay the other answers. */
const SELECTORS_SHARE = 0.5;
/** A redirect is followed after everything else, and may lead to a slow zone. */
const REDIRECT_SHARE = 0.1;

type Asking = { readonly dns: Dns; readonly ask: Ask };

/**
 * Sends all queries in parallel. Only the selectors may fail; any other failure fails the whole lookup,
 * because "has no DMARC" is a finding and must not come from a missing answer.
 */
export async function askDnsFacts(asking: Asking, domain: Domain): Promise<DnsFacts | null> {
  const { dns } = asking;
  const name = domain.value;
  const ask = { ...asking.ask, deadlineMs: asking.ask.deadlineMs * (1 - REDIRECTS_MAX * REDIRECT_SHARE) };
  const first = { dns, ask };
  const [a, aaaa, mx, ns, texts, dmarc, hasDKIM] = await Promise.all([
    dns.resolve(name, 'A', ask),
    dns.resolve(name, 'AAAA', ask),
    dns.resolve(name, 'MX', ask),
    nameServersOf(first, domain),
    dns.resolve(name, 'TXT', ask),
    dmarcOf(first, domain),
    hasCommonSelector(first, name),
  ]);
  if ([a, aaaa, mx, texts].every((answer) => answer.state === 'absent' && !answer.isName)) return null;
  const spf = readSpf(textsIn(texts));
  const addresses = { a: addressesIn(a), aaaa: addressesIn(aaaa) };
  const exchanges = recordsIn(mx)
    .slice(0, LIST_MAX)
    .filter(({ exchange }) => exchange.length <= NAME_MAX);
  return {
    hasSPF: spf !== null && spf.problem === null,
    hasDMARC: dmarc !== null,
    hasDKIM,
    nameserverCount: ns.length,
    isParked: isParkedAt(ns),
    ...addresses,
    mx: exchanges
      .map(({ exchange, priority }) => ({ exchange: exchange === '' ? '.' : exchange, priority }))
      .sort((one, other) => one.priority - other.priority || (one.exchange < other.exchange ? -1 : 1)),
    ns,
    spf: inertText(spf?.text, TEXT_MAX),
    dmarc: inertText(dmarc?.text, TEXT_MAX),
    dmarcPolicy: dmarc?.policy ?? null,
    mxValid: takesMail(recordsIn(mx), addresses.a.length + addresses.aaaa.length > 0),
    grade: gradeMail(await afterRedirects(asking, spf), dmarc),
  };
}

const recordsIn = <R>(answer: DnsAnswer<R>): readonly R[] => (answer.state === 'found' ? answer.records : []);
const addressesIn = (answer: DnsAnswer<string>): string[] =>
  sortedAddresses(recordsIn(answer)).slice(0, LIST_MAX);
/** TXT records as raw text, cut before parsing. Callers make it inert before they return any of it. */
const textsIn = (answer: DnsAnswer<string>): string[] =>
  recordsIn(answer).map((text) => text.slice(0, READ_MAX));

/** The name servers of the name, or of its registered name if it has none of its own. */
async function nameServersOf({ dns, ask }: Asking, { value, registrable }: Domain): Promise<string[]> {
  const zone = registrable === null || registrable === value ? null : dns.resolve(registrable, 'NS', ask);
  const [own, above] = await Promise.all([dns.resolve(value, 'NS', ask), zone]);
  const found = own.state === 'found' || above === null ? own : above;
  return sortedNames(recordsIn(found)).slice(0, LIST_MAX);
}

/** The record of the name, else the policy of its organization for subdomains (RFC 7489 6.6.3). */
async function dmarcOf({ dns, ask }: Asking, domain: Domain): Promise<Dmarc | null> {
  const organization = organizationOf(domain);
  const policyAt = async (name: string): Promise<string[]> =>
    `_dmarc.${name}`.length > NAME_MAX ? [] : textsIn(await dns.resolve(`_dmarc.${name}`, 'TXT', ask));
  const isOwn = organization === null || organization === domain.value;
  const [own, above] = await Promise.all([policyAt(domain.value), isOwn ? [] : policyAt(organization)]);
  return readDmarc(own) ?? inheritDmarc(above);
}

/** Uses the whole public suffix list: a customer of a hosting platform does not have the policy of the platform. */
function organizationOf({ value, registrable }: Domain): string | null {
  const platform = platformSuffix(value);
  if (platform === null || platform === value) return registrable;
  return value
    .split('.')
    .slice(-platform.split('.').length - 1)
    .join('.');
}

/** Null when no common selector has a key, which proves nothing. */
async function hasCommonSelector({ dns, ask }: Asking, name: string): Promise<true | null> {
  const part = { ...ask, deadlineMs: ask.deadlineMs * SELECTORS_SHARE };
  const answers = await Promise.allSettled(
    COMMON_SELECTORS.map((selector) => dns.resolve(`${selector}._domainkey.${name}`, 'TXT', part)),
  );
  return answers.some((each) => each.status === 'fulfilled' && textsIn(each.value).some(isDkimKey))
    ? true
    : null;
}

/**
 * Follows redirects (RFC 7208 6.1). If one cannot be resolved, the last record is graded: it has no `all`, so
 * it is weak.
 */
async function afterRedirects({ dns, ask }: Asking, first: Spf | null): Promise<Spf | null> {
  const part = { ...ask, deadlineMs: ask.deadlineMs * REDIRECT_SHARE };
  let spf = first;
  for (let hop = 0; hop < REDIRECTS_MAX; hop += 1) {
    if (spf === null || spf.problem !== null || spf.all !== null || spf.redirect === null) return spf;
    const next = await dns.resolve(spf.redirect, 'TXT', part).then(textsIn, () => []);
    spf = readSpf(next) ?? { ...spf, redirect: null };
  }
  return spf;
}
