import type { Ip } from '../../indicator/index.ts';
import type { Imitation } from '../../lookalike/index.ts';
import type { RiskLevel } from '../../scoring/index.ts';

/** What the dataset says of one value of a message. */
export type ItemWord = {
  /** The strongest threat listing that is at most one half-life old: R x P x M, never a sum (O15). */
  readonly weight: number;
  readonly level: RiskLevel;
  /** Threat lists that name it. */
  readonly sources: number;
  readonly sourceNames: readonly string[];
  readonly family: string | null;
  readonly isKnownGood: boolean;
  /** The organization of the caller allows it. */
  readonly isAllowed: boolean;
};

/** What the dataset says of a host, beside its listings. */
export type NameWord = ItemWord & {
  /** The organization behind it is among the 100,000 most visited, and strangers get no names or mailboxes there. */
  readonly isEstablished: boolean;
  /** It or its organization is on a list of popular names. */
  readonly isRanked: boolean;
  /** Strangers publish or send under this name (O16). */
  readonly isPlatform: boolean;
  readonly isFree: boolean;
  readonly isDisposable: boolean;
  readonly isShortener: boolean;
  readonly imitates: Imitation | null;
};

export type ContactWord = {
  readonly verdict: 'malicious' | 'suspicious' | 'unknown';
  readonly sources: number;
};

export type SenderPosture = {
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  readonly hasSpf: boolean;
  readonly hasDmarc: boolean;
  readonly hasMx: boolean;
  readonly dmarcPolicy: 'none' | 'quarantine' | 'reject' | null;
  readonly spfAll: string | null;
  readonly spoofable: boolean;
};

/** The answers to the questions that the facts of a message ask, in the order of the facts. */
export type MailAnswers = {
  readonly sender: NameWord | null;
  readonly replyTo: readonly (NameWord | null)[];
  readonly links: readonly NameWord[];
  readonly attachments: readonly (ItemWord | null)[];
  readonly contacts: readonly ContactWord[];
  readonly connecting: { readonly ip: Ip; readonly word: ItemWord } | null;
  /** Why the connecting address was not looked up. */
  readonly connectingSkipped: string | null;
  readonly posture: SenderPosture | null;
  readonly postureSkipped: string | null;
  /** Without a list of popular names no sender is established (C17). */
  readonly hasPopularNames: boolean;
  readonly hasThreatLists: boolean;
};

/** The weight from which a listing makes a message malicious (contract 4.9 rule 1). */
export const MALICIOUS_WEIGHT = 0.9;
/** Products of two-digit factors differ from their decimal value in the last bit. */
export const isMalicious = ({ weight }: ItemWord): boolean => weight >= MALICIOUS_WEIGHT - 1e-9;
