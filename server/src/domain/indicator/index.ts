/** `parseIndicator` is the only way to make an indicator from text. */
export { type Carrier, carriedIpv4 } from './carried-ipv4.ts';
export { defang } from './defang.ts';
export {
  type Extraction,
  extractIndicators,
  type FoundIndicator,
  type RejectedText,
} from './extract/extract-indicators.ts';
export type {
  Asn,
  Cidr4,
  Cidr6,
  Crypto,
  Domain,
  Email,
  Hash,
  Indicator,
  IndicatorKind,
  Ip,
  Ipv4,
  Ipv6,
  Listable,
  ParseResult,
  Phone,
  SingleIndicator,
  Url,
} from './indicator.ts';
export { formatIpv4, NOT_IPV4, readIpv4 } from './ipv4.ts';
export { formatIpv6, readIpv6 } from './ipv6.ts';
export { parseAsn } from './parse-asn.ts';
export { parseCrypto } from './parse-crypto.ts';
export { parseIndicator } from './parse-indicator.ts';
export { parsePhone } from './parse-phone.ts';
export {
  icannSuffixOf,
  isPlatformRoot,
  platformAround,
  platformSuffix,
  tenantPlatform,
} from './public-suffix.ts';
export { REJECTIONS } from './rejections.ts';
export { isReservedName } from './reserved-names.ts';
export { containsBogon, isBogon, type SpecialPurpose, specialPurposeOf } from './special-purpose.ts';
export { hostOf, isSingle } from './subject.ts';
export { TENANT_PLATFORMS } from './tenant-platforms.ts';
