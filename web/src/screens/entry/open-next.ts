import { go } from '../../navigation/place.ts';

/** Only a path of this site: anything else would be an open redirect. */
export function openNext(next: string): void {
  const [path = '/', query = ''] = (/^\/(?![/\\])/.test(next) ? next : '/').split('?');
  go(path, { search: Object.fromEntries(new URLSearchParams(query)), replace: true });
}
