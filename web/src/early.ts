import { isPlain, pageTypeOf } from './screens/indicator/plain-target.ts';
import { earlyCheck, earlySession } from './service/client.ts';

/** The one part of the path that says what is asked; null on any other page, and where it has to be read first. */
function askedBy(pathname: string): string | null {
  const path = pathname.replace(import.meta.env.BASE_URL, '/');
  const [, written] = /^\/(?:ip|domain|hash|url)\/([^/]+)$/.exec(path) ?? [];
  try {
    const value = decodeURIComponent(written ?? '');
    return isPlain(pageTypeOf(path), value) ? value : null;
  } catch {
    return null;
  }
}

// Before the rest of the page is here: a few kilobytes run long before a hundred.
const value = askedBy(location.pathname);
if (value !== null) earlyCheck.ask(value);
earlySession.ask();
