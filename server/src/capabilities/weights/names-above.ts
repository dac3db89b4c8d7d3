import { isPlatformRoot } from '#domain/indicator/index.ts';
import type { VisitedHost } from './reference-file.ts';

/**
 * The names whose listing accuses a visited host, the nearest first: both spellings of the host, then the names above it down
 * to the registrable domain. Nothing at or above a platform says anything of the names below it. Empty: the host is a
 * platform itself.
 */
export function namesAbove({ host, registrable }: VisitedHost): readonly string[] {
  if (isPlatformRoot(host)) return [];
  const names = [host, `www.${host}`];
  for (let name = parentOf(host); name.length >= registrable.length; name = parentOf(name)) {
    if (isPlatformRoot(name)) break;
    names.push(name);
  }
  return names;
}

const parentOf = (name: string): string => name.slice(name.indexOf('.') + 1 || name.length);
