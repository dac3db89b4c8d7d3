/** A tag or a text of an HTML document. Attribute values are decoded. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

const TAG_CHARS_MAX = 16_384;
const ATTRIBUTES_MAX = 64;
const RAW_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'title', 'textarea', 'xmp']);
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['shy', '\u00ad'],
  ['zwnj', '\u200c'],
  ['zwj', '\u200d'],
  ['period', '.'],
  ['sol', '/'],
  ['colon', ':'],
  ['commat', '@'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['lowbar', '_'],
  ['quest', '?'],
  ['equals', '='],
  ['num', '#'],
  ['percnt', '%'],
  ['newline', '\n'],
  ['tab', '\t'],
]);
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,12}));?/gi;

export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? whole;
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
          ? String.fromCodePoint(code)
          : '';
      })
    : text;

/** Reads a document in one pass, as a browser would split it: no tree, no script, bounded tags. */
export function eachToken(html: string, visit: (token: HtmlToken) => void): void {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      visit({ kind: 'text', text: decodeEntities(html.slice(at)) });
      return;
    }
    if (open > at) visit({ kind: 'text', text: decodeEntities(html.slice(at, open)) });
    at = readMarkup(html, open, visit);
  }
}

function readMarkup(html: string, open: number, visit: (token: HtmlToken) => void): number {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4);
    return end === -1 ? html.length : end + 3;
  }
  const next = html.charCodeAt(open + 1);
  const isLetter = (next >= 65 && next <= 90) || (next >= 97 && next <= 122);
  if (next === 47) {
    const end = html.indexOf('>', open);
    if (end === -1) return html.length;
    const name = html
      .slice(open + 2, Math.min(end, open + 40))
      .trim()
      .toLowerCase();
    visit({ kind: 'close', name });
    return end + 1;
  }
  if (!isLetter) {
    if (next === 33 || next === 63) {
      const end = html.indexOf('>', open);
      return end === -1 ? html.length : end + 1;
    }
    visit({ kind: 'text', text: '<' });
    return open + 1;
  }
  return readTag(html, open, visit);
}

function readTag(html: string, open: number, visit: (token: HtmlToken) => void): number {
  const limit = Math.min(html.length, open + TAG_CHARS_MAX);
  let at = open + 1;
  while (at < limit && !/[\s/>]/.test(html.charAt(at))) at += 1;
  const name = html.slice(open + 1, at).toLowerCase();
  const attributes = new Map<string, string>();
  while (at < limit && html.charAt(at) !== '>') at = readAttribute(html, at, limit, attributes);
  const end = html.charAt(at) === '>' ? at + 1 : afterTag(html, at);
  visit({ kind: 'open', name, attributes });
  if (!RAW_TEXT.has(name)) return end;
  const close = findClose(html, name, end);
  return close === -1 ? html.length : close;
}

/** A tag longer than its limit ends at the next bracket. */
function afterTag(html: string, at: number): number {
  const end = html.indexOf('>', at);
  return end === -1 ? html.length : end + 1;
}

function findClose(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2))
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at;
  return -1;
}

function readAttribute(html: string, from: number, limit: number, into: Map<string, string>): number {
  let at = from;
  while (at < limit && /[\s/]/.test(html.charAt(at))) at += 1;
  const start = at;
  while (at < limit && !/[\s/>=]/.test(html.charAt(at))) at += 1;
  const name = html.slice(start, at).toLowerCase();
  while (at < limit && /\s/.test(html.charAt(at))) at += 1;
  if (html.charAt(at) !== '=') {
    if (name !== '' && into.size < ATTRIBUTES_MAX && !into.has(name)) into.set(name, '');
    return at === from ? at + 1 : at;
  }
  at += 1;
  while (at < limit && /\s/.test(html.charAt(at))) at += 1;
  const quote = html.charAt(at);
  const isQuoted = quote === '"' || quote === "'";
  const valueFrom = isQuoted ? at + 1 : at;
  at = valueFrom;
  while (at < limit && (isQuoted ? html.charAt(at) !== quote : !/[\s>]/.test(html.charAt(at)))) at += 1;
  if (name !== '' && into.size < ATTRIBUTES_MAX && !into.has(name))
    into.set(name, decodeEntities(html.slice(valueFrom, at)));
  return isQuoted && at < limit ? at + 1 : at;
}
