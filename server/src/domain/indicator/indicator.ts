/** The subject of a check or of a listing, in its one canonical form (decisions 3.1). */
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
  readonly value: string;
  readonly bytes: Uint8Array;
};
export type Ip = Ipv4 | Ipv6;

/** A range; `address` or `bytes` is its first address, with the host bits zero. */
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
  /** A-labels in lower case without a trailing dot. */
  readonly value: string;
  /** The registrable domain by the ICANN section of the public suffix list; null when the name is itself a suffix. */
  readonly registrable: string | null;
};

export type Url = {
  readonly kind: 'url';
  /** Canonical text: scheme and host in lower case, default port and fragment removed, case of the path kept. */
  readonly value: string;
  readonly host: Ip | Domain;
  /** The domain that the user name poses as, as `paypal.com` in `https://paypal.com@evil.com/`; absent in honest URLs. */
  readonly posedHost?: string;
};

export type Hash = {
  readonly kind: 'hash';
  readonly value: string;
  readonly algorithm: 'md5' | 'sha1' | 'sha256';
};

export type Email = {
  readonly kind: 'email';
  readonly value: string;
  readonly domain: Domain;
};

/** An autonomous system. Sources list them; callers look them up through separate routes. */
export type Asn = {
  readonly kind: 'asn';
  readonly value: string;
  readonly number: number;
};

/** A cryptocurrency address. Sanction lists name them; callers look them up through separate routes. */
export type Crypto = {
  readonly kind: 'crypto';
  /** As the chain writes it: hexadecimal and Bech32 forms in lower case, other forms with their case kept. */
  readonly value: string;
};

/** A phone number. Lists of nuisance callers name them; callers of the API look them up through separate routes. */
export type Phone = {
  readonly kind: 'phone';
  /** E.164: a plus, the country code and the number, digits only. */
  readonly value: string;
};

export type Listable = Indicator | Asn | Crypto | Phone;

export type SingleIndicator = Exclude<Indicator, Cidr4 | Cidr6>;

export type ParseResult<T = Indicator> =
  | { readonly ok: true; readonly indicator: T }
  | { readonly ok: false; readonly reason: string };
