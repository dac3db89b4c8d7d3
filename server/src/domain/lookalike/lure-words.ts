/** Words that phishing names join to a brand, and that honest names rarely do; compiled for this project. */
const LURES = `
  login logon signin sign verify verification verifier secure security account accounts support help wallet update recover
  recovery unlock confirm auth billing bill payment pay invoice refund claim airdrop reward rewards bonus gift mail webmail
  email suspended suspend alert notice delivery parcel package tracking track bank banking connect migrate restore sync
  validate validation customer bridge stake dapp docs document documents voicemail sso desktop start usdt
`;
export const LURE_WORDS: readonly string[] = LURES.trim().split(/\s+/);

/** A shorter word occurs inside others by chance (`pay` in `paya`, `mail` in `thumail`), so it counts alone only. */
const INSIDE_MIN = 5;

const anyOf = (words: readonly string[]): string => words.join('|');
const LURE = new RegExp(
  `${anyOf(LURE_WORDS.filter(({ length }) => length >= INSIDE_MIN))}|(?<![a-z])(?:${anyOf(
    LURE_WORDS.filter(({ length }) => length < INSIDE_MIN),
  )})(?![a-z])`,
);

/** Lower-case text. A short word counts between characters that are no letters, a long one anywhere. */
export const hasLureWord = (text: string): boolean => LURE.test(text);
