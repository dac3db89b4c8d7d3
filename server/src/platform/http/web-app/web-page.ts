import { randomBytes } from 'node:crypto';

/** What the page is told about the service it was served by. */
export type PageConfig = {
  /** Where programs reach the API: for the examples the page shows. It calls `/api` of its own host itself. */
  readonly apiUrl: string;
  readonly demo: boolean;
  readonly version: string;
};

export type WebPage = { readonly html: () => { readonly text: string; readonly nonce: string } };

const NONCE = '__CSP_NONCE__';
const CONFIG = '__ASSAY_CONFIG__';
const NONCE_BYTES = 16;

/** The built index.html, ready to be served: every answer carries a nonce of its own (reliability 3.C). */
export function createWebPage(template: string, config: PageConfig): WebPage {
  // A function as the replacement: `$&` inside a value would otherwise be read as a pattern.
  const parts = template.replaceAll(CONFIG, () => scriptJson(config)).split(NONCE);
  return {
    html: () => {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      return { text: parts.join(nonce), nonce };
    },
  };
}

/** JSON for the inside of a script element: without `<` nothing in it can end the element or open a comment. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Nothing but our own files and this answer's own tags; no frame around it, no form to elsewhere. */
export const pageCsp = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // Text can no longer become markup or code by way of the DOM; React needs no exception from it.
    "require-trusted-types-for 'script'",
  ].join('; ');

/** Of the page that says there is no page. */
export const NOTHING_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
