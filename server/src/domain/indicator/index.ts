/** The face of the folder. `parseIndicator` is the only way to make an indicator out of text. */
export { defang } from './defang.ts';
export type {
  Cidr4,
  Cidr6,
  Domain,
  Email,
  Hash,
  Indicator,
  IndicatorKind,
  Ip,
  Ipv4,
  Ipv6,
  ParseResult,
  SingleIndicator,
  Url,
} from './indicator.ts';
export { formatIpv4 } from './ipv4.ts';
export { formatIpv6 } from './ipv6.ts';
export { parseIndicator } from './parse-indicator.ts';
export { isPrivateSuffix, platformSuffix } from './public-suffix.ts';
export { REJECTIONS } from './rejections.ts';
export { isBogon, type SpecialPurpose, specialPurposeOf } from './special-purpose.ts';
export { hostOf, isSingle } from './subject.ts';
