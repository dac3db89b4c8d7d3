import { randomBytes } from 'node:crypto';

export type PageConfig = {
  /** The API's address for programs, shown in the page's examples. The page itself calls `/api` of its own host. */
  readonly apiUrl: string;
  readonly demo: boolean;
  readonly version: string;
  /** Pages of other services about an indicator. The page links to them and requests nothing from them. */
  readonly outwardLinks: readonly {
    readonly name: string;
    readonly kinds: readonly string[];
    readonly template: string;
  }[];
};

export type WebPage = { readonly html: () => { readonly text: string; readonly nonce: string } };

const NONCE = '__CSP_NONCE__';
const CONFIG = '__ASSAY_CONFIG__';
const NONCE_BYTES = 16;

/** The built index.html; every answer carries a new nonce (reliability 3.C). */
export function createWebPage(template: string, config: PageConfig): WebPage {
  // A replacement function, because `$&` inside a value would be read as a pattern.
  const parts = template.replaceAll(CONFIG, () => scriptJson(config)).split(NONCE);
  return {
    html: () => {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      return { text: parts.join(nonce), nonce };
    },
  };
}

/** JSON for the inside of a script element: without `<` it cannot end the element or open a comment. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Allows only our own files and this answer's own tags; no frame around it, no form to another site. */
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
    // Prevents the DOM from turning text into markup or code; React needs no exception.
    "require-trusted-types-for 'script'",
  ].join('; ');

/** For the page that says that the dashboard is not built. */
export const NOTHING_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
