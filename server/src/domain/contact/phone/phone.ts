import type { Phone } from '#domain/indicator/index.ts';

export const LINE_TYPES = [
  'mobile',
  'fixed_line',
  'fixed_line_or_mobile',
  'toll_free',
  'premium_rate',
  'shared_cost',
  'voip',
  'personal_number',
  'pager',
  'uan',
  'voicemail',
  'unknown',
] as const;
export type LineType = (typeof LINE_TYPES)[number];

export type PhoneReading =
  | {
      readonly state: 'resolved';
      readonly phone: Phone;
      readonly countryCallingCode: string;
      /** ISO 3166-1; null for a calling code that belongs to no single country. */
      readonly countryCode: string | null;
      /** Found in the number, from the caller's `country`, or because the number is valid in North America. */
      readonly resolvedWith: 'e164' | 'country' | 'nanp';
      /** False when the length is right but the range is assigned to no operator, as with forged caller ids. */
      readonly isAssigned: boolean;
      readonly lineType: LineType;
    }
  /** A national number without a known country. */
  | { readonly state: 'unresolved'; readonly reason: string }
  | { readonly state: 'refused'; readonly reason: string; readonly about: 'phone' | 'country' };
