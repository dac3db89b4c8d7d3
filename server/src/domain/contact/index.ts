/**
 * Contacts of people: e-mail addresses, phone numbers, wallets. The numbering plans of all countries live here, so
 * that `domain/indicator` stays small enough for the browser.
 */
export { contactVerdictOf, type VerdictOfContact } from './contact-verdict.ts';
export {
  type Detected,
  type Detection,
  detectInput,
  INPUT_TYPES,
  type InputType,
  type ReadablePhone,
} from './detect-input.ts';
export {
  CONTACT_VERDICTS,
  type ContactJudgement,
  type ContactListing,
  type ContactVerdict,
  judgeContact,
} from './judge-contact.ts';
export { isLargeDisposable, isLargeFreeProvider } from './mail/mail-providers.ts';
export { readMailbox } from './mail/mailbox.ts';
export { readEmail } from './mail/read-email.ts';
export { type EmailFacts, type EmailScore, MAIL_GRADES, scoreEmail } from './mail/score-email.ts';
export { otherRouteFor } from './other-route.ts';
export { LINE_TYPES } from './phone/phone.ts';
export { readPhone } from './phone/read-phone.ts';
export { readWallet } from './wallet/read-wallet.ts';
export { CHAINS, type Wallet } from './wallet/wallet.ts';
