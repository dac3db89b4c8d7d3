import type { Attachment } from 'postal-mime';
import { readInjection } from '../injection/index.ts';
import { boundMessage } from './body/bound-message.ts';
import { readContacts } from './body/contacts.ts';
import { type LinkFact, type Origin, readLink } from './body/links.ts';
import { parseMime } from './body/parse-mime.ts';
import { type RawLink, readHtml } from './body/read-html.ts';
import { readText } from './body/text-links.ts';
import { extensionOf } from './files/file-names.ts';
import { type FileTools, readFile } from './files/read-attachment.ts';
import { decodeText, type Mailbox, readMailboxes } from './headers/mailboxes.ts';
import { firstOf, type Header, readHeaders, valuesOf } from './headers/read-headers.ts';
import { MAIL_LIMITS } from './limits.ts';
import type { AttachmentFact, ContactFact, MessageFacts } from './message-facts.ts';

type From = { readonly origin: Origin | null; readonly originName: string | null };
const OF_MESSAGE: From = { origin: null, originName: null };

/** Collects facts from a message and from the messages attached to it. */
export class Collection {
  readonly links = new Map<string, LinkFact>();
  readonly attachments: AttachmentFact[] = [];
  readonly contacts = new Map<string, ContactFact>();
  readonly cuts = new Set<string>();
  visible = '';
  hidden = '';
  unreadLinks = 0;
  unreadMessages = 0;
  hasImages = false;
  hasForm = false;
  hasPasswordField = false;

  addLink(raw: RawLink, from: From): void {
    const link = readLink(raw, from);
    if (link === null) return;
    if (link === 'unread') {
      this.unreadLinks += 1;
      return;
    }
    const key = `${link.url} ${link.shownDomain ?? ''} ${link.way === 'load' ? 'load' : ''}`;
    if (this.links.has(key)) return;
    if (this.links.size >= MAIL_LIMITS.linksMax) this.cuts.add('links');
    else this.links.set(key, link);
  }

  addContacts(contacts: readonly ContactFact[]): void {
    for (const contact of contacts)
      if (this.contacts.size < MAIL_LIMITS.contactsMax) this.contacts.set(contact.value, contact);
      else this.cuts.add('contacts');
  }

  /** Clickable links come first, because the cap drops the later ones. */
  addBody(html: string, text: string, from: From): void {
    const ofHtml = readHtml(html);
    const ofText = readText(html === '' ? text : `${text}\n${ofHtml.textOutsideLinks}`);
    if (ofHtml.isCut || ofText.isCut) this.cuts.add('body');
    const clicked = ofHtml.links.filter(({ way }) => way !== 'load');
    for (const raw of [...clicked, ...ofText.links]) this.addLink(raw, from);
    for (const raw of ofHtml.links) if (raw.way === 'load') this.addLink(raw, from);
    const shown = `${ofHtml.text}\n${text}`;
    this.addContacts(readContacts(shown, ofText.emails, from));
    this.visible = `${this.visible}\n${shown}`.slice(0, MAIL_LIMITS.textCharsMax);
    this.hidden = `${this.hidden}\n${ofHtml.hiddenText}`.slice(0, MAIL_LIMITS.textCharsMax);
    if (shown.length > MAIL_LIMITS.textCharsMax) this.cuts.add('body');
    this.hasImages ||= ofHtml.images > 0;
    this.hasForm ||= ofHtml.hasForm;
    this.hasPasswordField ||= ofHtml.hasPasswordField;
  }

  facts(headers: readonly Header[], isStructured: boolean): MessageFacts {
    const from = valuesOf(headers, 'from');
    const authors = from.flatMap(readMailboxes);
    return {
      headers,
      from: authors[0] ?? null,
      fromCount: authors.length,
      replyTo: valuesOf(headers, 'reply-to').flatMap(readMailboxes).slice(0, MAIL_LIMITS.addressesMax),
      returnPath: returnPathOf(headers),
      subject: subjectOf(headers),
      received: valuesOf(headers, 'received').slice(0, MAIL_LIMITS.hopsMax),
      links: [...this.links.values()],
      unreadLinks: this.unreadLinks,
      attachments: this.attachments,
      contacts: [...this.contacts.values()],
      injection: readInjection(this.visible, this.hidden),
      hiddenChars: this.hidden.trim().length,
      visibleChars: this.visible.trim().length,
      hasImages: this.hasImages,
      hasForm: this.hasForm,
      hasPasswordField: this.hasPasswordField,
      unreadMessages: this.unreadMessages,
      isStructured,
      cuts: [...this.cuts],
    };
  }
}

const SUBJECT_MAX = 1_000;
const subjectOf = (headers: readonly Header[]): string | null => {
  const value = firstOf(headers, 'subject');
  return value === null ? null : decodeText(value).slice(0, SUBJECT_MAX);
};
const returnPathOf = (headers: readonly Header[]): Mailbox | null => {
  const value = firstOf(headers, 'return-path');
  return value === null ? null : (readMailboxes(value)[0] ?? null);
};

/** Reads a whole message in bounded time and memory. Limits that were reached are named in `cuts`. */
export async function readMessage(bytes: Uint8Array, tools: FileTools): Promise<MessageFacts> {
  const collection = new Collection();
  const { headers, isCut } = readHeaders(bytes);
  if (isCut) collection.cuts.add('headers');
  await collect(bytes, OF_MESSAGE, 0, collection, tools);
  return collection.facts(headers, false);
}

async function collect(
  bytes: Uint8Array,
  from: From,
  level: number,
  into: Collection,
  tools: FileTools,
): Promise<void> {
  const bounded = boundMessage(bytes);
  for (const cut of bounded.cuts) into.cuts.add(cut);
  const { email, isTextCut } = await parseMime(bounded.bytes);
  if (isTextCut) into.cuts.add('body');
  if (email === null) {
    // The parser refused the structure, so the raw text is read, to look up at least its links.
    into.cuts.add('structure');
    into.addBody('', new TextDecoder('latin1').decode(bytes.subarray(0, MAIL_LIMITS.textCharsMax)), from);
    return;
  }
  into.addBody(email.html ?? '', email.text ?? '', from);
  for (const attachment of email.attachments) await addAttachment(attachment, from, level, into, tools);
}

const FILENAME_MAX = 255;
const PICTURE_NAMES: ReadonlySet<string> = new Set(['', 'png', 'jpg', 'jpeg', 'gif', 'bmp', 'webp', 'svg']);

async function addAttachment(
  part: Attachment,
  from: From,
  level: number,
  into: Collection,
  tools: FileTools,
): Promise<void> {
  if (into.attachments.length >= MAIL_LIMITS.attachmentsMax) {
    into.cuts.add('attachments');
    return;
  }
  const bytes = typeof part.content === 'string' ? new Uint8Array() : new Uint8Array(part.content);
  const filename = part.filename === null ? null : part.filename.slice(0, FILENAME_MAX);
  const file = readFile(bytes, filename, tools);
  const isMessage = part.mimeType === 'message/rfc822' || file.detectedType === 'eml';
  const isInline = part.disposition === 'inline' || part.related === true;
  into.attachments.push({
    ...file,
    filename,
    contentType: part.mimeType.slice(0, 200),
    size: bytes.length,
    isInline,
    isInlinePicture:
      isInline && part.mimeType.startsWith('image/') && PICTURE_NAMES.has(extensionOf(filename)),
    isMessage,
    ...from,
  });
  if (file.detectedType === 'image') into.hasImages = true;
  const inside: From = { origin: 'attachment', originName: filename };
  for (const target of file.targets) into.addLink({ target, way: 'click', anchorText: null }, inside);
  if (file.detectedType === 'html') addPage(bytes, inside, into);
  if (!isMessage) return;
  if (level >= MAIL_LIMITS.attachedLevelsMax) into.unreadMessages += 1;
  else await collect(bytes, { origin: 'attached_message', originName: filename }, level + 1, into, tools);
}

/** Reads an HTML file like a body, because a form in it may ask for a password. */
function addPage(bytes: Uint8Array, from: From, into: Collection): void {
  const html = new TextDecoder('utf-8').decode(bytes.subarray(0, MAIL_LIMITS.htmlCharsMax));
  into.addBody(html, '', from);
}
