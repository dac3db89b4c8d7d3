import { visibleText } from '../../../ui/visible-parts.ts';

/**
 * A link to a page of a third party. Its host is shown, because the label may mislead. No referrer is sent, so the page
 * does not learn where the reader came from, and nothing is requested before the click.
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
