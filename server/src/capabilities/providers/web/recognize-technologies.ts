import type { Technologies } from '../contract-hosts.ts';
import { GENERATOR_SIGNS, HEADER_SIGNS, LINK_SIGNS, type Sign } from './technology-signs.ts';

const HEADER_MAX = 300;
const VERSION_MAX = 30;
const FOUND_MAX = 50;
const METAS_MAX = 100;
const META_MAX = 500;
const LINKS_MAX = 500;
/** One pass over the page; a value ends at a quote, a blank or an angle bracket. */
const LINK = /\b(?:src|href)=["']?([^"'\s<>]{1,300})/gi;

export type Page = {
  readonly headers: Readonly<Record<string, string>>;
  /** The first part of the body; '' when it is not HTML. */
  readonly html: string;
};

/**
 * Hints, not proof: a host may send any text. The names come from our own table; only a version number is
 * taken from the host, so nothing else it writes is passed on.
 */
export function recognizeTechnologies({ headers, html }: Page): Technologies {
  const found = new Map<string, Technologies[number]>();
  const look = (text: string, signs: readonly Sign[], source: string) => {
    for (const { pattern, name, category } of signs) {
      const match = pattern.exec(text);
      if (match === null) continue;
      const version = match[1]?.slice(0, VERSION_MAX) ?? null;
      const known = found.get(name);
      if (known === undefined ? found.size < FOUND_MAX : known.version === null && version !== null)
        found.set(name, { name, version, category, source });
    }
  };
  for (const [header, signs] of Object.entries(HEADER_SIGNS)) {
    const value = headers[header];
    if (value !== undefined) look(value.slice(0, HEADER_MAX), signs, `header:${header}`);
  }
  for (const generator of generatorsOf(html)) look(generator, GENERATOR_SIGNS, 'meta:generator');
  for (const link of linksOf(html)) look(link, LINK_SIGNS, 'html:link');
  return [...found.values()];
}

/** By position instead of one long pattern: an unclosed tag costs 500 characters, for at most 100 tags. */
function generatorsOf(html: string): string[] {
  const lower = html.toLowerCase();
  const contents: string[] = [];
  let at = lower.indexOf('<meta');
  for (let seen = 0; at !== -1 && seen < METAS_MAX; seen += 1) {
    const tag = html.slice(at, at + META_MAX);
    const end = tag.indexOf('>');
    const inside = end === -1 ? '' : tag.slice(0, end);
    if (/\sname=["']?generator\b/i.test(inside)) {
      const content = /\scontent=(?:"([^"]{1,200})"|'([^']{1,200})')/i.exec(inside);
      contents.push((content?.[1] ?? content?.[2] ?? '').trim());
    }
    at = lower.indexOf('<meta', at + 5);
  }
  return contents;
}

const linksOf = (html: string): string[] =>
  [...html.matchAll(LINK).take(LINKS_MAX)].map(([, value = '']) => value);
