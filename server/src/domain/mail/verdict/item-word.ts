import type { Ip } from '../../indicator/index.ts';
import type { Imitation } from '../../lookalike/index.ts';
import type { RiskLevel } from '../../scoring/index.ts';

/** What the dataset says of one value of a message. */
export type ItemWord = {
  /** Weight of the strongest threat listing at most one half-life old: R x P x M, never a sum (O15). */
  readonly weight: number;
  readonly level: RiskLevel;
  /** Number of threat lists that name the value. */
  readonly sources: number;
  readonly sourceNames: readonly string[];
  readonly family: string | null;
  readonly isKnownGood: boolean;
  /** The caller's organization allows the value. */
  readonly isAllowed: boolean;
};

/** What the dataset says about a host in addition to its listings. */
export type NameWord = ItemWord & {
  /** Its organization is among the 100,000 most visited, and strangers get no names or mailboxes there. */
  readonly isEstablished: boolean;
  /** The host or its organization is on a list of popular names. */
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

/** The dataset's answers about the values in the facts of a message, in the order of the facts. */
export type MailAnswers = {
  readonly sender: NameWord | null;
  readonly replyTo: readonly (NameWord | null)[];
  readonly links: readonly NameWord[];
  /** The domain that the text of a link shows; null where it shows none or the one that the link opens. */
  readonly shown: readonly (NameWord | null)[];
  readonly attachments: readonly (ItemWord | null)[];
  readonly contacts: readonly ContactWord[];
  readonly connecting: { readonly ip: Ip; readonly word: ItemWord } | null;
  /** Why the connecting address was not looked up. */
  readonly connectingSkipped: string | null;
  readonly posture: SenderPosture | null;
  readonly postureSkipped: string | null;
  /** False: no list of popular names is loaded, so no sender is established (C17). */
  readonly hasPopularNames: boolean;
  readonly hasThreatLists: boolean;
};

/** The weight from which a listing makes a message malicious (contract 4.9 rule 1). */
export const MALICIOUS_WEIGHT = 0.9;
/** The tolerance covers rounding: products of two-digit decimals can differ from their exact value in the last bit. */
export const isMalicious = ({ weight }: ItemWord): boolean => weight >= MALICIOUS_WEIGHT - 1e-9;
