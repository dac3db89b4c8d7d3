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
      /** Digits after the plus: `41`. */
      readonly countryCallingCode: string;
      /** ISO 3166-1; null for a code that belongs to no country. */
      readonly countryCode: string | null;
      /** How the country was found: in the number, by the caller's word, or because North America has such a number. */
      readonly resolvedWith: 'e164' | 'country' | 'nanp';
      /** False: the length is right and no operator was given the range, as with numbers made up by a caller. */
      readonly isAssigned: boolean;
      readonly lineType: LineType;
    }
  /** A number of nobody knows where. */
  | { readonly state: 'unresolved'; readonly reason: string }
  /** `about`: which of the two that were sent has to be corrected. */
  | { readonly state: 'refused'; readonly reason: string; readonly about: 'phone' | 'country' };
