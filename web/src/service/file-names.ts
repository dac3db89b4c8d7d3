import { keep, readKept } from './browser-storage.ts';

/**
 * What the files that were hashed in this tab are called. Analysts know a sample by its name, but the name may name a
 * customer: it is kept beside the hash in this tab and never sent.
 */
export type FileNames = Readonly<Record<string, string>>;

const KEY = 'assay.file-names';
const NAMES_MAX = 500;

/** Whatever else stands in the storage is left out. */
export function readFileNames(text: string | null): FileNames {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, name]) => typeof name === 'string'));
  } catch {
    return {};
  }
}

/** The newest stands last; the oldest go after five hundred. */
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
  // A browser that keeps nothing forgets the name with this page.
  keep('tab', KEY, JSON.stringify(current));
}

const stored = (): string | null => readKept('tab', KEY);
