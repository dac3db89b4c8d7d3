import { isPlain, pageTypeOf } from './screens/indicator/plain-target.ts';
import { earlyCheck, earlySession } from './service/client.ts';

/** The indicator in the path when it needs no parsing; null on any other page. */
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

// This chunk of a few kilobytes runs long before the page's hundred kilobytes, so the first requests leave early.
const value = askedBy(location.pathname);
if (value !== null) earlyCheck.ask(value);
earlySession.ask();
