import { MAIL_LIMITS } from '../limits.ts';
import { eachToken, type HtmlToken } from './html-tokens.ts';

/** How a link acts on a reader: clicked, sent as a form, shown as text, or loaded by the mail program itself. */
export type LinkWay = 'click' | 'form' | 'text' | 'load';
export type RawLink = {
  readonly target: string;
  readonly way: LinkWay;
  /** The text between the tags of the link; null where there is none. */
  readonly anchorText: string | null;
};

export type HtmlFacts = {
  readonly links: readonly RawLink[];
  readonly text: string;
  /** Text outside of links: mail programs turn an address in it into a link. */
  readonly textOutsideLinks: string;
  readonly hiddenText: string;
  /** Number of `img` tags; a scan does not search pictures, for example for QR codes. */
  readonly images: number;
  readonly hasScript: boolean;
  readonly hasForm: boolean;
  readonly hasPasswordField: boolean;
  readonly isCut: boolean;
};

const ANCHOR_MAX = 300;
const STACK_MAX = 256;
const RAW_LINKS_MAX = 1_000;
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
const BLOCKS: ReadonlySet<string> = new Set('br p div td tr li table h1 h2 h3 h4 h5 h6'.split(' '));
const LOADED: Readonly<Record<string, string>> = {
  img: 'src',
  iframe: 'src',
  embed: 'src',
  object: 'data',
  source: 'src',
  video: 'poster',
  body: 'background',
  td: 'background',
  table: 'background',
};
const HIDING =
  /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}(?:0|1px|0?\.\d)|opacity\s{0,9}:\s{0,9}0(?![.\d])|max-height\s{0,9}:\s{0,9}0(?![.\d])|text-indent\s{0,9}:\s{0,9}-\d{3}/i;
const REFRESH = /url\s{0,9}=\s{0,9}['"]?([^'"\s]{1,2048})/i;

type Reading = {
  readonly links: RawLink[];
  readonly stack: { readonly name: string; readonly isHidden: boolean }[];
  readonly text: string[];
  readonly outside: string[];
  readonly hidden: string[];
  readonly open: { target: string; text: string }[];
  images: number;
  hasScript: boolean;
  hasForm: boolean;
  hasPasswordField: boolean;
};

const isHidden = ({ stack }: Reading): boolean => stack.at(-1)?.isHidden ?? false;

function hides(attributes: ReadonlyMap<string, string>): boolean {
  const style = attributes.get('style');
  return attributes.has('hidden') || (style !== undefined && HIDING.test(style));
}

function addLink(
  reading: Reading,
  target: string | undefined,
  way: LinkWay,
  anchorText: string | null,
): void {
  const text = target?.trim() ?? '';
  if (text === '' || reading.links.length >= RAW_LINKS_MAX) return;
  reading.links.push({ target: text, way, anchorText });
}

function closeAnchor(reading: Reading): void {
  const anchor = reading.open.pop();
  if (anchor === undefined) return;
  const text = anchor.text.replace(/\s+/g, ' ').trim().slice(0, ANCHOR_MAX);
  addLink(reading, anchor.target, 'click', text === '' ? null : text);
}

function openTag(reading: Reading, name: string, attributes: ReadonlyMap<string, string>): void {
  if (BLOCKS.has(name)) reading.text.push('\n');
  if (name === 'script') reading.hasScript = true;
  if (name === 'img') reading.images += 1;
  if (name === 'input' && attributes.get('type')?.toLowerCase() === 'password')
    reading.hasPasswordField = true;
  if (name === 'form') {
    reading.hasForm = true;
    addLink(reading, attributes.get('action'), 'form', null);
  }
  if (name === 'a' || name === 'area') {
    if (reading.open.length > 0) closeAnchor(reading);
    const target = attributes.get('href') ?? attributes.get('xlink:href');
    if (name === 'a' && target !== undefined) reading.open.push({ target, text: '' });
    else addLink(reading, target, 'click', null);
  }
  const loaded = LOADED[name];
  if (loaded !== undefined) addLink(reading, attributes.get(loaded), 'load', null);
  if (name === 'meta' && attributes.get('http-equiv')?.toLowerCase() === 'refresh')
    addLink(reading, REFRESH.exec(attributes.get('content') ?? '')?.[1], 'click', null);
  if (!VOID.has(name) && reading.stack.length < STACK_MAX)
    reading.stack.push({ name, isHidden: isHidden(reading) || hides(attributes) });
}

/** Closes the nearest open element of the name, and with it everything inside. */
function closeTag(reading: Reading, name: string): void {
  if (name === 'a') closeAnchor(reading);
  const { stack } = reading;
  for (let at = stack.length - 1; at >= Math.max(0, stack.length - 32); at -= 1)
    if (stack[at]?.name === name) {
      stack.length = at;
      return;
    }
}

function take(reading: Reading, token: HtmlToken): void {
  if (token.kind === 'open') openTag(reading, token.name, token.attributes);
  else if (token.kind === 'close') closeTag(reading, token.name);
  else if (isHidden(reading)) reading.hidden.push(token.text);
  else {
    reading.text.push(token.text);
    const anchor = reading.open.at(-1);
    if (anchor === undefined) reading.outside.push(token.text);
    else if (anchor.text.length < ANCHOR_MAX) anchor.text += token.text;
  }
}

export function readHtml(html: string): HtmlFacts {
  const reading: Reading = {
    links: [],
    stack: [],
    text: [],
    outside: [],
    hidden: [],
    open: [],
    images: 0,
    hasScript: false,
    hasForm: false,
    hasPasswordField: false,
  };
  const isCut = html.length > MAIL_LIMITS.htmlCharsMax;
  eachToken(isCut ? html.slice(0, MAIL_LIMITS.htmlCharsMax) : html, (token) => take(reading, token));
  while (reading.open.length > 0) closeAnchor(reading);
  const { links, images, hasScript, hasForm, hasPasswordField } = reading;
  return {
    links,
    text: reading.text.join(''),
    textOutsideLinks: reading.outside.join(' '),
    hiddenText: reading.hidden.join(' '),
    images,
    hasScript,
    hasForm,
    hasPasswordField,
    isCut: isCut || links.length >= RAW_LINKS_MAX,
  };
}
