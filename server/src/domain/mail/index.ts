/** Rules of mail scans: a message becomes facts, and facts with the answers of the dataset become a verdict. */
export { type LinkFact, organizationOf, readLink } from './body/links.ts';
export { type RawLink, readHtml } from './body/read-html.ts';
export { DETECTED_TYPES } from './files/file-type.ts';
export { ATTACHMENT_FLAGS, type Digests, type FileTools } from './files/read-attachment.ts';
export {
  AUTH_RESULTS,
  type Authentication,
  type MailTrust,
  readAuthentication,
} from './headers/authentication.ts';
export { isMessage, readHeaders } from './headers/read-headers.ts';
export { connectingAddress } from './headers/received.ts';
export { MAIL_LIMITS } from './limits.ts';
export { isMailPlatform, isTenantSender } from './mail-platforms.ts';
export type { AttachmentFact, ContactFact, MessageFacts } from './message-facts.ts';
export { readMessage } from './read-message.ts';
export { readStructured, type StructuredMessage } from './structured-message.ts';
export {
  type ContactWord,
  type ItemWord,
  isMalicious,
  type MailAnswers,
  type NameWord,
  type SenderPosture,
} from './verdict/item-word.ts';
export {
  ITEM_VERDICTS,
  judgeMessage,
  MAIL_ACTIONS,
  MAIL_VERDICTS,
  type MailJudgement,
  type MailVerdict,
} from './verdict/judge-message.ts';
export { LINK_FLAGS } from './verdict/link-reasons.ts';
export { REASON_CODES, SEVERITIES } from './verdict/reason.ts';
