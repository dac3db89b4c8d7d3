import type { InjectionFacts } from '../injection/index.ts';
import type { LinkFact, Origin } from './body/links.ts';
import type { FileFacts } from './files/read-attachment.ts';
import type { Mailbox } from './headers/mailboxes.ts';
import type { Header } from './headers/read-headers.ts';

export type AttachmentFact = FileFacts & {
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly size: number;
  readonly isInline: boolean;
  /** An inline picture, by its type and name; it is listed and not looked up (decisions 3.11). */
  readonly isInlinePicture: boolean;
  /** An attached message that was read; its own files and links follow with their origin. */
  readonly isMessage: boolean;
  readonly origin: Origin | null;
  readonly originName: string | null;
};

export type ContactFact = {
  readonly value: string;
  readonly kind: 'email' | 'phone' | 'crypto';
  readonly origin: Origin | null;
  readonly originName: string | null;
};

/** Everything a scan reads from a message, and the only input of the verdict. Bounded, and without the body's bytes. */
export type MessageFacts = {
  readonly headers: readonly Header[];
  readonly from: Mailbox | null;
  /** More than one From field, or more than one author in it. */
  readonly fromCount: number;
  readonly replyTo: readonly Mailbox[];
  readonly returnPath: Mailbox | null;
  readonly subject: string | null;
  readonly received: readonly string[];
  readonly links: readonly LinkFact[];
  /** Web addresses whose host could not be read. */
  readonly unreadLinks: number;
  readonly attachments: readonly AttachmentFact[];
  readonly contacts: readonly ContactFact[];
  readonly injection: InjectionFacts;
  readonly hiddenChars: number;
  readonly visibleChars: number;
  readonly hasImages: boolean;
  readonly hasForm: boolean;
  readonly hasPasswordField: boolean;
  /** Attached messages below the second level, which were not read (trap 51). */
  readonly unreadMessages: number;
  readonly isStructured: boolean;
  /** Names of the limits that were reached; empty if the whole message was read. */
  readonly cuts: readonly string[];
};
