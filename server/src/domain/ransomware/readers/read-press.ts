import { fieldOf, itemsOf } from '#domain/text/foreign-json.ts';
import { claimText } from '../claim-text.ts';
import { countryOf } from '../countries.ts';
import { readVictim } from '../victim.ts';
import { referenceOf } from './group-profile.ts';
import { type ReadRows, readEach } from './post.ts';
import { ROWS_MAX } from './read-post-list.ts';
import { readTimeMs } from './read-time.ts';

const TITLE_MAX = 300;
const NO_HOSTS: ReadonlySet<string> = new Set();

/** One article about an attack. */
export type PressEntry = {
  readonly victim: string;
  readonly nameKey: string | null;
  readonly domain: string | null;
  readonly country: string | null;
  readonly title: string;
  readonly url: string;
  /** Host of the article, which stands for its publisher. */
  readonly publisher: string;
  readonly publishedAtMs: number;
};

/** Reads the articles that Cyberwatch collects. The date of each is that of the attack, as the article tells it. */
export const readPress = (document: unknown): ReadRows<PressEntry> =>
  readEach(itemsOf(document, ROWS_MAX), (item) => {
    const victim = readVictim(fieldOf(item, 'victim'), fieldOf(item, 'domain'));
    if (victim === null) return 'no victim';
    const url = referenceOf(fieldOf(item, 'url'), NO_HOSTS);
    if (url === null) return 'no address';
    const publishedAtMs = readTimeMs(fieldOf(item, 'date'));
    if (publishedAtMs === null) return 'no date';
    const publisher = new URL(url).hostname.replace(/^www\./, '');
    return {
      victim: victim.name,
      nameKey: victim.nameKey,
      domain: victim.domain,
      country: countryOf(fieldOf(item, 'country')),
      title: claimText(fieldOf(item, 'title'), TITLE_MAX) ?? victim.name,
      url,
      publisher,
      publishedAtMs,
    };
  });
