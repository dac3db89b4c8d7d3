import { escapeHtml } from '#platform/escape-html.ts';
import { type Call, type PreparedBody, preparedBody } from '#platform/http/route.ts';

const CSP = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export type PageWords = { readonly title: string; readonly text: string; readonly button?: string };

/**
 * A page that asks before it acts: programs that scan mail open links, so opening one must change nothing (trap 74). Its
 * button posts to the same address.
 */
export function sendPage(call: Pick<Call, 'reply'>, words: PageWords): PreparedBody {
  call.reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', CSP)
    .header('cache-control', 'no-store')
    // The address holds a token, which other sites must not get as a referrer.
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('x-robots-tag', 'noindex');
  return preparedBody(renderPage(words));
}

const renderPage = ({ title, text, button }: PageWords): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${
  button === undefined
    ? ''
    : `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${escapeHtml(button)}</button></form>`
}
</main></body></html>
`;

/** Whether the caller is a browser that shows the answer to a person. */
export const wantsPage = ({ request }: Pick<Call, 'request'>): boolean =>
  request.headers.accept?.includes('text/html') === true;
