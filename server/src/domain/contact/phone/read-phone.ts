import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { normalizeText } from '../../indicator/normalize-text.ts';
import { LINE_TYPES, type LineType, type PhoneReading } from './phone.ts';

const TEXT_MAX = 64;
/** E.164 allows 15 digits. Numbers under 7 are short codes of one network and cannot be called from abroad. */
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;
const NATIONAL_DIGITS_MIN = 4;
/** Most countries dial 00 in place of the plus. */
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
/** A number without a country is neither an error nor an answer (decisions 3.3). */
const UNRESOLVED =
  'The number names no country and is not valid in North America; send country, or its country code.';

const refuse = (reason: string, about: 'phone' | 'country' = 'phone'): PhoneReading => ({
  state: 'refused',
  reason,
  about,
});

/**
 * Reads a number into E.164 by the numbering plans of all countries. It uses the `max` plan data: only that tells
 * line types apart (mobile, toll free, premium rate) and knows which ranges are assigned; `min` knows lengths only.
 */
export function readPhone(text: string, country: string | null): PhoneReading {
  const written = plainOf(text);
  if (written === null || !SEPARATED.test(written)) return refuse(LETTERS);
  const international = written.replace(INTERNATIONAL_PREFIX, '+');
  const digits = international.replace(/\D/g, '').length;
  const least = country === null ? DIGITS_MIN : NATIONAL_DIGITS_MIN;
  if (digits < least || digits > DIGITS_MAX) return refuse(LENGTH);
  // After a leading 00 the text may still be a national number; after a plus it can only be international.
  const number = international.startsWith('+') ? worldwide(international) : null;
  if (number !== null) return resolved(number, 'e164');
  if (written.startsWith('+')) return refuse(NO_PLAN);
  return country === null ? readNorthAmerican(written) : readNational(written, country.toUpperCase());
}

/**
 * Turns digits of every script into ASCII and removes `tel:`, an extension, and the direction marks that address
 * books copy along. Null when the text is too long for a number.
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

/** Each script has ten consecutive digits, zero first. Besides full-width only the Arabic ones are in common use. */
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

function numberOf(text: string, defaultCountry: CountryCode): PhoneNumber | null {
  const number = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  return number?.isPossible() === true ? number : null;
}

/**
 * Null when the country code does not exist. A wrong length is accepted: forged caller ids are listed as they were
 * shown, and plans change (Mexico dropped a digit in 2019).
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
