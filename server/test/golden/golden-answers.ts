import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { pathsIn } from './paths-in.ts';

const MUST_WRITE = process.env.UPDATE_GOLDEN === '1';
/** Ids hold a moment and random letters, so the golden has their order of appearance instead. */
const ID = /\b(per|cmp|xfnd|rcl|rpr|req)_[0-9A-Za-z]{10,}/g;

export type GoldenAnswer = { readonly status: number; readonly body: unknown };
export type GoldenAnswers = Readonly<Record<string, GoldenAnswer>>;

/** Sends requests over HTTP and keeps each answer under its request, for a comparison with a file in this folder. */
export function createGolden(name: string, urlOf: () => string) {
  const file = join(import.meta.dirname, `${name}.json`);
  const numbers = new Map<string, string>();
  const counts = new Map<string, number>();
  const numbered = (id: string, prefix: string): string => {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const next = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, next);
    numbers.set(id, `${prefix}_${next}`);
    return `${prefix}_${next}`;
  };
  const plain = (text: string): string => text.replaceAll(ID, (id, prefix: string) => numbered(id, prefix));
  const answers: Record<string, GoldenAnswer> = {};
  return {
    /** Sends a request and returns the answer with its real ids, which later requests need. */
    ask: async (method: string, path: string, body?: object): Promise<unknown> => {
      const answer = await fetch(`${urlOf()}${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      const text = await answer.text();
      const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
      const shown = text === '' ? null : (JSON.parse(plain(text)) as unknown);
      answers[plain(`${method} ${path}${sent}`)] = { status: answer.status, body: shown };
      return text === '' ? null : JSON.parse(text);
    },
    answers: (): GoldenAnswers => answers,
    /** Compares the answers with the file; UPDATE_GOLDEN=1 rewrites it first. */
    expectKept: (): void => {
      if (MUST_WRITE) writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`);
      expect(existsSync(file), `${name}.json is missing; run with UPDATE_GOLDEN=1`).toBe(true);
      const kept = JSON.parse(readFileSync(file, 'utf8')) as GoldenAnswers;
      for (const [request, answer] of Object.entries(answers)) expect(answer, request).toEqual(kept[request]);
      // `toEqual` ignores the order of fields, but the texts must be equal too.
      expect(JSON.stringify(answers)).toBe(JSON.stringify(kept));
    },
  };
}

export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Fields, as dotted paths, that the answer to a request lacks. */
export function lacking(answers: GoldenAnswers, request: string, fields: string): readonly string[] {
  const seen = new Set(pathsIn(answers[request]?.body));
  return words(fields).filter((field) => !seen.has(field));
}
