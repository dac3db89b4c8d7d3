import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { normalizeText } from '../../indicator/normalize-text.ts';
import { LINE_TYPES, type LineType, type PhoneReading } from './phone.ts';

/** The longest number with every separator and an extension. */
const TEXT_MAX = 64;
/** ITU-T E.164: 15 at most. Shorter than 7 are services of one network, and a caller abroad is never one of them. */
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;
/** Numbers of small countries are written with 4 digits at home. */
const NATIONAL_DIGITS_MIN = 4;
/** Dialling prefix of most of the world, in place of the plus. */
const INTERNATIONAL_PREFIX = /^00(?=[1-9])/;
const EXTENSION = /(?:;ext=|,|#|\bext\.?|\bx)\s*\d{1,7}$/i;
const SEPARATED = /^\+?[\d\s()./-]+$/;
const NORTH_AMERICA: CountryCode = 'US';

const LETTERS = 'A phone number is made of digits; send it as in +14155552671.';
const LENGTH =
  'A phone number has 7 to 15 digits; send all of it, with its country code, as in +14155552671.';
const COUNTRY = 'This is no country code of ISO 3166-1; send two letters such as CH.';
const NO_PLAN = 'There is no such country code; send the whole number with its own, as in +14155552671.';
const NOT_THERE = (country: string): string =>
  `Numbers of ${country} are not of this length; correct it, or send it with its country code.`;
/** Decisions 3.3: no error, and no answer either. */
const UNRESOLVED =
  'The number names no country and is not valid in North America; send country, or its country code.';

const refuse = (reason: string, about: 'phone' | 'country' = 'phone'): PhoneReading => ({
  state: 'refused',
  reason,
  about,
});

/**
 * A number in E.164, by the numbering plans of every country. The `max` set of them, because only it tells lines apart
 * (mobile, toll free, premium rate) and which ranges are assigned at all; `min` knows lengths alone.
 */
export function readPhone(text: string, country: string | null): PhoneReading {
  const written = plainOf(text);
  if (written === null || !SEPARATED.test(written)) return refuse(LETTERS);
  const international = written.replace(INTERNATIONAL_PREFIX, '+');
  const digits = international.replace(/\D/g, '').length;
  const least = country === null ? DIGITS_MIN : NATIONAL_DIGITS_MIN;
  if (digits < least || digits > DIGITS_MAX) return refuse(LENGTH);
  // With two zeros in front it may still be a number of home; with a plus it is what it says.
  const number = international.startsWith('+') ? worldwide(international) : null;
  if (number !== null) return resolved(number, 'e164');
  if (written.startsWith('+')) return refuse(NO_PLAN);
  return country === null ? readNorthAmerican(written) : readNational(written, country.toUpperCase());
}

/**
 * Digits of every script to ASCII; `tel:` and an extension taken off, and the marks of direction that address books copy
 * along with a number. Null: too long to be a number.
 */
function plainOf(text: string): string | null {
  if (text.length > TEXT_MAX) return null;
  const folded = normalizeText(text)
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/\p{Pd}/gu, '-')
    .trim();
  return folded
    .replace(/^tel:/i, '')
    .replace(/;phone-context=\+?[\d.-]*$/i, '')
    .replace(EXTENSION, '')
    .trim();
}

/** Decimal digits of a script stand ten in a row, zero first; Arabic ones are the only others in common use. */
function digitOf(digit: string): string {
  const code = digit.charCodeAt(0);
  if (code >= 0x0660 && code <= 0x0669) return String(code - 0x0660);
  return code >= 0x06f0 && code <= 0x06f9 ? String(code - 0x06f0) : digit;
}

function readNorthAmerican(written: string): PhoneReading {
  const number = numberOf(written, NORTH_AMERICA);
  return number?.isValid() === true ? resolved(number, 'nanp') : { state: 'unresolved', reason: UNRESOLVED };
}

function readNational(written: string, country: string): PhoneReading {
  if (!isSupportedCountry(country)) return refuse(COUNTRY, 'country');
  const number = numberOf(written, country);
  return number === null ? refuse(NOT_THERE(country)) : resolved(number, 'country');
}

/** Null where no number of that country has this length. */
function numberOf(text: string, defaultCountry: CountryCode): PhoneNumber | null {
  const number = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  return number?.isPossible() === true ? number : null;
}

/**
 * Null where there is no such country code. A length that the country does not use is no reason to refuse: numbers made
 * up by callers are listed as they were shown, and plans change (Mexico dropped a digit in 2019).
 */
const worldwide = (text: string): PhoneNumber | null =>
  parsePhoneNumberFromString(text, { extract: false }) ?? null;

function resolved(number: PhoneNumber, resolvedWith: 'e164' | 'country' | 'nanp'): PhoneReading {
  return {
    state: 'resolved',
    phone: { kind: 'phone', value: number.number },
    countryCallingCode: number.countryCallingCode,
    countryCode: number.country ?? null,
    resolvedWith,
    isAssigned: number.isValid(),
    lineType: lineTypeOf(number),
  };
}

function lineTypeOf(number: PhoneNumber): LineType {
  const name = number.getType()?.toLowerCase();
  return LINE_TYPES.find((type) => type === name) ?? 'unknown';
}
