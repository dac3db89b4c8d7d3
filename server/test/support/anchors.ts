import type { SourceFile } from './scan-source.ts';

/**
 * Every link target of a page: explicit anchors, and headings with the ids that repository hosts give them.
 */
export function anchorsOf(page: string): ReadonlySet<string> {
  const explicit = [...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map((match) => match[1] ?? '');
  const headings = [...page.matchAll(/^#{1,6} (.+)$/gm)].map((match) => slugOf(match[1] ?? ''));
  return new Set([...explicit, ...headings]);
}

const slugOf = (heading: string): string =>
  heading
    .replace(/<[^>]*>/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

export type Link = { readonly path: string; readonly line: number; readonly target: string };

export function localLinksOf({ path, text }: SourceFile): readonly Link[] {
  const shown = text.replace(/```[\s\S]*?```/g, (code) => code.replace(/[^\n]/g, ' '));
  return [...shown.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(({ index, 1: written = '' }) => ({
    path,
    line: text.slice(0, index).split('\n').length,
    target: written.startsWith('#') ? `${path}${written}` : new URL(written, `file:///${path}`).href.slice(8),
  }));
}

/**
 * Tells whether the repository holds the target of a citation or a link. A target that ends in `-` or `_` is
 * the prefix of a file name.
 */
export function createResolver(
  files: readonly string[],
  read: (path: string) => string,
): (target: string) => boolean {
  const pages = new Map<string, ReadonlySet<string>>();
  const known = new Set(files);
  const folders = new Set(
    files.flatMap((file) => file.split('/').map((_, n, parts) => parts.slice(0, n).join('/'))),
  );
  const anchors = (path: string): ReadonlySet<string> => {
    const before = pages.get(path);
    if (before !== undefined) return before;
    const found = known.has(path) ? anchorsOf(read(path)) : new Set<string>();
    pages.set(path, found);
    return found;
  };
  return (target) => {
    const [path = '', anchor] = target.split('#', 2);
    if (anchor !== undefined) return anchors(path).has(anchor);
    if (/[-_]$/.test(path)) return files.some((file) => file.startsWith(path));
    return known.has(path) || folders.has(path.replace(/\/$/, ''));
  };
}
