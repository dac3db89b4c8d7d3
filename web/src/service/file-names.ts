import { keep, readKept } from './browser-storage.ts';

/**
 * Names of the files hashed in this tab, by hash. Analysts know a sample by its name, but a name may identify a
 * customer, so names stay in this tab and are never sent.
 */
export type FileNames = Readonly<Record<string, string>>;

const KEY = 'assay.file-names';
const NAMES_MAX = 500;

export function readFileNames(text: string | null): FileNames {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, name]) => typeof name === 'string'));
  } catch {
    return {};
  }
}

/** The newest name is last; beyond 500 the oldest are dropped. */
export function withFileName(names: FileNames, hash: string, name: string): FileNames {
  const others = Object.entries(names).filter(([other]) => other !== hash);
  return Object.fromEntries([...others, [hash, name]].slice(-NAMES_MAX));
}

let current: FileNames | null = null;

export const fileNameOf = (hash: string): string | null => {
  current ??= readFileNames(stored());
  return Object.hasOwn(current, hash) ? (current[hash] ?? null) : null;
};

export function rememberFileName(hash: string, name: string): void {
  current = withFileName(current ?? readFileNames(stored()), hash, name);
  // When storage is blocked, the name lasts until the page closes.
  keep('tab', KEY, JSON.stringify(current));
}

const stored = (): string | null => readKept('tab', KEY);
