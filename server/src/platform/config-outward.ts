import { z } from 'zod';

const KINDS = ['ip', 'domain', 'url', 'hash'] as const;
type Kind = (typeof KINDS)[number];

/** A page of another service about an indicator. The dashboard links to it and asks it nothing. */
export type OutwardLink = {
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** An https address in which `{value}` stands for the indicator. */
  readonly template: string;
};

const LINKS_MAX = 12;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;
const NONE = 'none';
const PLACE = '{value}';

const DEFAULT = [
  'VirusTotal=https://www.virustotal.com/gui/search/{value}',
  'Shodan:ip=https://www.shodan.io/host/{value}',
  'Censys:ip=https://search.censys.io/hosts/{value}',
  'urlscan:ip|domain|url=https://urlscan.io/search/#{value}',
].join(',');

/** `name=template` for every kind, `name:ip|domain=template` for some; null where one cannot be read. */
export function readOutwardLinks(text: string): readonly OutwardLink[] | null {
  if (text.trim() === NONE) return [];
  const links = text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(readLink);
  return links.length <= LINKS_MAX && links.every((link) => link !== null) ? links : null;
}

function readLink(text: string): OutwardLink | null {
  const at = text.indexOf('=');
  const [name = '', kinds, more] = text.slice(0, at).trim().split(':');
  const template = text.slice(at + 1).trim();
  const wanted = kinds === undefined ? [...KINDS] : KINDS.filter((kind) => kinds.split('|').includes(kind));
  const isWhole = kinds === undefined || wanted.length === kinds.split('|').length;
  if (at < 0 || more !== undefined || !isWhole || !NAME.test(name) || !isTemplate(template)) return null;
  return { name, kinds: wanted, template };
}

/** The value may stand in the path, the query or the fragment; in the host it would choose who is asked. */
function isTemplate(template: string): boolean {
  const url = URL.parse(template.replaceAll(PLACE, ''));
  return (
    url?.protocol === 'https:' &&
    url.username === '' &&
    url.password === '' &&
    template.indexOf(PLACE) > `https://${url.host}`.length
  );
}

export const OUTWARD_ENVIRONMENT = {
  OUTWARD_LINKS: z
    .string()
    .max(4_096)
    .default(DEFAULT)
    .transform((text, context): readonly OutwardLink[] => {
      const links = readOutwardLinks(text);
      if (links !== null) return links;
      context.addIssue(
        `expected "none" or at most ${LINKS_MAX} of NAME=https://host/{value} or NAME:ip|domain|url|hash=https://host/{value}, comma-separated`,
      );
      return z.NEVER;
    })
    .describe(
      'Pages of other services that an indicator page links to, comma-separated: NAME=https://host/{value}, or NAME:ip|domain=… for some kinds only; "none" for none. Nothing is asked before a click.',
    ),
} as const;
