import { HeaderDates, serialDate } from './declared-date.ts';
import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';
import { isLocalName, withoutWildcard } from './listed-name.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';
import { addressOfRpz } from './rpz-address.ts';

type RpzSpec = Extract<FormatSpec, { kind: 'rpz' }>;

const CLASS_OR_TTL = /^(?:in|ch|hs|\d{1,10}|(?:\d{1,10}[smhdw]){1,5})$/i;
const TYPE = /^[a-z][a-z0-9-]{0,15}$/i;
/** Records of the zone itself. */
const ZONE_TYPE = /^(?:soa|ns|rrsig|nsec3?|nsec3param|dnskey|cdnskey|cds|ds)$/i;
const PASS = /^rpz-passthru\.?$/i;
/** A SOA in parentheses spans several lines, which may have comments. */
const PARENTHESES_LINES_MAX = 100;

/** A response policy zone (a zone file, RFC 1035 section 5). Each owner name is the subject of a policy. */
export function rpzZone(sink: Sink, _spec: RpzSpec): FormatParser {
  const zone = new Zone(sink);
  return lineParser(
    (line) => zone.line(line),
    (start) => sink.rejected(LINE_TOO_LONG, start),
  );
}

class Zone {
  /** The zone's own name, the suffix of absolute owner names; empty when the file does not give it. */
  #apex: string | null = null;
  #origin = '';
  #owner = '';
  #openLines = 0;
  #isSoa = false;
  readonly #header: HeaderDates;
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#header = new HeaderDates(sink);
  }

  line(raw: string) {
    const text = withoutComment(raw);
    if (text.trim() === '') {
      if (this.#openLines === 0) this.#header.comment(raw);
      return;
    }
    this.#header.isOpen = false;
    if (this.#openLines > 0) return this.#continue(text);
    if (text.startsWith('$')) return this.#directive(text);
    const words = text.trim().split(/\s+/);
    const isSameOwner = /^\s/.test(text);
    if (!isSameOwner) this.#owner = words.shift() ?? '';
    while (words.length > 0 && CLASS_OR_TTL.test(words[0] ?? '')) words.shift();
    const [type = '', ...data] = words;
    if (!TYPE.test(type) || data.length === 0) return this.#sink.rejected(REJECTED.noStatement, raw);
    this.#record(type, data, raw);
  }

  #record(type: string, data: readonly string[], raw: string) {
    if (!ZONE_TYPE.test(type)) return this.#policy(type, data[0] ?? '', raw);
    this.#isSoa = /^soa$/i.test(type);
    if (this.#isSoa) {
      if (this.#owner.endsWith('.') && this.#owner !== '.') this.#apex = canonical(this.#owner);
      this.#serial(data);
    }
    const opened = data.join(' ');
    if (opened.includes('(') && !opened.includes(')')) this.#openLines = 1;
  }

  #policy(type: string, target: string, raw: string) {
    if (/^cname$/i.test(type) && PASS.test(target)) return this.#sink.unsupported(UNSUPPORTED.exception, raw);
    const name = this.#trigger();
    if (name === '') return this.#sink.unsupported(UNSUPPORTED.directive, raw);
    if (/(?:^|\.)rpz-(?:nsip|nsdname)$/i.test(name))
      return this.#sink.unsupported(UNSUPPORTED.nameServer, raw);
    if (/(?:^|\.)rpz-client-ip$/i.test(name)) return this.#sink.unsupported(UNSUPPORTED.client, raw);
    if (/\.rpz-ip$/i.test(name)) {
      const address = addressOfRpz(name.slice(0, -'.rpz-ip'.length));
      if (address === null) this.#sink.rejected(REJECTED.rpzAddress, raw);
      else this.#sink.entry({ text: address });
    } else if (isLocalName(name)) this.#sink.unsupported(UNSUPPORTED.localName, name);
    else this.#sink.entry({ text: withoutWildcard(name) });
  }

  /** The subject of the policy: the owner name without the zone's own name. */
  #trigger(): string {
    const isAbsolute = this.#owner.endsWith('.');
    const owner = canonical(this.#owner);
    const own = this.#owner === '@' ? this.#origin : owner;
    const full = isAbsolute || this.#origin === '' || this.#owner === '@' ? own : `${owner}.${this.#origin}`;
    const apex = this.#apex ?? '';
    if (apex === '') return full;
    if (full.toLowerCase() === apex) return '';
    return full.toLowerCase().endsWith(`.${apex}`) ? full.slice(0, -apex.length - 1) : full;
  }

  #directive(text: string) {
    const [name = '', value = ''] = text.trim().split(/\s+/);
    if (/^\$origin$/i.test(name)) {
      const isAbsolute = value.endsWith('.') || this.#origin === '';
      this.#origin = isAbsolute
        ? canonical(value).toLowerCase()
        : `${canonical(value).toLowerCase()}.${this.#origin}`;
      this.#apex ??= this.#origin;
    } else if (!/^\$ttl$/i.test(name)) this.#sink.unsupported(UNSUPPORTED.directive, text);
  }

  #continue(text: string) {
    if (this.#isSoa) this.#serial(text.trim().split(/\s+/));
    this.#openLines =
      text.includes(')') || this.#openLines >= PARENTHESES_LINES_MAX ? 0 : this.#openLines + 1;
  }

  #serial(words: readonly string[]) {
    const serial = words.find((word) => /^\(?\d+\)?$/.test(word));
    if (serial === undefined) return;
    this.#isSoa = false;
    const ms = serialDate(serial.replace(/[()]/g, ''));
    if (ms !== null) this.#sink.dataDate(ms);
  }
}

const canonical = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name);

/** A semicolon starts a comment except inside quotes. */
function withoutComment(line: string): string {
  const semicolon = line.indexOf(';');
  if (semicolon < 0) return line;
  if (!line.includes('"')) return line.slice(0, semicolon);
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === '\\') i += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === ';' && !isQuoted) return line.slice(0, i);
  }
  return line;
}
