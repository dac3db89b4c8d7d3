import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** How long a challenge or a ticket can be used. */
export const TOKEN_LIFE_MS = 300_000;

/** 256 random bits; only their hash is stored. */
export const newToken = (): Buffer => randomBytes(TOKEN_BYTES);
export const tokenText = (token: Buffer): string => token.toString('base64url');
export const tokenHash = (text: string): Buffer => hash('sha256', text, 'buffer');
