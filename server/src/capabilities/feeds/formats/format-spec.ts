import type { EntryKind } from './format.ts';

/**
 * What a catalogue row says about the text of its file: data, so that a new source is a row and not a parser.
 * `open-format.ts` turns a spec into a parser.
 */
export type FormatSpec =
  /** One entry a line; comments (# ; ! //), trailing comments, BOM, CRLF; further columns are ignored. Also ipset/netset. */
  | { readonly kind: 'plain'; readonly entries?: EntryKind; readonly schemelessUrls?: boolean }
  /** `0.0.0.0 name [name...]`; the machine's own names are skipped. */
  | { readonly kind: 'hosts' }
  /** `||name^`, `||host/path$options`, AdGuard and uBlock syntax; exceptions (@@) and cosmetic rules are unsupported. */
  | { readonly kind: 'adblock' }
  /** Match patterns: `*://*.name/*`. */
  | { readonly kind: 'ublacklist' }
  /** `address=/name/0.0.0.0`, `server=/name/`, `local=/name/`. */
  | { readonly kind: 'dnsmasq' }
  | { readonly kind: 'unbound' }
  | { readonly kind: 'rpz' }
  | { readonly kind: 'bind' }
  /** Suricata and Snort rules: names from tls.sni, dns.query, http.host content, addresses from the rule header. */
  | { readonly kind: 'suricata' }
  | CsvSpec
  /** Two columns, first and last address of a range; each range becomes the CIDRs that cover it exactly. */
  | {
      readonly kind: 'csv-ranges';
      readonly delimiter?: string;
      readonly first: number;
      readonly last: number;
      readonly header?: boolean;
    }
  | { readonly kind: 'ndjson'; readonly fields: JsonFields }
  /** `each`: paths of the elements, such as `deny[*]`, `prefixes[*].ip_prefix`, `[*]`, `*[*]`; `fields` reads objects. */
  | {
      readonly kind: 'json';
      readonly each: readonly string[];
      readonly fields?: JsonFields;
      readonly schemelessUrls?: boolean;
    }
  /** Indicator patterns of a STIX 2.x bundle. */
  | { readonly kind: 'stix' }
  /** `{name, type: string|hostname|cidr|substring|regex, version, list[]}`; substring and regex are unsupported. */
  | { readonly kind: 'misp-warninglist' }
  /** A MISP event or an array of them; `toIdsOnly` takes attributes marked for detection alone. */
  | { readonly kind: 'misp-feed'; readonly toIdsOnly?: boolean }
  /** Names and synonyms: read by later features, lists nothing. */
  | { readonly kind: 'misp-galaxy' }
  /** `digest;comment`. */
  | { readonly kind: 'hash-comment' }
  /** Section comments (`# text`) that explain the entries after them; the comment becomes the reference. */
  | { readonly kind: 'sectioned' }
  /** maltrail's trails: `folder` picks malware, malicious, suspicious or the mass_scanner file out of the archive. */
  | { readonly kind: 'maltrail'; readonly folder: 'malware' | 'malicious' | 'suspicious' | 'mass_scanner' }
  /** Markdown tables with digests as links; one file a group, its name becomes the family. */
  | { readonly kind: 'markdown-digests' }
  /** ESET's repository: `campaign/samples.{md5,sha1,sha256}` (same lines, so siblings) and MISP events. */
  | { readonly kind: 'eset' }
  /** The stalkerware project's ioc.yaml: websites, c2 addresses and names, certificates (unsupported). */
  | { readonly kind: 'stalkerware-yaml' }
  /** Defanged indicators found in free text. */
  | { readonly kind: 'free-text' };

/** A column by number from 0, or by its name in the header line. */
export type Column = number | string;

export type CsvSpec = {
  readonly kind: 'csv';
  /** `,` when absent. `, ` (with a space) and tabs, pipes and semicolons occur. Double quotes are always understood. */
  readonly delimiter?: string;
  /** `first`: the first line that is not a comment names the columns; `comment`: the last `#` line before the data does. */
  readonly header?: 'first' | 'comment' | 'none';
  /** Every one of them is an entry; a cell with several digests or addresses gives several. */
  readonly values: readonly Column[];
  readonly entries?: EntryKind;
  /** `host` + `path` columns of one URL; then `values` is empty. */
  readonly url?: { readonly host: Column; readonly path: Column };
  /** The digests in `values` are of one file. */
  readonly siblings?: boolean;
  readonly firstSeen?: Column;
  readonly lastSeen?: Column;
  /** 0 to 100 after multiplication by `confidenceScale` (1 when absent). */
  readonly confidence?: Column;
  readonly confidenceScale?: number;
  readonly reference?: Column;
  readonly family?: Column;
  readonly rank?: Column;
  /** Only lines whose column has one of these values; the others are unsupported. */
  readonly only?: { readonly column: Column; readonly values: readonly string[] };
};

/** Dotted paths inside one JSON object. */
export type JsonFields = {
  readonly values: readonly string[];
  readonly entries?: EntryKind;
  readonly siblings?: boolean;
  readonly firstSeen?: string;
  readonly lastSeen?: string;
  readonly confidence?: string;
  readonly reference?: string;
  readonly family?: string;
  readonly only?: { readonly field: string; readonly values: readonly string[] };
};
