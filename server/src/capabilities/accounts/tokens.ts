import { hash, randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';

const TOKEN_BYTES = 32;
export const TOKEN_CHARS = 43;

/** How long a link of a letter works. Claims and invitations: three days (O19). */
export const LINK_LIFE_MS = {
  verify: DAY_MS,
  reset: HOUR_MS,
  claim: 3 * DAY_MS,
  invite: 3 * DAY_MS,
} as const;

/** The pages of the dashboard that read a token. */
export type LinkPage = 'verify' | 'reset' | 'claim' | 'invitation';

/** 256 random bits; only their hash is stored. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * The token is in the fragment, which browsers send to no server: no log, proxy or Referer holds it. The address comes from
 * the configuration alone, so the Host of a request cannot lead a reader elsewhere (docs/decisions/0018).
 */
export const linkTo = (publicWebUrl: string, page: LinkPage, token: string): string =>
  `${publicWebUrl.replace(/(?<!\/)\/+$/, '')}/app/${page}#token=${token}`;
