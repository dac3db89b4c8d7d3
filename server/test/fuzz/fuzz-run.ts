import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FormatSpec } from '#capabilities/lists/index.ts';
import { checkContainer, makeArchive } from './check-container.ts';
import { checkFormat } from './check-format.ts';
import { type Random, seededRandom } from './fuzz-random.ts';
import { TARGETS } from './fuzz-targets.ts';
import { mutateText } from './mutate-text.ts';

type Kind = FormatSpec['kind'];
export type FuzzFailure = { readonly target: string; readonly what: string; readonly savedAs: string | null };
export type FuzzReport = {
  readonly seed: number;
  readonly seconds: number;
  readonly executions: Readonly<Record<string, number>>;
  readonly failures: readonly FuzzFailure[];
};

const CORPUS = join(import.meta.dirname, 'corpus');
const CONTAINER_SHARE = 0.05;
/** One defect fails thousands of times; five inputs are enough to show it. */
const FAILURES_PER_TARGET = 5;
/** Runs between two turns of the event loop, which reads archives and ends the test at its timeout. */
const STEP_EXECUTIONS = 50;

/** The stored corpus: small texts of each kind, and every input that ever failed. */
export function readCorpus(kind: Kind): readonly string[] {
  const folder = join(CORPUS, kind);
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
}

/**
 * Runs each stored input once, then mutates them for the given time. Failing inputs are saved with the corpus
 * on request.
 */
export async function runFuzz(options: {
  readonly seconds: number;
  readonly seed: number;
  readonly save: boolean;
}): Promise<FuzzReport> {
  const random = seededRandom(options.seed);
  const kinds = Object.keys(TARGETS) as Kind[];
  const corpus = new Map(kinds.map((kind) => [kind, readCorpus(kind)]));
  const everything = [...corpus.values()].flat();
  const executions: Record<string, number> = {};
  const failures: FuzzFailure[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
  const start = performance.now();

  const count = (target: string, what: string | null, input: string | Buffer): void => {
    executions[target] = (executions[target] ?? 0) + 1;
    if (
      what === null ||
      failures.filter((failure) => failure.target === target).length >= FAILURES_PER_TARGET
    )
      return;
    failures.push({ target, what, savedAs: options.save ? saveInput(target, input) : null });
  };
  const tryText = (kind: Kind, text: string): void => {
    count(kind, checkFormat(random.pick(TARGETS[kind]), text, random), text);
  };

  try {
    for (const kind of kinds) for (const text of corpus.get(kind) ?? []) tryText(kind, text);
    while (performance.now() - start < options.seconds * 1000) {
      for (let i = 0; i < STEP_EXECUTIONS; i++) {
        const kind = random.pick(kinds);
        tryText(kind, newText(kind, corpus, everything, random));
      }
      for (let i = 0; i < STEP_EXECUTIONS * CONTAINER_SHARE; i++) {
        const bytes = makeArchive(everything, random);
        count('containers', await checkContainer(join(folder, 'input'), bytes), bytes);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { seed: options.seed, seconds: (performance.now() - start) / 1000, executions, failures };
}

/** Usually a mutated text of the same kind, sometimes of another, because publishers change formats. */
function newText(
  kind: Kind,
  corpus: ReadonlyMap<Kind, readonly string[]>,
  everything: readonly string[],
  random: Random,
): string {
  const own = corpus.get(kind) ?? [''];
  const tokens = random.pick(TARGETS[kind]).tokens;
  return mutateText(random.pick(random.chance(0.9) ? own : everything), random, everything, tokens);
}

function saveInput(target: string, input: string | Buffer): string {
  const folder = join(CORPUS, target);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `crash-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
  writeFileSync(path, input);
  return path;
}
