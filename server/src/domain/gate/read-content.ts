import { extractIndicators } from '../indicator/index.ts';
import {
  type FoundInjection,
  findInjection,
  type InjectionSpan,
  scoreOfFamilies,
} from '../injection/index.ts';
import { type LinkFact, type RawLink, readHtml, readLink } from '../mail/index.ts';

export const GATE_MODES = ['fast', 'thorough'] as const;
export type GateMode = (typeof GATE_MODES)[number];

export const GATE_LIMITS = { contentBytesMax: 1024 * 1024, linksMax: 200 } as const;

export type GateLink = LinkFact & {
  /** The spellings of the link in the content. */
  readonly raws: readonly string[];
};

/** What the gate reads from a text: its links, and sentences that address the program instead of a human reader. */
export type GateFacts = {
  readonly links: readonly GateLink[];
  readonly isLinksCut: boolean;
  /** Web addresses whose host could not be read. */
  readonly unreadLinks: number;
  readonly injection: FoundInjection;
};

const OF_CONTENT = { origin: null, originName: null } as const;
/** Shorter runs of these characters are usually words, keys and identifiers. */
const ENCODED_RUN = /[A-Za-z0-9+/]{40,}={0,2}/g;
const RUNS_MAX = 50;
const RUN_CHARS_MAX = 64 * 1024;
const TAG = /<[a-z!/]/i;
const HIDDEN_FAMILY = 'hidden_text';

/**
 * `fast` reads the text as it stands. `thorough` also reads text inside base64, and reads HTML as a page, with the text
 * that the page hides.
 */
export function readContent(content: string, mode: GateMode): GateFacts {
  const links = new Links();
  links.addText(content);
  const direct = findInjection(content);
  if (mode === 'fast') return { ...links.facts(), injection: direct };
  const families = new Set(direct.families);
  const spans: InjectionSpan[] = [...direct.spans];
  const note = (found: FoundInjection): void => {
    for (const family of found.families) families.add(family);
  };
  for (const run of encodedRuns(content)) {
    const found = findInjection(run.text);
    links.addText(run.text);
    note(found);
    for (const family of found.families) spans.push({ start: run.start, end: run.end, family });
  }
  if (TAG.test(content)) {
    const page = readHtml(content);
    for (const raw of page.links) links.add(raw, raw.target);
    note(findInjection(page.text));
    const hidden = findInjection(page.hiddenText);
    note(hidden);
    if (hidden.score > 0) families.add(HIDDEN_FAMILY);
  }
  return {
    ...links.facts(),
    injection: { ...scoreOfFamilies([...families]), spans: spans.sort((a, b) => a.start - b.start) },
  };
}

class Links {
  readonly #known = new Map<string, { readonly link: LinkFact; readonly raws: Set<string> }>();
  #isCut = false;
  #unread = 0;

  addText(text: string): void {
    for (const { indicator, raw } of extractIndicators(text).found)
      if (indicator.kind === 'url') this.add({ target: indicator.value, way: 'text', anchorText: null }, raw);
      else if (indicator.kind === 'domain' && /^www\./i.test(raw))
        this.add({ target: `http://${indicator.value}/`, way: 'text', anchorText: null }, raw);
  }

  add(raw: RawLink, spelling: string): void {
    const link = readLink(raw, OF_CONTENT);
    if (link === null) return;
    if (link === 'unread') {
      this.#unread += 1;
      return;
    }
    const known = this.#known.get(link.url);
    if (known !== undefined) known.raws.add(spelling);
    else if (this.#known.size >= GATE_LIMITS.linksMax) this.#isCut = true;
    else this.#known.set(link.url, { link, raws: new Set([spelling]) });
  }

  facts(): Pick<GateFacts, 'links' | 'isLinksCut' | 'unreadLinks'> {
    const links = [...this.#known.values()].map(({ link, raws }) => ({ ...link, raws: [...raws] }));
    return { links, isLinksCut: this.#isCut, unreadLinks: this.#unread };
  }
}

type Run = { readonly start: number; readonly end: number; readonly text: string };

/** The base64 runs of a text that decode to readable text. */
function encodedRuns(content: string): readonly Run[] {
  const runs: Run[] = [];
  let left = RUN_CHARS_MAX;
  for (const { index, 0: run } of content.matchAll(ENCODED_RUN)) {
    if (runs.length >= RUNS_MAX || left <= 0) break;
    const text = decodeRun(run.slice(0, left));
    left -= run.length;
    if (text !== null) runs.push({ start: index, end: index + run.length, text });
  }
  return runs;
}

function decodeRun(run: string): string | null {
  const whole = run.replaceAll('=', '');
  try {
    const bytes = Uint8Array.from(atob(whole.slice(0, whole.length - (whole.length % 4))), (c) =>
      c.charCodeAt(0),
    );
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
