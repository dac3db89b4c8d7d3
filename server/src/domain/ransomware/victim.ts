import { hostOf, icannSuffixOf, parseIndicator, platformAround } from '#domain/indicator/index.ts';
import { claimText } from './claim-text.ts';

const TITLE_MAX = 300;
/** `P***** Inc`, `S??????` and `C███`: the group hides the name, so two such titles may be two victims. */
const MASKED = /\*{2,}|\?{2,}|[█▓▒#]{3,}|x{4,}/i;
/** Dots, quotes, brackets, dashes and blanks. `&` and `+` stay: they tell names apart. */
const SEPARATORS = /[\s.,;:!'"`’‘“”«»()[\]{}|/\\_\-‐-―]+/gu;

/**
 * Sites with pages about others, or files of others. If a tracker gives one of them as the victim's website, it only
 * says where something was found.
 */
const SITES_ABOUT_OTHERS: ReadonlySet<string> = new Set(
  `anonfiles.com bloomberg.com crunchbase.com dnb.com dropbox.com facebook.com files.fm github.com gofile.io google.com
  indeed.com instagram.com linkedin.com linktr.ee mediafire.com mega.io mega.nz pastebin.com privatlab.com rocketreach.co
  sendspace.com t.me telegram.me transfer.sh twitter.com vk.com wetransfer.com wikipedia.org x.com yelp.com youtube.com
  zoominfo.com`
    .trim()
    .split(/\s+/),
);
/** Sites that give each customer a name below their own and that the public suffix list lacks. */
const CUSTOMER_SITES: ReadonlySet<string> = new Set(['screenconnect.com', 'myshopify.com', 'sharefile.com']);

export type Victim = {
  /** The name as in the claim, made inert. */
  readonly name: string;
  /** Claims with the same key are about one victim; null for a hidden name. */
  readonly nameKey: string | null;
  readonly domain: string | null;
};

/** Reads the victim from a post's title and the website that the tracker gives. Null if the title has no text. */
export function readVictim(title: unknown, website?: unknown): Victim | null {
  const text = claimText(title, TITLE_MAX);
  if (text === null || typeof title !== 'string') return null;
  const isHidden = MASKED.test(text);
  const own = isHidden ? null : domainOfTitle(title.trim(), text);
  return {
    name: shownName(text),
    nameKey: isHidden ? null : nameKeyOf(text),
    domain: siteOf(website) ?? own,
  };
}

/** `https://www.example.com/` as a name is the site itself, which is shown without its scheme. */
const shownName = (text: string): string => {
  const bare = /^(?:hxxps?\[:\/\/\])([^\s/]+)\/?$/.exec(text)?.[1];
  return bare === undefined ? text : bare.replaceAll('[.]', '.').replace(/\.onion$/i, '[.]onion');
};

/**
 * The form that names are compared in: case, quotes, dots and dashes do not count; every letter, digit, `&` and `+` does,
 * and so do legal forms and accents: `Acme Inc` and `Acme Ltd`, `Müller` and `Muller` are two.
 */
export function nameKeyOf(name: string): string | null {
  const bare = name.replace(/^hxxps?\[:\/\/\]/, '').replaceAll('[.]', '.');
  const cut = isCut(bare.trim()) ? '…' : '';
  const key = bare.normalize('NFKC').toLowerCase().replace(SEPARATORS, ' ').replaceAll('…', ' ').trim();
  return key === '' ? null : `${key}${cut}`;
}

function domainOfTitle(title: string, text: string): string | null {
  if (isCut(text)) return null;
  return registrableOf(title, false) ?? registrableOf(siteInBrackets(text), false);
}

/** Some leak sites cut titles: `sbctanzania.co....` is not the domain sbctanzania.co. */
const isCut = (text: string): boolean => text.endsWith('..') || text.endsWith('…');

/** The site in `Cognity (cognity.gr)`; empty if no brackets stand at the end. */
function siteInBrackets(text: string): string {
  const start = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  return start === -1 ? '' : text.slice(start + 1, -1).trim();
}

const siteOf = (website: unknown): string | null =>
  typeof website === 'string' ? registrableOf(website.trim(), true) : null;

/** The registrable domain, or a customer's name on a platform; null if there is none that can be the victim's. */
export function registrableOf(text: string, isWebsite: boolean): string | null {
  if (text === '' || /\s/.test(text) || isCut(text)) return null;
  const parsed = parseIndicator(/^[a-z]+:\/\//i.test(text) ? text : (text.split('/', 1)[0] ?? ''));
  if (!parsed.ok || (parsed.indicator.kind !== 'domain' && parsed.indicator.kind !== 'url')) return null;
  const host = hostOf(parsed.indicator);
  if (host?.kind !== 'domain' || host.value.endsWith('.onion')) return null;
  const registrable = belowPlatform(host.value) ?? icannSuffixOf(host.value)?.registrable ?? null;
  if (registrable === null || !SITES_ABOUT_OTHERS.has(registrable)) return registrable;
  return isWebsite || hasPath(text) || host.value !== registrable ? null : registrable;
}

const hasPath = (text: string): boolean => /^(?:[a-z]+:\/\/)?[^/]+\/./i.test(text);

function belowPlatform(host: string): string | null {
  const platform =
    platformAround(host) ?? [...CUSTOMER_SITES].find((site) => host.endsWith(`.${site}`)) ?? null;
  if (platform === null || host === platform || !host.endsWith(`.${platform}`)) return null;
  const label = host
    .slice(0, -platform.length - 1)
    .split('.')
    .at(-1);
  return `${label}.${platform}`;
}
