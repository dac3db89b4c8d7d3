import type { FormatParser, Sink } from './format.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';
import { mispFeed } from './misp-feed.ts';
import { siblingsOf } from './same-file.ts';

/** The largest known campaign has 1,200 files; above this limit digests are passed on without siblings. */
const HELD_DIGESTS_MAX = 50_000;
const EXAMPLE_CHARS = 80;
const SAMPLES = /(?:^|\/)samples\.(md5|sha1|sha256)$/i;
const EVENT = /\.json$/i;
const ALGORITHMS = ['md5', 'sha1', 'sha256'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

/** The files of the repository that are read: lists of digests, and MISP events (any JSON file may be one). */
export const isEsetFile = (path: string): boolean => SAMPLES.test(path) || EVENT.test(path);

/**
 * ESET's repository: `campaign/samples.{md5,sha1,sha256}` list the same files line by line, so the digests of a line
 * are siblings, and one campaign is held at a time. They are not siblings when the lists differ in length or more than
 * one is sorted, because a list sorted on its own has lost the common order (three campaigns of 118).
 */
export function esetRepository(sink: Sink): FormatParser {
  const campaign = new Campaign(sink);
  const events = mispFeed(sink, {});
  const samples = lineParser(
    (line) => campaign.line(line),
    (start) => sink.rejected(LINE_TOO_LONG, start.slice(0, EXAMPLE_CHARS)),
  );
  let current: FormatParser | null = samples;

  const finish = (): void => {
    samples.member('');
    events.end();
  };
  return {
    member: (path) => {
      finish();
      const found = SAMPLES.exec(path);
      if (found !== null)
        campaign.list(
          path.slice(0, Math.max(0, path.lastIndexOf('/'))),
          found[1]?.toLowerCase() as Algorithm,
        );
      else campaign.flush();
      current = found !== null ? samples : EVENT.test(path) ? events : null;
    },
    write: (text) => current?.write(text),
    end: () => {
      finish();
      campaign.flush();
    },
  };
}

class Campaign {
  readonly #sink: Sink;
  #folder = '';
  #algorithm: Algorithm = 'md5';
  #lists: Record<Algorithm, string[]> = { md5: [], sha1: [], sha256: [] };
  #held = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  list(folder: string, algorithm: Algorithm): void {
    if (folder !== this.#folder) this.flush();
    this.#folder = folder;
    this.#algorithm = algorithm;
  }

  line(raw: string): void {
    const text = raw.trim();
    if (text === '' || text.startsWith('#')) return;
    this.#lists[this.#algorithm].push(text);
    this.#held += 1;
    if (this.#held >= HELD_DIGESTS_MAX) this.flush();
  }

  flush(): void {
    const { md5, sha1, sha256 } = this.#lists;
    const lists = [md5, sha1, sha256].filter(({ length }) => length > 0);
    const isAligned = areAligned(lists) && this.#held < HELD_DIGESTS_MAX;
    const family = this.#folder.slice(this.#folder.lastIndexOf('/') + 1);
    for (const list of lists)
      list.forEach((text, line) => {
        const digests = isAligned ? lists.map((each) => each[line] ?? '') : [];
        const siblings = siblingsOf(text, digests);
        this.#sink.entry({
          text,
          ...(family === '' ? {} : { family }),
          ...(siblings.length === 0 ? {} : { siblings }),
        });
      });
    this.#lists = { md5: [], sha1: [], sha256: [] };
    this.#held = 0;
  }
}

/** True when equal lines mean the same file: same length, and at most one list sorted (a single line always is). */
function areAligned(lists: readonly (readonly string[])[]): boolean {
  const lines = lists[0]?.length ?? 0;
  if (lists.some(({ length }) => length !== lines)) return false;
  return lines === 1 || lists.filter(isSorted).length <= 1;
}

const isSorted = (list: readonly string[]): boolean =>
  list.every((text, at) => at === 0 || text.toLowerCase() >= (list[at - 1] ?? '').toLowerCase());
