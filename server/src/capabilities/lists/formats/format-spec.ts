import type { EntryKind } from './format.ts';

/**
 * The format part of a catalogue row. It is data, so that a new source needs a row and no parser. `open-format.ts`
 * turns a spec into a parser.
 */
export type FormatSpec =
  /** One entry per line; comments (# ; ! //), BOM, CRLF; further columns are ignored. Also ipset/netset. */
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
  /** Two columns with the first and last address of a range; each range becomes the CIDRs that cover it exactly. */
  | {
      readonly kind: 'csv-ranges';
      readonly delimiter?: string;
      readonly first: number;
      readonly last: number;
      readonly header?: boolean;
    }
  | { readonly kind: 'ndjson'; readonly fields: JsonFields }
  /** `each`: paths of the elements, such as `deny[*]`, `prefixes[*].ip_prefix`, `*[*]`; `fields` reads objects. */
  | {
      readonly kind: 'json';
      readonly each: readonly string[];
      readonly fields?: JsonFields;
      readonly schemelessUrls?: boolean;
    }
  | { readonly kind: 'stix' }
  /** `{name, type: string|hostname|cidr|substring|regex, version, list[]}`; substring and regex are unsupported. */
  | { readonly kind: 'misp-warninglist' }
  /** A MISP event or an array of events; `toIdsOnly` takes only attributes marked for detection. */
  | { readonly kind: 'misp-feed'; readonly toIdsOnly?: boolean }
  /** Names and synonyms for other features; it gives no entries. */
  | { readonly kind: 'misp-galaxy' }
  /** `digest;comment`. */
  | { readonly kind: 'hash-comment' }
  /** Section comments (`# text`) that explain the entries after them; the comment becomes the reference. */
  | { readonly kind: 'sectioned' }
  /** maltrail's trails: `folder` selects malware, malicious, suspicious or the mass_scanner file of the archive. */
  | { readonly kind: 'maltrail'; readonly folder: 'malware' | 'malicious' | 'suspicious' | 'mass_scanner' }
  /** Markdown tables with digests as links; one file per group, whose name becomes the family. */
  | { readonly kind: 'markdown-digests' }
  /** ESET's repository: `campaign/samples.{md5,sha1,sha256}` (same lines, so siblings) and MISP events. */
  | { readonly kind: 'eset' }
  /** The stalkerware project's ioc.yaml: websites, c2 addresses and names, certificates (unsupported). */
  | { readonly kind: 'stalkerware-yaml' }
  | { readonly kind: 'free-text' };

/** A column by number from 0, or by its name in the header line. */
export type Column = number | string;

export type CsvSpec = {
  readonly kind: 'csv';
  /** `,` when absent. `, ` (with a space), tabs, pipes and semicolons occur. Double quotes are always understood. */
  readonly delimiter?: string;
  /** `first`: the first non-comment line names the columns; `comment`: the last `#` line before the data does. */
  readonly header?: 'first' | 'comment' | 'none';
  /** Each of these columns holds entries; a cell with several digests or addresses gives several entries. */
  readonly values: readonly Column[];
  readonly entries?: EntryKind;
  /** The `host` and `path` columns of one URL; `values` is then empty. */
  readonly url?: { readonly host: Column; readonly path: Column };
  /** The digests in `values` belong to one file. */
  readonly siblings?: boolean;
  readonly firstSeen?: Column;
  readonly lastSeen?: Column;
  /** 0 to 100 after multiplication by `confidenceScale` (1 when absent). */
  readonly confidence?: Column;
  readonly confidenceScale?: number;
  readonly reference?: Column;
  readonly family?: Column;
  readonly rank?: Column;
  /** Reads only lines whose column has one of these values; the others are unsupported. */
  readonly only?: { readonly column: Column; readonly values: readonly string[] };
  /** Leaves out lines of which any cell is one of these texts, whichever columns a file of the source has. */
  readonly without?: readonly string[];
};

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
