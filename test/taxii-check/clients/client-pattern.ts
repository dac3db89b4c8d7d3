import type { Check } from '../check.ts';
import type { ClauseId } from '../clauses.ts';
import type { Collection } from '../collection.ts';
import type { ClientName } from '../options.ts';
import { type Answer, isObject, TAXII_TYPE } from '../wire.ts';

/** The way in which one client program, such as OpenCTI, asks a TAXII server; `replay` sends the same requests. */
export type ClientPattern = {
  readonly client: ClientName;
  readonly title: string;
  /** Where the behaviour was learnt: the program's own source, or documents about it. */
  readonly learnt: { readonly from: 'source' | 'documentation'; readonly where: string };
  readonly replay: (session: Session) => Promise<void>;
};

/** One client program that reads one collection. */
export type Session = {
  readonly check: Check;
  readonly collection: Collection;
  /** Asks as the program does. Returns null, and records a finding, when the program would refuse the answer. */
  readonly ask: (url: URL) => Promise<Answer | null>;
  readonly fail: (request: string, words: string) => void;
};

export type Poll = {
  /** Ids of every page of a poll, in order. */
  readonly ids: readonly string[];
  /** False when the replay stopped at --max-pages. */
  readonly complete: boolean;
  readonly last: Answer;
};

export function createSession(check: Check, collection: Collection, { client }: ClientPattern): Session {
  const clause: ClauseId = `client-${client}`;
  const fail = (request: string, words: string): void => check.findings.violation(clause, request, words);
  return {
    check,
    collection,
    fail,
    ask: async (url) => {
      const answer = await check.wire.ask(url, { accept: TAXII_TYPE, credential: 'basic' });
      if (answer.status === 200 && answer.body !== null) return answer;
      fail(answer.request, `it gives up on ${answer.status}: ${answer.text.slice(0, 120)}`);
      return null;
    },
  };
}

export const objectsIn = (answer: Answer): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(answer.body?.objects) ? answer.body.objects.filter(isObject) : [];

/**
 * Follows pages as a program does: `following` is the URL that it asks after an answer, or null when it stops. Asking the
 * same URL twice in one poll is a loop.
 */
export async function poll(
  { check, ask, fail }: Session,
  first: URL,
  following: (answer: Answer) => URL | null,
): Promise<Poll | null> {
  const ids: string[] = [];
  const asked = new Set<string>();
  let url: URL | null = first;
  for (let pages = 1; ; pages += 1) {
    asked.add(url.href);
    const answer: Answer | null = await ask(url);
    if (answer === null) return null;
    check.progress(`${url.pathname}: page ${pages} of a replay`);
    ids.push(...objectsIn(answer).map((object) => String(object.id)));
    url = following(answer);
    if (url === null) return { ids, complete: true, last: answer };
    if (asked.has(url.href)) {
      fail(answer.request, 'it asks for the same page again, without end');
      return null;
    }
    if (pages >= check.options.pagesMax) return { ids, complete: false, last: answer };
  }
}

/** A poll from the beginning must bring every object of the collection, and none twice. */
export function judgeWhole({ collection, fail }: Session, { ids, complete, last }: Poll): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id) && !collection.leaders.has(id)) fail(last.request, `${id} comes twice in one poll`);
    seen.add(id);
  }
  if (!complete || !collection.complete) return;
  const lost = collection.sequence.filter((id) => !seen.has(id));
  if (lost.length > 0) fail(last.request, `${lost.length} objects are lost, such as ${lost[0]}`);
}

/**
 * A second poll, from where the first one ended, must not return objects of the first again, except those that the
 * program accepts twice. Objects that the first poll did not return are new and no fault.
 */
export function judgeQuiet(
  { collection, fail }: Session,
  first: Poll,
  { ids, last }: Poll,
  isAccepted: (id: string) => boolean = () => false,
): void {
  const known = new Set(first.ids);
  const again = ids.filter((id) => known.has(id) && !collection.leaders.has(id) && !isAccepted(id));
  if (again.length > 0)
    fail(last.request, `the next poll reads ${again.length} objects again, such as ${again[0]}`);
}

export function urlWith(url: URL, query: Readonly<Record<string, string | null | undefined>>): URL {
  const copy = new URL(url);
  for (const [name, value] of Object.entries(query)) if (value != null) copy.searchParams.set(name, value);
  return copy;
}

export const nextIn = (answer: Answer): string | null => {
  const next = answer.body?.next;
  return typeof next === 'string' && next !== '' ? next : null;
};

export const lastDateIn = (answer: Answer): string | null => answer.headers.get('x-taxii-date-added-last');
