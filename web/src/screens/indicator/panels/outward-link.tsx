import { visibleText } from '../../../ui/visible-parts.ts';

/**
 * A link to a stranger's page. Its host is shown, because it says more than the words around it; the page there learns
 * nothing of where the reader came from, and nothing is requested before the click.
 */
export function OutwardLink({ href, label }: { href: string; label: string }) {
  const url = URL.parse(href);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return (
    <a href={url.href} target="_blank" rel="noreferrer noopener nofollow" title={visibleText(url.href)}>
      {visibleText(label === '' ? url.host : `${label} ${url.host}`)}
    </a>
  );
}
