export type SuricataRule = {
  readonly action: string;
  readonly protocol: string;
  /** Addresses of both sides, without negations, variables and `any`. */
  readonly addresses: readonly string[];
  readonly contents: readonly Content[];
  readonly hasPattern: boolean;
  readonly reference?: string;
  readonly family?: string;
};

export type Content = {
  readonly text: string;
  readonly buffer: 'host' | 'uri' | 'payload' | 'other';
};

const HOST_BUFFER =
  /^(?:tls[._]sni|quic\.sni|dns[._]query(?:\.name)?|dns\.queries\.rrname|http\.host(?:\.raw)?|http_(?:raw_)?host)$/;
const URI_BUFFER = /^(?:http\.uri(?:\.raw)?|http_(?:raw_)?uri)$/;
/** After one of these, `content` searches that buffer; `http_host` and similar follow the content they apply to. */
const STICKY = /^(?:[a-z0-9_]+\.[a-z0-9_.]+|dns_query|tls_sni|file_data|pkt_data|base64_data)$/;
const MODIFIER = /^(?:http|ssl|tls)_[a-z_]+$/;
const NEGATED_GROUP = /!\s*\[[^[\]]*\]/g;
const HEX_PART = /\|([0-9a-fA-F\s]*)\|/g;
const ESCAPED = /\\([";:\\|])/g;
const FAMILY = /(?:^|[,\s])malware_family\s+([^,;]+)/;

/** Null when the line is not a rule. Linear: one pass for the header, one for the options. */
export function parseSuricataRule(line: string): SuricataRule | null {
  const open = line.indexOf('(');
  const close = line.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const header = headerWords(line.slice(0, open));
  const [action = '', protocol = '', source = '', , direction = '', target = ''] = header;
  if (!/^(?:->|<>|<-|=>)$/.test(direction) || !/^[a-z]+$/i.test(action)) return null;
  return {
    action: action.toLowerCase(),
    protocol: protocol.toLowerCase(),
    addresses: [...addressesOf(source), ...addressesOf(target)],
    ...readOptions(line.slice(open + 1, close)),
  };
}

/** Words separated by blanks; a list in brackets is one word, with its blanks. */
function headerWords(header: string): readonly string[] {
  const words: string[] = [];
  let depth = 0;
  let word = '';
  for (const char of header) {
    if (char === '[') depth += 1;
    else if (char === ']') depth -= 1;
    if (depth > 0 || !/\s/.test(char)) word += char;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  return word === '' ? words : [...words, word];
}

const addressesOf = (group: string): readonly string[] =>
  group
    .replace(NEGATED_GROUP, '')
    .split(/[[\],\s]+/)
    .filter((part) => /^[0-9a-f]/i.test(part) && part !== 'any');

function readOptions(text: string): Pick<SuricataRule, 'contents' | 'hasPattern' | 'reference' | 'family'> {
  const contents: Content[] = [];
  let buffer: Content['buffer'] = 'payload';
  let hasPattern = false;
  let reference: string | undefined;
  let family: string | undefined;
  for (const { key, value } of optionsOf(text)) {
    if (value === '' && STICKY.test(key)) buffer = bufferOf(key);
    else if (key === 'content' || key === 'uricontent') {
      if (!value.startsWith('!')) contents.push({ text: decodeContent(value), buffer });
    } else if (value === '' && MODIFIER.test(key)) {
      const last = contents.pop();
      if (last !== undefined) contents.push({ text: last.text, buffer: bufferOf(key) });
    } else if (key === 'pcre' || key === 'dataset' || key === 'iprep') hasPattern = true;
    else if (key === 'reference' && value.startsWith('url,')) reference ??= value.slice(4).trim();
    else if (key === 'metadata') family ??= FAMILY.exec(value)?.[1]?.trim();
  }
  return {
    contents,
    hasPattern,
    ...(reference === undefined ? {} : { reference }),
    ...(family === undefined ? {} : { family }),
  };
}

function bufferOf(key: string): Content['buffer'] {
  if (HOST_BUFFER.test(key)) return 'host';
  if (URI_BUFFER.test(key)) return 'uri';
  return key === 'pkt_data' ? 'payload' : 'other';
}

/** `key:value;` and `key;`. Semicolons inside quotes, and escaped ones, are part of the value. */
function* optionsOf(text: string): Generator<{ readonly key: string; readonly value: string }> {
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i <= text.length; i++) {
    const char = i === text.length ? ';' : text.charAt(i);
    if (char === '\\') i += 1;
    else if (char === '"') isQuoted = !isQuoted;
    if ((char !== ';' || isQuoted) && i < text.length) continue;
    const option = text.slice(start, i).trim();
    start = i + 1;
    const colon = option.indexOf(':');
    if (option !== '')
      yield colon < 0
        ? { key: option.toLowerCase(), value: '' }
        : { key: option.slice(0, colon).trim().toLowerCase(), value: option.slice(colon + 1).trim() };
  }
}

/** The bytes of a quoted content, one character each: `evil|2e|com` is evil.com. */
function decodeContent(value: string): string {
  const start = value.indexOf('"');
  const end = value.lastIndexOf('"');
  const inner = end > start ? value.slice(start + 1, end) : value;
  return inner
    .replace(HEX_PART, (_, hex: string) =>
      (hex.match(/[0-9a-fA-F]{2}/g) ?? [])
        .map((byte) => String.fromCharCode(Number.parseInt(byte, 16)))
        .join(''),
    )
    .replace(ESCAPED, '$1');
}
