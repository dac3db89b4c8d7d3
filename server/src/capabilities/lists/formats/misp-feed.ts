import type { Entry, EntryKind, FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { dateOf } from './json-date.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonElements } from './json-elements.ts';
import { exampleOf } from './json-entry.ts';
import { digestsOfOneFile, siblingsOf } from './same-file.ts';

const EXAMPLE_CHARS = 80;
const REASONS = {
  notAnAttribute: 'This MISP attribute has no type and value.',
  otherType: 'A MISP attribute of a type that is not listed.',
  notForDetection: 'The publisher does not mark this MISP attribute for detection.',
  deleted: 'The publisher has deleted this MISP attribute.',
} as const;

/** Per MISP attribute type: which parts of a value `a|b` are entries. Types that are missing here are not listed. */
const PARTS: Readonly<Record<string, { readonly parts: readonly (0 | 1)[]; readonly kind?: EntryKind }>> = {
  'ip-src': { parts: [0] },
  'ip-dst': { parts: [0] },
  'ip-src|port': { parts: [0] },
  'ip-dst|port': { parts: [0] },
  domain: { parts: [0] },
  hostname: { parts: [0] },
  'hostname|port': { parts: [0] },
  'domain|ip': { parts: [0, 1] },
  url: { parts: [0] },
  md5: { parts: [0] },
  sha1: { parts: [0] },
  sha256: { parts: [0] },
  'filename|md5': { parts: [1] },
  'filename|sha1': { parts: [1] },
  'filename|sha256': { parts: [1] },
  'malware-sample': { parts: [1] },
  email: { parts: [0] },
  'email-src': { parts: [0] },
  'email-dst': { parts: [0] },
  'email-reply-to': { parts: [0] },
  AS: { parts: [0], kind: 'asn' },
  btc: { parts: [0], kind: 'crypto' },
  xmr: { parts: [0], kind: 'crypto' },
  dash: { parts: [0], kind: 'crypto' },
};
/** Types whose values are never split at a bar, because a URL or an address may hold one. */
const WHOLE = new Set(['url', 'email', 'email-src', 'email-dst', 'email-reply-to']);
const DIGEST_TYPE = /(?:^|\|)(?:md5|sha1|sha256)$|^malware-sample$/;
/** `misp-galaxy:malpedia="Emotet"`, `misp-galaxy:tool="PlugX"`. */
const FAMILY_TAG =
  /^misp-galaxy:(?:malpedia|tool|ransomware|rat|banker|botnet|stealer|backdoor|mitre-malware)="([^"]{1,80})"$/;

const ATTRIBUTE_PATHS = [
  'Event.Attribute[*]',
  '[*].Event.Attribute[*]',
  'response[*].Event.Attribute[*]',
  'response.Event.Attribute[*]',
  'response.Attribute[*]',
  'Attribute[*]',
];
const OBJECT_PATHS = ATTRIBUTE_PATHS.map((path) => path.replace('Attribute', 'Object'));
const DATE_PATHS = [
  'Event.publish_timestamp',
  '[*].Event.publish_timestamp',
  'response[*].Event.publish_timestamp',
  'Event.timestamp',
  '[*].Event.timestamp',
  'response[*].Event.timestamp',
];

type Attribute = JsonObject & { readonly type: string; readonly value: string };

/** MISP events, alone, in an array or in the answer of an instance: attributes and the objects that group them. */
export function mispFeed(
  sink: Sink,
  spec: Pick<Extract<FormatSpec, { kind: 'misp-feed' }>, 'toIdsOnly'>,
): FormatParser {
  const toIdsOnly = spec.toIdsOnly === true;
  const objectsFrom = ATTRIBUTE_PATHS.length;
  const datesFrom = objectsFrom + OBJECT_PATHS.length;
  const stream = jsonElements([...ATTRIBUTE_PATHS, ...OBJECT_PATHS, ...DATE_PATHS], {
    element: (value, path) => {
      if (path >= datesFrom) {
        const ms = dateOf(value);
        if (ms !== undefined) sink.dataDate(ms);
      } else if (path >= objectsFrom) takeObject(sink, value, toIdsOnly);
      else takeAttribute(sink, value, toIdsOnly, []);
    },
    oversized: sink.rejected,
    broken: sink.rejected,
  });
  return { member: stream.end, write: stream.write, end: stream.end };
}

function takeObject(sink: Sink, object: JsonValue, toIdsOnly: boolean): void {
  if (!isJsonObject(object)) sink.rejected(REASONS.notAnAttribute, exampleOf(object));
  else if (object.deleted === true) sink.unsupported(REASONS.deleted, exampleOf(object));
  else {
    const attributes = Array.isArray(object.Attribute) ? (object.Attribute as readonly JsonValue[]) : [];
    const digests = digestsOfOneFile(attributes.flatMap((each) => digestOf(each) ?? []));
    for (const each of attributes) takeAttribute(sink, each, toIdsOnly, digests);
  }
}

const digestOf = (attribute: JsonValue): string | null =>
  isAttribute(attribute) && DIGEST_TYPE.test(attribute.type) && attribute.deleted !== true
    ? attribute.value.slice(attribute.value.lastIndexOf('|') + 1).trim()
    : null;

const isAttribute = (value: JsonValue): value is Attribute =>
  isJsonObject(value) && typeof value.type === 'string' && typeof value.value === 'string';

function takeAttribute(
  sink: Sink,
  attribute: JsonValue,
  toIdsOnly: boolean,
  digests: readonly string[],
): void {
  if (!isAttribute(attribute)) {
    sink.rejected(REASONS.notAnAttribute, exampleOf(attribute));
    return;
  }
  const { type, value } = attribute;
  const example = `${type}: ${value}`.slice(0, EXAMPLE_CHARS);
  const listed = Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
  if (attribute.deleted === true) sink.unsupported(REASONS.deleted, example);
  else if (listed === undefined) sink.unsupported(REASONS.otherType, example);
  else if (toIdsOnly && attribute.to_ids !== true) sink.unsupported(REASONS.notForDetection, example);
  else {
    const parts = WHOLE.has(type) ? [value] : splitAtLastBar(value);
    const details = detailsOf(attribute);
    for (const part of listed.parts) {
      const text = (parts[part] ?? '').trim();
      const siblings = DIGEST_TYPE.test(type) ? siblingsOf(text, digests) : [];
      sink.entry({
        text,
        ...(listed.kind === undefined ? {} : { kind: listed.kind }),
        ...details,
        ...(siblings.length === 0 ? {} : { siblings }),
      });
    }
  }
}

/** Splits at the last bar, because a file name may hold one and the digest after it may not. */
function splitAtLastBar(value: string): readonly string[] {
  const bar = value.lastIndexOf('|');
  return bar < 0 ? [value] : [value.slice(0, bar), value.slice(bar + 1)];
}

/** `timestamp` is the last edit, by which time the publisher had seen the value. Zero means never. */
function detailsOf(attribute: Attribute): Omit<Entry, 'text'> {
  const firstSeenMs = dateOf(attribute.first_seen) ?? dateOf(attribute.timestamp);
  const lastSeenMs = dateOf(attribute.last_seen);
  const family = familyOf(attribute.Tag);
  return {
    ...(firstSeenMs === undefined ? {} : { firstSeenMs }),
    ...(lastSeenMs === undefined ? {} : { lastSeenMs }),
    ...(family === undefined ? {} : { family }),
  };
}

function familyOf(tags: JsonValue | undefined): string | undefined {
  if (!Array.isArray(tags)) return undefined;
  for (const tag of tags as readonly JsonValue[]) {
    const found = isJsonObject(tag) && typeof tag.name === 'string' ? FAMILY_TAG.exec(tag.name) : null;
    if (found?.[1] !== undefined) return found[1];
  }
  return undefined;
}
