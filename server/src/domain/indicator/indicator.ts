/** The thing somebody asks about or a source lists, in its one canonical form (decisions 3.1). */
export type Indicator = Ipv4 | Ipv6 | Cidr4 | Cidr6 | Domain | Url | Hash | Email;
export type IndicatorKind = Indicator['kind'];

export type Ipv4 = {
  readonly kind: 'ip';
  readonly version: 4;
  readonly value: string;
  /** Unsigned 32-bit number, first octet highest. */
  readonly address: number;
};
export type Ipv6 = {
  readonly kind: 'ip';
  readonly version: 6;
  /** RFC 5952 text. */
  readonly value: string;
  readonly bytes: Uint8Array;
};
export type Ip = Ipv4 | Ipv6;

/** A range: `address` or `bytes` is its first address, host bits zero. */
export type Cidr4 = {
  readonly kind: 'cidr';
  readonly version: 4;
  readonly value: string;
  readonly address: number;
  readonly bits: number;
};
export type Cidr6 = {
  readonly kind: 'cidr';
  readonly version: 6;
  readonly value: string;
  readonly bytes: Uint8Array;
  readonly bits: number;
};

export type Domain = {
  readonly kind: 'domain';
  /** A-labels, lower case, no trailing dot. */
  readonly value: string;
  /** The registrable domain by the public suffix list's ICANN section; null when the name is itself a suffix. */
  readonly registrable: string | null;
};

export type Url = {
  readonly kind: 'url';
  /** Canonical text: scheme and host lower case, default port and fragment removed, path case kept. */
  readonly value: string;
  readonly host: Ip | Domain;
};

export type Hash = {
  readonly kind: 'hash';
  /** Lower-case hex. */
  readonly value: string;
  readonly algorithm: 'md5' | 'sha1' | 'sha256';
};

export type Email = {
  readonly kind: 'email';
  readonly value: string;
  readonly domain: Domain;
};

/** An autonomous system: sources list them, callers ask about them through routes of their own. */
export type Asn = {
  readonly kind: 'asn';
  /** `AS64500`. */
  readonly value: string;
  readonly number: number;
};

/** An address of a cryptocurrency: sanction lists name them, callers ask about them through routes of their own. */
export type Crypto = {
  readonly kind: 'crypto';
  /** As the chain writes it; hexadecimal and bech32 forms in lower case, the others keep their case. */
  readonly value: string;
};

/** A telephone number: lists of callers name them, callers of ours ask about them through routes of their own. */
export type Phone = {
  readonly kind: 'phone';
  /** E.164: a plus, the country's code, the number; digits only. */
  readonly value: string;
};

/** Whatever a source may list. */
export type Listable = Indicator | Asn | Crypto | Phone;

/** Anything but a range: what a check is about. */
export type SingleIndicator = Exclude<Indicator, Cidr4 | Cidr6>;

/** Either the indicator or one sentence, fit for the caller, that says why there is none. */
export type ParseResult<T = Indicator> =
  | { readonly ok: true; readonly indicator: T }
  | { readonly ok: false; readonly reason: string };
